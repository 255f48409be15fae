import type { BrowserContextOptions, Page } from 'playwright-core';
import type { DesktopBridge, DesktopView } from '$electron/schema.ts';
import { startAppliance } from '../helpers/appliance.ts';
import { signedIn, together, visit } from '../helpers/browser.ts';
import { freshTenant, sharedAppliance } from '../helpers/tenant.ts';

/** What the shell keeps and was asked, where tests can look at it and change it. */
interface StandIn {
  view: DesktopView;
  calls: string[];
  /** By the name of a verb: what it fails with. */
  faults: Record<string, string>;
  /** Leads the page somewhere, as the menu does. */
  lead: (path: string) => void;
  /** By the name of a verb: it answers only once this is called. */
  held: Map<string, () => void>;
}

declare global {
  interface Window {
    vedette?: DesktopBridge;
    standIn: StandIn;
  }
}

const FRESH: DesktopView = {
  version: '0.1.0',
  close_to_tray: true,
  start_at_login: false,
  check_for_updates: true,
  paused_until: null,
  secrets: 'key-store',
  update: { state: 'unasked', version: null, detail: null },
};

/** Runs in the page, before anything of its own: a shell without a window around it. */
function standInFor({ view, links, faults }: { view: DesktopView; links: string[] } & Given) {
  const shell: StandIn = { view, calls: [], faults, held: new Map(), lead: () => undefined };
  const hold = (verb: string) => new Promise<void>((go) => shell.held.set(verb, go));
  async function answer(verb: string, said: unknown, act: () => unknown = () => undefined) {
    shell.calls.push(said === undefined ? verb : `${verb} ${JSON.stringify(said)}`);
    if (shell.held.has(verb)) await hold(verb);
    const fault = shell.faults[verb];
    // As Electron hands on what its other side threw.
    if (fault) throw new Error(`Error invoking remote method 'desktop:${verb}': Error: ${fault}`);
    await act();
    return structuredClone(shell.view);
  }
  window.standIn = shell;
  window.vedette = {
    read: () => answer('read', undefined),
    change: (patch) => answer('change', patch, () => Object.assign(shell.view, patch)),
    openFolder: (which) => answer('openFolder', which).then(() => undefined),
    signIn: () =>
      answer('signIn', undefined, () =>
        fetch('/api/v1/session', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ token: links.shift() }),
        }),
      ).then(() => undefined),
    onGo: (listener) => void (shell.lead = listener),
    checkForUpdates: () => answer('checkForUpdates', undefined),
    restartToUpdate: () => answer('restartToUpdate', undefined).then(() => undefined),
  };
}

interface Given {
  faults: Record<string, string>;
}

interface Options extends Partial<Given> {
  view?: Partial<DesktopView>;
  appliance?: Parameters<typeof startAppliance>[0];
  context?: BrowserContextOptions;
  isSignedIn?: boolean;
}

/**
 * A window as the desktop shell shows it: of a fresh tenant, or of an appliance of its own where
 * options for one are given.
 */
export async function desktopWindow(path: string, options: Options = {}) {
  const { view = {}, faults = {}, context, isSignedIn = true } = options;
  const own = options.appliance && (await startAppliance(options.appliance));
  const appliance = own ?? (await sharedAppliance());
  const link = () => new URL(appliance.signInUrl()).hash.slice('#token='.length);
  const links = [link(), link()];
  const given = { view: { ...FRESH, ...view }, links, faults };
  const opening = { ...context, arrange: (page: Page) => page.addInitScript(standInFor, given) };
  const window = isSignedIn
    ? await signedIn(own ?? (await freshTenant()), path, opening)
    : await visit(appliance, path, opening);
  if (own) return together(own, window);
  return { ...window, appliance };
}

/** What the shell was asked besides how it stands, since the last time this was called. */
export const asked = (page: Page): Promise<string[]> =>
  page.evaluate(() => window.standIn.calls.splice(0).filter((call) => call !== 'read'));

/** Something happens on the shell's side, as by its tray. */
export const inShell = (page: Page, view: Partial<DesktopView>): Promise<void> =>
  page.evaluate((given) => void Object.assign(window.standIn.view, given), view);

/** By the menu, the tray or a notification. */
export const led = (page: Page, to: string): Promise<void> =>
  page.evaluate((path) => window.standIn.lead(path), to);

/** From here on the verb fails with these words; without words it works again. */
export const failing = (page: Page, verb: string, words = ''): Promise<void> =>
  page.evaluate(([name, text]) => void (window.standIn.faults[name] = text), [
    verb,
    words,
  ] as const);

/** The verb does not answer before what this returns is called. */
export async function holding(page: Page, verb: string): Promise<() => Promise<void>> {
  await page.evaluate((name) => void window.standIn.held.set(name, () => undefined), verb);
  return () =>
    page.evaluate((name) => {
      const { held } = window.standIn;
      held.get(name)?.();
      held.delete(name);
    }, verb);
}
