import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** Makes a created, renamed or deleted name survive a power cut. Windows does this by itself. */
export async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A kill in the middle of a write leaves a half-written neighbour that nobody reads again. */
export async function removeLeftovers(dir: string, pattern: RegExp): Promise<void> {
  const leftovers = (await readdir(dir).catch(() => [])).filter((name) => pattern.test(name));
  await Promise.all(
    leftovers.map((name) =>
      rm(path.join(dir, name), { recursive: true, force: true }).catch(() => undefined),
    ),
  );
}

/** Moves a file that cannot be used out of the way. Nothing is ever deleted for being broken. */
export async function setAside(
  file: string,
  now: number,
  dir = path.join(path.dirname(file), 'set-aside'),
): Promise<string> {
  await mkdir(dir, { recursive: true });
  const stamp = new Date(now).toISOString().replaceAll(':', '-');
  const target = path.join(dir, `${stamp}-${path.basename(file)}`);
  await rename(file, target);
  await syncDirectory(dir);
  await syncDirectory(path.dirname(file));
  return target;
}
