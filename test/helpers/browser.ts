import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startAppliance } from './appliance.ts';
import type { TestAppliance } from './appliance.ts';
import { launchPacked } from './chromium.ts';
import { freshTenant, signIn } from './tenant.ts';
import type { TestTenant } from './tenant.ts';

let started: Promise<Browser> | undefined;

/** One browser for each worker; it ends with it. */
export function browser(): Promise<Browser> {
  started ??= launchPacked();
  return started;
}

/** Everything a page did that it must not do: errors, refused scripts, requests to elsewhere. */
export interface Visit {
  page: Page;
  faults: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

interface Opening extends BrowserContextOptions {
  /** What is to hold before the page is loaded, such as answers that are not the appliance's. */
  arrange?: (page: Page) => Promise<unknown>;
}

/** A window of its own, not signed in. */
export async function visit(
  appliance: Pick<TestAppliance, 'url'>,
  path = '/',
  { arrange, ...options }: Opening = {},
  prepare?: () => void,
): Promise<Visit> {
  const context = await (
    await browser()
  ).newContext({
    baseURL: appliance.url,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    ...options,
  });
  // A context's own way to fill the storage would load a page for it first.
  if (prepare) await context.addInitScript(prepare);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error.stack ?? error)));
  page.on('console', (message) => {
    // What the server refuses, the page says in words of its own.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) faults.push(message.text());
  });
  page.on('request', (request) => {
    const isOwn = /^(data|blob):/.test(request.url()) || request.url().startsWith(appliance.url);
    if (!isOwn) faults.push(`asked ${request.url()}`);
  });
  await arrange?.(page);
  await page.goto(path);
  return { page, faults, [Symbol.asyncDispose]: () => context.close() };
}

/** What a window can be signed in to: an appliance's first tenant, or a fresh one. */
type Home = Pick<TestAppliance, 'app' | 'url' | 'signInUrl'> & Partial<Pick<TestTenant, 'owner'>>;

/** A window that is signed in, at the given path; it has seen the first start. */
export async function signedIn(home: Home, path = '/', options: Opening = {}): Promise<Visit> {
  const { cookie } = home.owner ?? (await signIn(home));
  const storageState = { cookies: [cookieOf(cookie, home.url)], origins: [] };
  return visit(home, path, { storageState, ...options }, hasBeenWelcome);
}

/** Runs in the page, before its own scripts. */
function hasBeenWelcome(): void {
  if (location.protocol.startsWith('http')) localStorage.setItem('vedette.welcome', 'seen');
}

/** As if another tab were in front of it; a browser without windows shows all of them at once. */
export async function hide(page: Page, isHidden = true): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}

function cookieOf(pair: string, url: string) {
  const [name = '', value = ''] = pair.split('=');
  const { hostname } = new URL(url);
  const rest = { path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const };
  return { name, value, domain: hostname, ...rest };
}

/** A window signed in to a fresh tenant; it is closed at the end. */
export async function dashboard(path = '/', context: Opening = {}) {
  const appliance = await freshTenant();
  return { ...(await signedIn(appliance, path, context)), appliance };
}

/** An appliance of its own with a window signed in to it; both are closed at the end. */
export async function ownDashboard(
  path = '/',
  options: Parameters<typeof startAppliance>[0] = {},
  context: Opening = {},
) {
  const appliance = await startAppliance(options);
  return together(appliance, await signedIn(appliance, path, context));
}

/** Closed in this order at the end. */
export function together(appliance: TestAppliance, window: Visit) {
  return {
    ...window,
    appliance,
    async [Symbol.asyncDispose]() {
      await window[Symbol.asyncDispose]();
      await appliance.close();
    },
  };
}
