import { constants, existsSync, statSync } from 'node:fs';
import { copyFile, mkdir, open as openFile, rename, rm, stat, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Clock } from './clock.ts';
import { sqlOver } from './connection.ts';
import { asStartError, isDamage, isReadFault } from './database-faults.ts';
import { setAside, syncDirectory } from './files.ts';
import { createHealingMark } from './healing-mark.ts';
import { lineageIn } from './migrations.ts';
import type { Notices } from './notices.ts';
import type { Sql } from './sql.ts';
import { momentOf } from './text.ts';
import { companions, copyInto, readThrough, removeDatabase, takeTables } from './whole-database.ts';

export interface Healing<T> {
  file: string;
  /** What takes its place when it is damaged or gone, once there is one. */
  backup: string;
  /** Tables that the journal fills again behind the backup. */
  journaled: readonly string[];
  /** Throws for a backup that is of another installation. */
  mustBeOurs: (copy: Sql) => Promise<void>;
  /** The first work with the opened file; `isSuspect` asks for all of it to be read. */
  use: (instance: DuckDBInstance, isSuspect: boolean) => Promise<T>;
  clock: Clock;
  notices: Notices;
  log: { error(fields: object, message: string): void };
}

const ATTEMPTS = 4;
const PAUSE_MS = 500;

/**
 * Opens the file whatever state a crash or a failing disk left it in. Only what was read and found
 * broken is moved into `set-aside/`; then the last checkpoint is opened, or the backup. The journal
 * still holds every event since either.
 */
export async function openHealing<T>(healing: Healing<T>, isSuspect = false): Promise<T> {
  try {
    return await opened(healing, isSuspect);
  } catch (error) {
    throw asStartError(error, healing.file);
  }
}

async function opened<T>(healing: Healing<T>, isSuspect: boolean): Promise<T> {
  const { file, backup, clock, log } = healing;
  const mark = createHealingMark(file);
  const unsaid = await mark.resume();
  if (unsaid !== undefined) {
    healing.notices.push(
      `The database was damaged and was set aside as ${unsaid}. The backup was restored, and the events since then were added from the journal. Alerts and changes to alerts since then may be missing.`,
    );
    await mark.remove();
  }
  if (!existsSync(file)) {
    // A log is of no use without its file, and does harm beside another one.
    for (const name of companions(file).filter((one) => existsSync(one))) {
      await setAside(name, clock.now());
    }
    if (existsSync(backup)) return openBackup(healing, 'was missing');
  }
  try {
    return await open(healing, isSuspect);
  } catch (error) {
    if (!isDamage(error)) throw error;
    log.error({ err: error }, 'The database is damaged');
  }
  // The same name for both, so that the log is found beside its file.
  const now = clock.now();
  await mark.set(now);
  try {
    const withoutLog = await openWithoutLog(healing, now);
    if (withoutLog) return withoutLog.opened;
    const kept = await setAside(file, now);
    return await openBackup(healing, `was damaged and was set aside as ${kept}`, kept);
  } finally {
    // Where it failed, what was set aside is put back; where it did not, all is said.
    if (existsSync(file)) await mark.remove();
    else await mark.resume();
  }
}

/** Perhaps only DuckDB's own log is damaged; where that is not so, it stays with its file. */
async function openWithoutLog<T>(
  healing: Healing<T>,
  now: number,
): Promise<{ opened: T } | undefined> {
  const { file, notices, log } = healing;
  const logs = companions(file).filter((name) => existsSync(name));
  if (logs.length === 0) return undefined;
  const checkpoint = await changedAt(file);
  const aside: { from: string; to: string }[] = [];
  for (const from of logs) aside.push({ from, to: await setAside(from, now) });
  try {
    const opened = await open(healing, true);
    const names = aside.map(({ to }) => to).join(' and ');
    notices.push(
      `The database's write-ahead log was damaged and was set aside as ${names}. Events since the last checkpoint (${checkpoint}) were restored from the journal. Alerts and changes to alerts since then may be missing.`,
    );
    return { opened };
  } catch (error) {
    if (!isDamage(error)) {
      for (const { from, to } of aside) await rename(to, from);
      throw error;
    }
    log.error({ err: error }, 'The database is damaged even without its write-ahead log');
    return undefined;
  }
}

async function openBackup<T>(healing: Healing<T>, happened: string, damaged?: string): Promise<T> {
  const { file, backup, clock, notices, log } = healing;
  let instead =
    'There was no backup. A new database was made from the events that are still in the journal.';
  if (existsSync(backup)) {
    try {
      await patiently(() => checkFile(backup, healing.mustBeOurs));
      const madeAt = await changedAt(backup);
      const rest = await putInPlace(healing, damaged);
      instead = `The backup of ${madeAt}, was restored, and the events since then were added from the journal. ${rest}`;
    } catch (error) {
      if (!isDamage(error)) throw asStartError(error, backup);
      log.error({ err: error }, 'The backup is damaged');
      const kept = await setAside(backup, clock.now(), path.join(path.dirname(file), 'set-aside'));
      instead = `The backup was damaged too and was set aside as ${kept}. A new database was made from the events that are still in the journal.`;
    }
  }
  // A very first start that was cut off here has lost nothing.
  if (isInUse(file)) notices.push(`The database ${happened}. ${instead}`);
  return open(healing, false);
}

/** The settings are written behind the database. */
const isInUse = (file: string) =>
  ['settings.json', 'settings.last-good.json'].some((name) =>
    existsSync(path.join(path.dirname(file), name)),
  );

/** The backup stays, unless there is no room for both. Says what became of all but the events. */
async function putInPlace(
  { file, backup, journaled, log }: Healing<unknown>,
  damaged: string | undefined,
): Promise<string> {
  const fresh = `${file}.restored`;
  let rest = 'Alerts and changes to alerts since then are missing.';
  await removeDatabase(fresh);
  try {
    await copyFile(backup, fresh, constants.COPYFILE_FICLONE);
    if (damaged !== undefined) {
      try {
        await looked(fresh, 'READ_WRITE', (sql) => takeTables(sql, damaged, journaled));
        rest = 'Alerts and everything else were recovered from the damaged file.';
      } catch (error) {
        log.error({ err: error }, 'Nothing could be recovered from the damaged database');
        await removeDatabase(fresh);
        await copyFile(backup, fresh, constants.COPYFILE_FICLONE);
      }
    }
    await syncFile(fresh);
    await rename(fresh, file);
  } catch (error) {
    await removeDatabase(fresh);
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    await rename(backup, file);
  }
  await syncDirectory(path.dirname(file));
  return rest;
}

async function syncFile(file: string): Promise<void> {
  const handle = await openFile(file, 'r+');
  await handle.sync().finally(() => handle.close());
}

const changedAt = async (file: string) => momentOf((await stat(file)).mtimeMs);

async function open<T>({ file, use }: Healing<T>, isSuspect: boolean): Promise<T> {
  return patiently(async () => {
    const instance = await DuckDBInstance.create(file, {
      // Two queries at a time use all cores of a small machine; more threads only hold more memory.
      threads: String(Math.min(os.availableParallelism(), 4)),
      memory_limit: `${memoryLimitMiB()}MiB`,
      temp_directory: path.join(path.dirname(file), 'temp'),
      // Checkpoints are ours to order: journal segments are released by them.
      checkpoint_threshold: '1TB',
      // Freed memory goes back to the system instead of staying with the program.
      allocator_background_threads: 'true',
      allocator_flush_threshold: '16MB',
    });
    try {
      const connection = await instance.connect();
      await connection.run('PRAGMA disable_checkpoint_on_shutdown');
      connection.disconnectSync();
      return await use(instance, isSuspect);
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  });
}

/** A disk that does not answer may do so in a moment. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isReadFault(error) || attempt === ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

export const nothingMore = () => Promise.resolve();

/** Reads a file that nobody has open from its beginning to its end; throws where it is damaged. */
export const checkFile = <T>(file: string, look: (sql: Sql) => Promise<T>): Promise<T> =>
  looked(file, 'READ_ONLY', async (sql) => {
    await readThrough(sql);
    return look(sql);
  });

/** Nothing where the file does not say. */
export const lineageOf = (file: string): Promise<string | undefined> =>
  looked(file, 'READ_ONLY', lineageIn).catch(() => undefined);

async function looked<T>(
  file: string,
  mode: 'READ_ONLY' | 'READ_WRITE',
  look: (sql: Sql) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(file, {
    access_mode: mode,
    threads: '1',
    memory_limit: '256MiB',
  });
  try {
    return await look(sqlOver(await instance.connect()));
  } finally {
    instance.closeSync();
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

/** What an upgrade begins with. */
export async function backUpBefore(sql: Sql, backup: string): Promise<void> {
  await mkdir(path.dirname(backup), { recursive: true });
  await copyInto(sql, `${backup}.new`);
  await checkFile(`${backup}.new`, nothingMore);
  await rename(`${backup}.new`, backup);
  await syncDirectory(path.dirname(backup));
}

/** Windows does not let anybody delete or replace a file that is open. */
export function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

export const DATABASE_GONE =
  'The database file was deleted or replaced while Vedette was running. Vedette wrote it again from what it had open; nothing is lost.';
