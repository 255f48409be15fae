import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.join(import.meta.dirname, '../../..');

const SHELL = ['electron/dist/main.js', 'electron/dist/preload.cjs'];
const SYSTEM = ['/usr/bin', '/usr/local/bin', '/bin', '/usr/sbin'];
const LIBRARIES = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64'];

/** The folder with Electron in it: one that was named, or what its own package brought. */
export function electronDist(): string | undefined {
  const own = path.join(ROOT, 'node_modules/electron/dist');
  const named = process.env['VEDETTE_ELECTRON_DIST'] ?? process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  return [named, own].find((dir) => dir && existsSync(path.join(dir, 'electron')));
}

export function electronVersion(): string | undefined {
  const dist = electronDist();
  return dist && readFileSync(path.join(dist, 'version'), 'utf8').trim().replace(/^v/, '');
}

export function tool(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(':'), ...SYSTEM];
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

/** Why the window cannot be tried here, in words. */
export function missing(): string | undefined {
  if (process.platform !== 'linux') return 'these tests bring a display of Linux';
  if (!electronDist()) return 'no Electron runtime here';
  for (const name of ['Xvfb', 'dbus-daemon']) if (!tool(name)) return `${name} is not installed`;
  const isThere = (file: string) => LIBRARIES.some((dir) => existsSync(path.join(dir, file)));
  for (const file of ['libnotify.so.4', 'libgtk-3.so.0']) {
    if (!isThere(file)) return `${file} is not installed`;
  }
  const part = SHELL.find((file) => !existsSync(path.join(ROOT, file)));
  return part && `${part} has not been built`;
}
