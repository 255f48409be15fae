import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProblems } from './start-errors.ts';

export type Wait = (ms: number) => Promise<unknown>;

const READINGS = 5;
const READ_AGAIN_MS = 500;

/**
 * Nothing where there is no such file. That a disk or a share cannot read it at this moment says
 * nothing about what is in it, so it is tried for two seconds more before the start is given up.
 */
export async function readAtStart(file: string, wait: Wait = sleep): Promise<Buffer | undefined> {
  for (let reading = 1; ; reading++) {
    try {
      return await readFile(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      if (reading === READINGS) throw startProblems.fileUnreadable(file, fileFault(error));
      await wait(READ_AGAIN_MS);
    }
  }
}

/** Why a file or folder cannot be used, in words. */
export function fileFault(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return FAULTS[code] ?? message;
}

const FAULTS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  EIO: 'the disk reports an error',
  ENOTDIR: 'part of its path is a file',
  EEXIST: 'it is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
};

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

/** Where a file is moved to that is set aside at this moment. */
export function asideName(
  file: string,
  now: number,
  dir = path.join(path.dirname(file), 'set-aside'),
): string {
  return path.join(
    dir,
    `${new Date(now).toISOString().replaceAll(':', '-')}-${path.basename(file)}`,
  );
}

/** Moves a file that cannot be used out of the way. Nothing is ever deleted for being broken. */
export async function setAside(
  file: string,
  now: number,
  dir = path.join(path.dirname(file), 'set-aside'),
): Promise<string> {
  await mkdir(dir, { recursive: true });
  const target = asideName(file, now, dir);
  await rename(file, target);
  await syncDirectory(dir);
  await syncDirectory(path.dirname(file));
  return target;
}
