import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** What keeps a window from opening, in a few words that follow 'No window: '. */
export class NoWindow extends Error {}

const require = createRequire(import.meta.url);
const FETCH_WITHIN_MS = 10 * 60_000;

/** Where Electron lies on this machine. It is fetched when it is first needed, as its makers do. */
export async function findElectron(
  env: NodeJS.ProcessEnv,
  say: (text: string) => void,
): Promise<string> {
  const { DISPLAY, WAYLAND_DISPLAY, ELECTRON_OVERRIDE_DIST_PATH: given } = env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) {
    throw new NoWindow('there is no display');
  }
  if (given) {
    const file = path.join(given, executable());
    if (existsSync(file)) return file;
    throw new NoWindow(`there is no Electron in ${given}`);
  }
  const home = electronPackage();
  const found = installed(home);
  if (found) return found;
  say('Fetching Electron, which shows the window (once, about 110 MB) …');
  await fetchInto(home);
  const fetched = installed(home);
  if (fetched) return fetched;
  throw new NoWindow('Electron could not be fetched');
}

function executable(): string {
  if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return process.platform === 'win32' ? 'electron.exe' : 'electron';
}

function electronPackage(): string {
  try {
    return path.dirname(require.resolve('electron/package.json'));
  } catch {
    throw new NoWindow('Electron is not installed');
  }
}

function installed(home: string): string | undefined {
  const note = path.join(home, 'path.txt');
  if (!existsSync(note)) return undefined;
  const file = path.join(home, 'dist', readFileSync(note, 'utf8'));
  return existsSync(file) ? file : undefined;
}

async function fetchInto(home: string): Promise<void> {
  const fetching = spawn(process.execPath, [path.join(home, 'install.js')], {
    stdio: 'ignore',
    timeout: FETCH_WITHIN_MS,
  });
  await new Promise((done) => fetching.once('close', done).once('error', done));
}

export interface Opened {
  url: string;
  /** The code that the program ended with. */
  ended: Promise<number>;
  end: (signal: NodeJS.Signals) => void;
}

/** Ended by itself before it was up, after it had said why: there is nothing to fall back from. */
export class EndedBefore extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`The window ended with ${code}`);
    this.code = code;
  }
}

/** Starts the desktop program and waits until it answers. */
export function openWindow(
  electron: string,
  args: readonly string[],
  say: (text: string) => void,
): Promise<Opened> {
  const root = path.join(import.meta.dirname, '..');
  const switches = args.filter((argument) => argument === '--no-sandbox');
  const child = spawn(electron, [...switches, root, ...args], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    // Or Ctrl+C in a terminal would reach it twice: by itself, and from here.
    detached: process.platform !== 'win32',
  });
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-20_000);
    for (const line of text.split('\n')) if (isOurs(line)) say(line);
  });
  return new Promise((resolve, reject) => {
    const ended = new Promise<number>((done) => {
      child.once('error', ({ message }) => reject(new NoWindow(message)));
      child.once('close', (code, signal) => {
        done(code ?? 1);
        // 0: another one is open already and is shown; 2: it has said what is wrong.
        if (code === 0 || code === 2) reject(new EndedBefore(code));
        else reject(new NoWindow(reasonIn(complaints) ?? `Electron ended with ${signal ?? code}`));
      });
    });
    child.on('message', (news: { ready?: { url: string } }) => {
      if (!news.ready) return;
      resolve({ url: news.ready.url, ended, end: (signal) => void child.kill(signal) });
    });
  });
}

/** Chromium talks much about buses and drivers that a person can do nothing about. */
function isOurs(line: string): boolean {
  return (
    line !== '' && !/^\[\d+:\d+\/[\d.]+:\w+:|^DevTools listening|^\s*$|^\(node:\d+\)/.test(line)
  );
}

export function reasonIn(complaints: string): string | undefined {
  const [, library] = /error while loading shared libraries: ([^\s:]+)/.exec(complaints) ?? [];
  if (library) return `a library that Electron needs is missing: ${library}`;
  if (/Running as root without --no-sandbox/.test(complaints)) {
    return 'Electron does not run as root';
  }
  if (/SUID sandbox helper|No usable sandbox/.test(complaints)) {
    return "this system does not let Electron's sandbox work";
  }
  if (/Missing X server|cannot open display|Unable to open X display/i.test(complaints)) {
    return 'the display cannot be opened';
  }
  return undefined;
}
