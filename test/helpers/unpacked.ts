import { closeSync, openSync, readSync } from 'node:fs';
import { mkdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isStale } from '../../build/stale.ts';

const root = path.join(import.meta.dirname, '../..');
const output = path.join(root, 'build/dist/for-tests');
// As the installers' tool names it.
const folder = path.join(
  output,
  `linux-${process.arch === 'x64' ? '' : `${process.arch}-`}unpacked`,
);
const lock = path.join(root, 'build/dist/for-tests.lock');
const SOURCES = ['electron', 'server', 'ui/src', 'build', 'package-lock.json', 'package.json'];
const TOUCH_EVERY_MS = 2_000;
/** Whoever has not touched it for that long was killed meanwhile. */
const FORGOTTEN_MS = 20_000;

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
  const touching = setInterval(() => {
    void utimes(lock, new Date(), new Date()).catch(() => undefined);
  }, TOUCH_EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(touching);
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

interface Entry {
  files?: Record<string, Entry>;
}

/** Every file and folder in an asar archive: its head is JSON, after four numbers of its lengths. */
export function packedFiles(archive: string): string[] {
  const file = openSync(archive, 'r');
  try {
    const numbers = Buffer.alloc(16);
    readSync(file, numbers, 0, 16, 0);
    const text = Buffer.alloc(numbers.readUInt32LE(12));
    readSync(file, text, 0, text.length, 16);
    return namesIn(JSON.parse(text.toString()) as Entry);
  } finally {
    closeSync(file);
  }
}

function namesIn({ files = {} }: Entry, place = ''): string[] {
  return Object.entries(files).flatMap(([name, entry]) => [
    `${place}/${name}`,
    ...namesIn(entry, `${place}/${name}`),
  ]);
}

if (import.meta.main) await unpackedProgram(process.argv[2] ?? '');
