import { mkdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isStale } from '../../build/stale.ts';

const root = path.join(import.meta.dirname, '../..');
const output = path.join(root, 'build/dist/for-tests');
const folder = path.join(output, 'linux-unpacked');
const lock = path.join(root, 'build/dist/for-tests.lock');
const SOURCES = ['electron', 'server', 'ui/src', 'build', 'package-lock.json', 'package.json'];
/** Whoever held it that long was killed meanwhile. */
const FORGOTTEN_MS = 180_000;

/** The program as it would be installed, made anew when something is newer; by one test at a time. */
export async function unpackedProgram(electron: string): Promise<string> {
  const built = path.join(folder, 'resources/app.asar');
  const sources = SOURCES.map((name) => path.join(root, name));
  await inTurn(async () => {
    if (!isStale(built, sources)) return;
    const { dist } = await import('../../build/dist.ts');
    await dist({ isUnpacked: true, output, electron });
    await utimes(built, new Date(), new Date());
  });
  return folder;
}

async function inTurn(work: () => Promise<void>): Promise<void> {
  await mkdir(path.dirname(lock), { recursive: true });
  while (!(await taken())) await pause(200);
  try {
    await work();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

async function taken(): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch {
    const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > FORGOTTEN_MS) await rm(lock, { recursive: true, force: true });
    return false;
  }
}
