import { access, chmod, constants, lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileFault } from './files.ts';
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
    await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw startProblems.dataDirUnwritable(dir, fileFault(error));
  }
  return process.platform === 'win32' ? [] : closeToOthers(dir);
}

/**
 * What permissions say is not all: only what was written and synced can be written. Else it would
 * listen and keep nothing. A full disk passes, so that collecting goes on once there is room.
 */
export async function tryToWrite(dir: string): Promise<void> {
  const file = path.join(dir, 'writable.tmp');
  try {
    await mkdir(dir, { recursive: true });
    const handle = await open(file, 'w', 0o600);
    try {
      await handle.write('x');
      await handle.sync();
    } finally {
      await handle.close();
      await rm(file, { force: true });
    }
  } catch (error) {
    const { code = '', syscall } = error as NodeJS.ErrnoException;
    const isFull = (code === 'ENOSPC' || code === 'EDQUOT') && syscall !== 'mkdir';
    if (!isFull) throw startProblems.folderUnwritable(dir, fileFault(error));
  }
}

/** What is Vedette's own: somebody may have named a directory that holds other things too. */
const OWN =
  /^((events\.duckdb|settings\.|secret\.|notices\.).*|backup|journal|logs|set-aside|temp|window)$/;
const STICKY = 0o1000;

async function closeToOthers(dir: string): Promise<string[]> {
  const listed = (folder: string, recursive = true) =>
    readdir(path.join(dir, folder), { recursive }).catch(() => []);
  const own = (await listed('', false)).filter((name) => OWN.test(name));
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
