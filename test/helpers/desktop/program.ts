import path from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished, vi } from 'vitest';
import { KEY } from '../appliance.ts';
import type { Ending } from '../child.ts';
import { unpackedProgram } from '../unpacked.ts';
import { sharedDisplay } from './display.ts';
import type { Display } from './display.ts';
import { electronDist, ROOT } from './runtime.ts';
import { createScope, runProgram, workerScope } from './scope.ts';
import type { Scope } from './scope.ts';
import type { Key } from './x11.ts';

const READY_WITHIN_MS = 60_000;
const BASE = ['--no-sandbox', '--disable-gpu'];

export interface DesktopOptions {
  dataDir: string;
  args?: readonly string[];
  env?: Record<string, string>;
  /** Where its page can be driven; not for what looks at the program as people have it. */
  isDriven?: boolean;
  /** Its folder; without it, what would be installed, as the installers' tool packs it. */
  folder?: string;
  /** The bundle in this repository, which a plain Electron starts. */
  isFromSource?: boolean;
  scope?: Scope;
}

export type Desktop = Awaited<ReturnType<typeof runDesktop>>;
export type RunningDesktop = Awaited<ReturnType<typeof startDesktop>>;

/** The desktop program, on its way up. */
export async function runDesktop(options: DesktopOptions) {
  const { isDriven = true, scope = testScope() } = options;
  const display = await sharedDisplay();
  const [file, ...entry] = await command(options);
  const home = scope.dir();
  const child = runProgram(
    scope,
    file,
    [
      ...BASE,
      ...(isDriven ? ['--remote-debugging-port=0'] : []),
      ...entry,
      ...['--data-dir', options.dataDir, '--host', '127.0.0.1', '--port', '0'],
      ...(options.args ?? []),
    ],
    { env: { ...environment(display, home), ...options.env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const tray = display.tray(child.pid ?? 0);
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  const heard = () => {
    for (const listener of listeners) listener();
  };
  child.stdout?.on('data', (text: Buffer) => {
    stdout += text.toString();
    heard();
  });
  child.stderr?.on('data', (text: Buffer) => {
    stderr += text.toString();
    heard();
  });
  let ending: Ending | undefined;
  // Not `close`: a child of its own that lives on would hold that back.
  const ended = new Promise<Ending>((done) => {
    child.once('exit', (code, signal) => {
      ending = { code, signal };
      done(ending);
      heard();
    });
  });

  /** What is found in its output, as soon as it stands there. */
  function said(pattern: RegExp, within = READY_WITHIN_MS): Promise<string> {
    return new Promise((resolve, reject) => {
      const fail = (why: string) => {
        settle();
        reject(new Error(`${why}, and did not say ${pattern}\n${stdout}${stderr}`));
      };
      const timer = setTimeout(() => fail('It was waited for too long'), within);
      const look = () => {
        const found = pattern.exec(stdout) ?? pattern.exec(stderr);
        if (found) {
          settle();
          resolve(found[1] ?? found[0]);
        } else if (ending) fail(`It ended (${ending.signal ?? ending.code})`);
      };
      const settle = () => {
        clearTimeout(timer);
        listeners.delete(look);
      };
      listeners.add(look);
      look();
    });
  }

  let driven: Promise<Browser> | undefined;
  async function connect(): Promise<Browser> {
    const address = await said(/DevTools listening on (ws:\S+)/);
    const browser = await chromium.connectOverCDP(address);
    scope.defer(() => browser.close());
    return browser;
  }

  async function pages(): Promise<Page[]> {
    let browser = await driven;
    // A sleep of the machine cuts connections, also this one.
    if (!browser?.isConnected()) browser = await (driven = connect());
    return browser.contexts().flatMap((context) => context.pages());
  }

  /** Its windows on the screen. */
  const shown = async () =>
    (await display.windows()).filter(({ isShown, pid }) => isShown && pid === child.pid);

  /** The one on the screen, once it is there. */
  const shownWindow = () =>
    vi.waitUntil(async () => (await shown())[0], { timeout: READY_WITHIN_MS, interval: 30 });

  return {
    display,
    tray,
    dataDir: options.dataDir,
    pid: child.pid,
    command: [file, ...entry],
    home,
    ended,
    said,
    pages,
    stdout: () => stdout,
    stderr: () => stderr,
    end: (signal: NodeJS.Signals = 'SIGTERM'): Promise<Ending> => {
      child.kill(signal);
      return ended;
    },
    /** By the menu of the tray, as a person would. */
    async quit(): Promise<Ending> {
      // It may be gone before it has answered.
      await tray.choose(/^Quit/).catch((error: unknown) => {
        if (!String(error).includes('NoReply')) throw error;
      });
      return ended;
    },
    /** The page of its only window, once it shows what stands at this address. */
    window: async (at: RegExp = /^http/): Promise<Page> => {
      const find = async () => (await pages()).find((one) => at.test(one.url()));
      const page = await vi
        .waitUntil(find, { timeout: READY_WITHIN_MS, interval: 30 })
        .catch(async () => {
          const there = (await pages()).map((one) => one.url());
          throw new Error(`No window shows ${at}, only [${there.join()}]\n${stdout}${stderr}`);
        });
      page.setDefaultTimeout(30_000);
      return page;
    },
    shown,
    shownWindow,
    /** By the cross in its corner. */
    closeWindow: async () => display.closeWindow((await shownWindow()).id),
    /** Real keys, for a page that has the keyboard. */
    async press(page: Page, ...keys: readonly Key[]): Promise<void> {
      await display.focus((await shownWindow()).id);
      await vi.waitUntil(() => page.evaluate(() => document.hasFocus()), READY_WITHIN_MS);
      await display.press(...keys);
    },
  };
}

/** The same, once it listens. */
export async function startDesktop(options: DesktopOptions) {
  const program = await runDesktop(options);
  const url = await program.said(/listening on (http\S+:\d+)/);
  return { ...program, url };
}

let shared: Promise<RunningDesktop> | undefined;

/** The one that the tests of a worker share: for what needs no start, no end and no first time. */
export function sharedDesktop(): Promise<RunningDesktop> {
  const dataDir = () => path.join(workerScope.dir(), 'my "own" 100% data');
  shared ??= startDesktop({ dataDir: dataDir(), scope: workerScope });
  return shared;
}

async function command({ folder, isFromSource }: DesktopOptions): Promise<[string, ...string[]]> {
  const dist = electronDist();
  if (!dist) throw new Error('There is no Electron runtime');
  if (isFromSource) return [path.join(dist, 'electron'), ROOT];
  return [path.join(folder ?? (await unpackedProgram(dist)), 'vedette')];
}

/** Nothing of the person who runs the tests, and no settings of theirs. */
function environment(display: Display, home: string): Record<string, string> {
  return {
    ...display.env,
    HOME: home,
    TMPDIR: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_DATA_HOME: path.join(home, '.local/share'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    XDG_RUNTIME_DIR: home,
    LANG: 'en_GB.UTF-8',
    TZ: process.env['TZ'] ?? 'UTC',
    NO_AT_BRIDGE: '1',
    GIO_USE_VFS: 'local',
    XDG_STATE_HOME: path.join(home, '.local/state'),
    VEDETTE_API_KEY: KEY,
  };
}

function testScope(): Scope {
  const scope = createScope();
  onTestFinished(() => scope.close());
  return scope;
}
