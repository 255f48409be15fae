import { access, constants, mkdir } from 'node:fs/promises';
import { startProblems } from './errors.ts';

/** Makes the directory where everything is kept, or says why it cannot be used. */
export async function prepareDataDir(dir: string): Promise<void> {
  // The database takes what follows a question mark for something else than a name.
  if (dir.includes('?')) throw startProblems.dataDirUnwritable(dir, 'a name may not contain ?');
  try {
    // Events may hold what concerns nobody else on this machine.
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await access(dir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw startProblems.dataDirUnwritable(dir, REASONS[code ?? ''] ?? message);
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
