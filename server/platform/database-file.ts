import { existsSync } from 'node:fs';
import { rename, rm, stat, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Clock } from './clock.ts';
import { StartError, startProblems } from './start-errors.ts';
import { setAside, syncDirectory } from './files.ts';

interface Healing<T> {
  /** The first work with the opened file, which finds more damage than the opening does. */
  use: (instance: DuckDBInstance) => Promise<T>;
  file: string;
  clock: Clock;
  notices: string[];
  log: { error(fields: object, message: string): void };
}

/** What DuckDB writes beside its file: not yet in it, and of no use without it. */
const companions = (file: string) =>
  ['.wal', '.wal.checkpoint', '.wal.recovery'].map((ending) => file + ending);

/**
 * Opens the file whatever state a crash left it in. What cannot be read is moved into `set-aside/`
 * and the last checkpoint is opened; the journal still holds everything since.
 */
export async function openHealing<T>({ file, use, clock, notices, log }: Healing<T>): Promise<T> {
  try {
    return await open(file, use);
  } catch (error) {
    refuseIfSound(error, file);
    log.error({ err: error }, 'The database cannot be opened as it is');
  }
  const walFiles = companions(file).filter((name) => existsSync(name));
  for (const name of walFiles) {
    const kept = await setAside(name, clock.now());
    notices.push(
      `The database log was damaged and was set aside as ${kept}; the last checkpoint was opened and the journal replayed.`,
    );
  }
  if (walFiles.length > 0) {
    try {
      return await open(file, use);
    } catch (error) {
      refuseIfSound(error, file);
      log.error({ err: error }, 'The database cannot be opened without its log either');
    }
  }
  const kept = await setAside(file, clock.now());
  notices.push(
    `The database was damaged and was set aside as ${kept}; a new one was begun and the journal replayed into it.`,
  );
  return open(file, use);
}

async function open<T>(file: string, use: Healing<T>['use']): Promise<T> {
  const instance = await DuckDBInstance.create(file, {
    // Two queries at a time use all cores of a small machine; more threads only hold more memory.
    threads: String(Math.min(os.availableParallelism(), 4)),
    memory_limit: `${memoryLimitMiB()}MiB`,
    temp_directory: path.join(path.dirname(file), 'temp'),
    // Checkpoints are ours to order: journal segments are deleted by them.
    checkpoint_threshold: '1TB',
    // Freed memory goes back to the system instead of staying with the program.
    allocator_background_threads: 'true',
    allocator_flush_threshold: '16MB',
  });
  try {
    const connection = await instance.connect();
    await connection.run('PRAGMA disable_checkpoint_on_shutdown');
    connection.disconnectSync();
    return await use(instance);
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

/** Held, forbidden, from the future, no room: the file itself is sound and must stay where it is. */
function refuseIfSound(error: unknown, file: string): void {
  if (error instanceof StartError) throw error;
  const text = error instanceof Error ? error.message : String(error);
  const dir = path.dirname(file);
  if (/Could not set lock|being used by another process/.test(text)) {
    throw startProblems.dataDirHeld(dir, /PID (\d+)/.exec(text)?.[1]);
  }
  if (/Permission denied|Access is denied|Read-only file system/.test(text)) {
    throw startProblems.dataDirUnwritable(dir, 'permission denied');
  }
  if (/No space left/.test(text)) throw startProblems.dataDirUnwritable(dir, 'the disk is full');
  if (/newer (DuckDB )?version|version number/.test(text)) throw startProblems.databaseNewer(file);
  if (
    !/[Cc]orrupt|checksum|not a valid DuckDB|Could not read|WAL|[Ss]erializ|INTERNAL|Failed to load/.test(
      text,
    )
  ) {
    throw startProblems.databaseUnusable(file, text);
  }
}

/** A checkpoint that runs out of disk invalidates the open database, so it is not begun. */
export async function hasRoom(file: string): Promise<boolean> {
  const wal = await stat(`${file}.wal`).then(
    ({ size }) => size,
    () => 0,
  );
  const { bavail, bsize } = await statfs(path.dirname(file));
  return bavail * bsize > wal + (4 << 20);
}

export async function removeDatabase(file: string): Promise<void> {
  for (const name of [file, ...companions(file)]) await rm(name, { force: true });
}

/** Both files are closed and checkpointed. */
export async function replaceDatabase(fresh: string, file: string): Promise<void> {
  for (const name of companions(file)) await rm(name, { force: true });
  await rename(fresh, file);
  await syncDirectory(path.dirname(file));
}

/** A quarter of what the machine has, within reason. */
export function memoryLimitMiB(): number {
  const quarter = os.totalmem() / 4 / (1 << 20);
  return Math.round(Math.min(Math.max(quarter, 512), 1024));
}
