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
  packageHome = electronPackage,
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
  const home = packageHome();
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

/** Its makers' own script, with what it shows of its progress and what it complains of. */
async function fetchInto(home: string): Promise<void> {
  const fetching = spawn(process.execPath, [path.join(home, 'install.js')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: FETCH_WITHIN_MS,
  });
  const stop = () => void fetching.kill();
  process.once('exit', stop);
  await new Promise((done) => fetching.once('close', done).once('error', done));
  process.off('exit', stop);
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
  if (/GPU process isn't usable/.test(complaints)) return 'Electron cannot draw on this display';
  return undefined;
}
