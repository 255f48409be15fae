import { access, constants, mkdir, readFile, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { Kept } from '../events/kept.ts';
import { segmentsIn } from '../events/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { createMutex } from '../platform/mutex.ts';

export interface BackupOptions {
  database: Pick<Database, 'backUp' | 'readThrough' | 'size'>;
  kept: Pick<Kept, 'forget'>;
  dataDir: string;
  /** Where it goes; nothing means within the data directory. */
  dir: () => string | null;
  clock: Clock;
  log: {
    info(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  /** Of the disk, must stay free. */
  freeShare?: number;
}

export interface BackupStatus {
  dir: string;
  /** When the last one was made, which is still there. */
  at: number | undefined;
  bytes: number;
  isRunning: boolean;
  /** Why the last attempt made none. */
  problem: string | undefined;
}

const HOUR = 3_600_000;
const EVERY = 23 * HOUR;
const FREE_SHARE = 0.1;

/** Of a backup's folder, in which the database has the name that it has in the data directory. */
export const backupFile = (dataDir: string, dir: string | null): string =>
  path.join(dir ?? path.join(dataDir, 'backup'), 'events.duckdb');

/**
 * A verified copy of the database once a day, and of the settings. The journal is kept back to it, so
 * that with both nothing that was accepted is lost when the database is.
 */
export function createBackup(options: BackupOptions) {
  const { database, kept, dataDir, dir, clock, log, freeShare = FREE_SHARE } = options;
  const inTurn = createMutex();
  let problem: string | undefined;
  let isRunning = false;

  const file = () => backupFile(dataDir, dir());

  const last = () =>
    stat(file()).then(
      ({ mtimeMs, size }) => ({ at: mtimeMs, bytes: size }),
      () => ({ at: undefined, bytes: 0 }),
    );

  /** Says whether one was made. */
  async function make(): Promise<boolean> {
    const folder = path.dirname(file());
    problem = await whyNot(folder);
    if (problem !== undefined) {
      log.error({}, problem);
      // It would have shown whether all of the database can be read.
      await database.readThrough();
      return false;
    }
    const begun = performance.now();
    isRunning = true;
    try {
      const held = await database.backUp(segmentsIn);
      await copySettings(folder);
      await kept.forget(held);
      log.info({ ms: Math.round(performance.now() - begun) }, 'A backup was made');
      return true;
    } catch (error) {
      problem = `The last backup failed: ${(error as Error).message.replace(/\.$/, '')}.`;
      throw error;
    } finally {
      isRunning = false;
    }
  }

  async function whyNot(folder: string): Promise<string | undefined> {
    try {
      // The one of another disk is not made: where it is missing, so is the disk.
      if (dir() === null) await mkdir(folder, { recursive: true });
      await access(folder, constants.W_OK | constants.X_OK);
    } catch {
      return `No backup can be made: the folder ${folder} is missing or cannot be written.`;
    }
    const { bavail, blocks, bsize } = await statfs(folder);
    const { total, free } = await database.size();
    if (bavail * bsize - (total - free) >= blocks * bsize * freeShare) return undefined;
    return `No backup can be made: it would leave less than ${freeShare * 100}% of the disk of ${folder} free.`;
  }

  async function copySettings(folder: string): Promise<void> {
    const text = await readFile(path.join(dataDir, 'settings.json'));
    await writeFileAtomic(path.join(folder, 'settings.json'), text, { mode: 0o600 });
  }

  let asked: Promise<boolean> | undefined;
  /** Whoever asks while one is being made gets that one. */
  const run = (): Promise<boolean> =>
    (asked ??= inTurn(make).finally(() => {
      asked = undefined;
    }));

  return {
    run,

    /** At the start, so that a folder that was mistyped is told of at once. */
    async look(): Promise<void> {
      if (dir() !== null) problem = await whyNot(path.dirname(file()));
    },

    /** Asked every hour, so that a machine that sleeps at night is not left out. */
    runDaily: (): Promise<void> =>
      inTurn(async () => {
        const { at } = await last();
        // One from the future was made by a clock that was ahead.
        if (at === undefined || Math.abs(clock.now() - at) >= EVERY) await make();
      }),

    async status(): Promise<BackupStatus> {
      return { ...(await last()), dir: path.dirname(file()), isRunning, problem };
    },

    /** For whoever runs it; health is told to everybody, so it names no folder. */
    get notices() {
      return problem === undefined ? [] : [problem];
    },

    checks: {
      backup: () =>
        problem === undefined || 'The last backup could not be made: see Settings, Storage',
    },
  };
}

export type Backup = ReturnType<typeof createBackup>;
