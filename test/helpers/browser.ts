import { existsSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { startAppliance } from './appliance.ts';
import type { TestAppliance } from './appliance.ts';

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Nothing that would ask the network, and none of what needs a user of its own. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let started: Promise<Browser> | undefined;

/** One browser for each test file; it ends with the worker that runs it. */
export function browser(): Promise<Browser> {
  started ??= launchBrowser();
  return started;
}

/** Another one, for who closes it. */
export async function launchBrowser(): Promise<Browser> {
  const installed = INSTALLED.find((path) => existsSync(path));
  if (installed) return chromium.launch({ executablePath: installed, args: ARGS });
  // Where the machine has none, the one that travels inside an npm package.
  const { default: packed } = await import('@sparticuz/chromium');
  return chromium.launch({
    executablePath: await packed.executablePath(),
    args: [...packed.args, ...ARGS],
  });
}

/** Everything a page did that it must not do: errors, refused scripts, requests to elsewhere. */
export interface Visit {
  page: Page;
  faults: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** A window of its own, not signed in. */
export async function visit(
  appliance: Pick<TestAppliance, 'url'>,
  path = '/',
  options: BrowserContextOptions = {},
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
  await page.goto(path);
  return { page, faults, [Symbol.asyncDispose]: () => context.close() };
}

/** A window that is signed in, at the given path; it has seen the first start. */
export async function signedIn(
  appliance: Pick<TestAppliance, 'url' | 'signInUrl'>,
  path = '/',
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const cookie = await sessionCookie(appliance);
  const storageState = { cookies: [cookie], origins: [] };
  return visit(appliance, path, { storageState, ...options }, hasBeenWelcome);
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

/** What the page behind the one-time link does, without the time that two pages take to load. */
async function sessionCookie({ url, signInUrl }: Pick<TestAppliance, 'url' | 'signInUrl'>) {
  const answer = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: new URL(signInUrl()).hash.slice('#token='.length) }),
  });
  const [pair = ''] = answer.headers.getSetCookie().map((text) => text.split(';')[0]);
  const [name = '', value = ''] = pair.split('=');
  const { hostname } = new URL(url);
  const rest = { path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const };
  return { name, value, domain: hostname, ...rest };
}

/** An appliance with a window signed in to it; both are closed at the end. */
export async function dashboard(
  path = '/',
  options: Parameters<typeof startAppliance>[0] = {},
  context: BrowserContextOptions = {},
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
