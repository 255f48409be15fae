import path from 'node:path';
import { StartError, startProblems } from './start-errors.ts';

// DuckDB tells its faults apart by their words alone.
const text = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** A block that was read is not what was written. */
export const isCorruption = (error: unknown): boolean =>
  /Corrupt|computed checksum|Could not read enough bytes/.test(text(error));

/** The file that was just to be opened is not one, or not as it was written. */
export const isDamage = (error: unknown): boolean =>
  !isReadFault(error) &&
  (isCorruption(error) ||
    /checksum|not a valid DuckDB|[Ss]erializ|Failed to load|WAL|INTERNAL/.test(text(error)));

/** The disk, or what is between it and us, did not answer: nothing is known of what it holds. */
export const isReadFault = (error: unknown): boolean =>
  /Could not read from file|Input\/output error|Too many open files|Cannot allocate memory/.test(
    text(error),
  );

/** DuckDB takes nothing more until the file was closed and opened again. */
export const isFatal = (error: unknown): boolean =>
  /^(Error: )?FATAL|database has been invalidated|onnection (was |is |has been )?(disconnected|closed)/.test(
    String(error),
  );

export const isOutOfRoom = (error: unknown): boolean =>
  !isFatal(error) && /No space left on device|ENOSPC|disk is full/i.test(String(error));

/** Held, forbidden, from the future, no room: the file itself is sound and stays where it is. */
export function asStartError(error: unknown, file: string): StartError {
  if (error instanceof StartError) return error;
  const why = text(error);
  const dir = path.dirname(file);
  if (/Could not set lock|being used by another process/.test(why)) {
    return startProblems.dataDirHeld(dir, /PID (\d+)/.exec(why)?.[1]);
  }
  if (/Permission denied|Access is denied|Read-only file system/.test(why)) {
    return startProblems.dataDirUnwritable(dir, 'permission denied');
  }
  if (/No space left|ENOSPC/.test(why))
    return startProblems.dataDirUnwritable(dir, 'the disk is full');
  if (/newer (DuckDB )?version|version number/.test(why)) return startProblems.databaseNewer(file);
  if (isReadFault(error)) return startProblems.fileUnreadable(file, 'the disk reports an error');
  return startProblems.databaseUnusable(file, why);
}
