import { HttpError } from './errors.ts';
import { fileFault } from './files.ts';
import { StartError, startProblems } from './start-errors.ts';

/** A fault of the disk in words, since nobody can do anything with a stack. What is ours stays as it is. */
export function inWords(error: unknown, dataDir: string): unknown {
  if (error instanceof StartError) return error;
  if (error instanceof HttpError) return startProblems.fileFailed(dataDir, error.message);
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  return startProblems.fileFailed(path ?? dataDir, fileFault(error));
}
