import { access, chmod, constants, lstat, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { startProblems } from './start-errors.ts';

/**
 * Makes the directory where everything is kept, or says why it cannot be used. It is for this
 * account alone, since events may hold what concerns nobody else on this machine. Returns what
 * others may still read.
 */
export async function prepareDataDir(dir: string): Promise<string[]> {
  // The database takes what follows a question mark for something else than a name.
  if (dir.includes('?')) throw startProblems.dataDirUnwritable(dir, 'a name may not contain ?');
  // Not by a mode for each file: some are made by the database.
  if (process.platform !== 'win32') process.umask(0o077);
  try {
    await mkdir(dir, { recursive: true });
    await access(dir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw startProblems.dataDirUnwritable(dir, REASONS[code ?? ''] ?? message);
  }
  return process.platform === 'win32' ? [] : closeToOthers(dir);
}

/** What is Vedette's own: somebody may have named a directory that holds other things too. */
const OWN = /^((events\.duckdb|settings\.|secret\.).*|backup|journal|logs|set-aside|temp|window)$/;
const STICKY = 0o1000;

async function closeToOthers(dir: string): Promise<string[]> {
  const listed = (folder: string) => readdir(path.join(dir, folder)).catch(() => []);
  const own = (await listed('')).filter((name) => OWN.test(name));
  const inside = own
    // Chromium looks after its own folder, which has thousands of files.
    .filter((name) => name !== 'window')
    .map(async (name) => (await listed(name)).map((file) => path.join(name, file)));
  const names = [...own, ...(await Promise.all(inside)).flat()];
  const open = await Promise.all(['', ...names].map((name) => close(path.join(dir, name))));
  return open.filter((file) => file !== undefined);
}

/** Returns the file if that cannot be done. */
async function close(file: string): Promise<string | undefined> {
  try {
    const found = await lstat(file);
    const { mode } = found;
    // A directory like /tmp is everybody's.
    if (found.isSymbolicLink() || (mode & 0o077) === 0 || (mode & STICKY) !== 0) return undefined;
    await chmod(file, mode & (found.isDirectory() ? 0o700 : 0o600));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : file;
  }
}

const REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file',
};
