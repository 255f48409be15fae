import { existsSync, realpathSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDBInstance } from '@duckdb/node-api';
import { currentAsker } from './asker.ts';
import { openGeneration, whileWanted } from './connection.ts';
import type { Generation } from './connection.ts';
import { isCorruption, isFatal, isOutOfRoom, isReadFault } from './database-faults.ts';
import type { DatabaseOptions } from './database-options.ts';
import {
  backUpBefore,
  checkFile,
  DATABASE_GONE,
  hasRoom,
  inodeOf,
  lineageOf,
  memoryLimitMiB,
  nothingMore,
  openHealing,
  replaceDatabase,
} from './database-file.ts';
import { problems } from './errors.ts';
import { startProblems } from './start-errors.ts';
import { removeLeftovers, setAside, syncDirectory } from './files.ts';
import { installationIn, lineageIn, migrate } from './migrations.ts';
import { createHealingMark } from './healing-mark.ts';
import { createLogMark, logMissing } from './log-mark.ts';
import { createMutex } from './mutex.ts';
import type { Notices } from './notices.ts';
import { untilAborted } from './patience.ts';
import type { Sql } from './sql.ts';
import { copyInto, readThrough, sizeIn } from './whole-database.ts';

/** Of what the database keeps in memory. */
const AT_REST_MIB = 4;

// Each query occupies one of the threads that Node also writes files with. One for the evaluator,
// one for what takes long, one for everybody else.
const READERS = 3;

/** After the file could not be opened again. */
const OPEN_AGAIN_MS = 5_000;
/** Reading all of it takes long, so a fault that this does not find is not looked for all the time. */
const SUSPECT_AGAIN_MS = 10 * 60_000;

/** Files that this process has open: the lock of the operating system is between processes only. */
const opened = new Set<string>();

/**
 * The DuckDB file. Writes are one transaction at a time; reads run beside them on connections of
 * their own. Checkpoints happen only when asked for, since the journal is cut back by them.
 *
 * Nothing else in this process may open the file, not even to copy it: closing any handle of it
 * gives up the lock.
 */
export async function openDatabase(options: DatabaseOptions) {
  const { dir, clock, faults, log } = options;
  await mkdir(dir, { recursive: true });
  const file = path.join(realpathSync(dir), 'events.duckdb');
  const { backup = () => path.join(dir, 'backup', 'events.duckdb') } = options;
  if (opened.has(file)) throw startProblems.dataDirHeld(dir);
  opened.add(file);

  const notices: Notices = options.notices ?? ([] as string[]);
  const logMark = createLogMark(file);
  const writing = createMutex();
  /** DuckDB makes its log anew after each checkpoint, and syncs only what is in it. */
  let isLogNew = true;
  let inode: number | undefined;
  let generation = await open(false).catch((error: unknown) => {
    opened.delete(file);
    throw error;
  });
  // Only now is it sure that they are nobody else's.
  await removeLeftovers(path.dirname(file), /^events\.duckdb\.(compacting|restored)/);
  await removeLeftovers(path.join(path.dirname(file), 'temp'), /./);
  let broken = false;
  /** A block was not what was written; what is read next decides. */
  let isSuspect = false;
  let suspectAgainAt = -Infinity;
  let openAgainAt = -Infinity;
  let closed = false;
  let isBehind = false;
  let readFaultAt = -Infinity;
  let asked = 0;
  let openings = 0;
  /** Readers wait here while the file is closed for a moment. */
  let gate: Promise<unknown> | undefined;
  let alone: { interrupt: () => void; ended: Promise<unknown> } | undefined;

  async function open(isSuspect: boolean) {
    isLogNew = true;
    // After a repair that was cut off it may lie in `set-aside/`.
    const isMissed = logMark.isLogMissing() && !createHealingMark(file).isSet();
    if (isMissed) notices.push(logMissing(file));
    const { journaled = [] } = options;
    const healing = { file, backup: backup(), journaled, mustBeOurs, clock, notices, log };
    const healed = await openHealing({ ...healing, use: connected }, isSuspect);
    inode = inodeOf(file);
    // Said, or set aside with words of its own.
    if (logMark.isLogMissing()) await logMark.remove();
    return healed;
  }

  async function mustBeOurs(copy: Sql): Promise<void> {
    const other = (await installationIn(copy)) ?? options.installation;
    if (options.installation !== undefined && other !== options.installation) {
      throw startProblems.backupOfAnother(backup());
    }
  }

  async function connected(instance: DuckDBInstance, isSuspect: boolean) {
    const generation = await openGeneration(instance, READERS);
    if (isSuspect) await readThrough(generation.writer);
    await migrate(generation.writer, options.migrations, file, () => backUpFirst(generation));
    return { ...generation, lineage: await lineageIn(generation.writer) };
  }

  async function backUpFirst({ writer }: Generation): Promise<void> {
    await backUpBefore(writer, backup()).catch((error: unknown) => {
      notices.push(
        `No backup could be made before the database was upgraded: ${(error as Error).message}`,
      );
    });
  }

  /** On a connection of its own, so that nobody waits for it; given up when the file is closed. */
  async function workAlone(work: (sql: Sql) => Promise<void>): Promise<void> {
    if (broken) await writing(mend);
    await gate;
    if (closed) throw problems.closing();
    const sql = await generation.connect();
    const working = work(sql).finally(sql.disconnect);
    alone = { interrupt: sql.interrupt, ended: working.catch(() => undefined) };
    await working.catch(note).finally(() => (alone = undefined));
  }

  /** Closes the file with nobody left inside. */
  async function shut(): Promise<void> {
    const again = setInterval(() => alone?.interrupt(), 50);
    alone?.interrupt();
    await alone?.ended;
    clearInterval(again);
    await generation.readers.drain();
    generation.close();
  }

  /** Closes the file, lets `work` at it, and opens it again. */
  async function reopen(work?: () => Promise<void>): Promise<void> {
    const opening = Promise.withResolvers<undefined>();
    gate = opening.promise;
    try {
      await shut();
      broken = true;
      await work?.();
      generation = await open(isSuspect);
      if (isSuspect) suspectAgainAt = performance.now() + SUSPECT_AGAIN_MS;
      broken = isSuspect = false;
    } finally {
      gate = undefined;
      opening.resolve(undefined);
    }
  }

  async function mend(): Promise<void> {
    if (!broken) return;
    if (performance.now() < openAgainAt) throw problems.databaseFailed();
    openings++;
    // After some faults (a full disk during a checkpoint) DuckDB takes nothing more until reopened.
    log.warn({ isSuspect }, 'The database is opened again after a fault');
    isBehind = true;
    await reopen().catch((error: unknown) => {
      openAgainAt = performance.now() + OPEN_AGAIN_MS;
      log.error({ err: error }, 'The database cannot be opened again yet');
      throw problems.databaseFailed();
    });
  }

  /** What was opened anew may lack what the journal has: nobody reads before that is there again. */
  async function caughtUp(): Promise<void> {
    if (!isBehind || options.catchUp === undefined) return;
    const openedAs = openings;
    await options.catchUp();
    if (openings === openedAs) isBehind = false;
  }

  /** All that was written is in the file itself. */
  async function emptyLog(): Promise<void> {
    await logMark.remove();
    isLogNew = true;
    const done = generation.writer.run('CHECKPOINT');
    faults('checkpoint-running');
    await done;
    // Or a power cut could bring the log back, to be replayed over what it is in already.
    await syncDirectory(path.dirname(file));
  }

  async function rewrite(): Promise<void> {
    const fresh = `${file}.compacting`;
    // What only the log holds would go with it.
    await emptyLog().catch(note);
    await copyInto(generation.writer, fresh).catch(note);
    await checkFile(fresh, nothingMore);
    await reopen(() => replaceDatabase(fresh, file));
  }

  async function noteLog(): Promise<void> {
    isLogNew = false;
    await logMark.set().catch((error: unknown) => {
      isLogNew = true;
      log.error({ err: error }, 'The data directory cannot be synced');
    });
  }

  function noteOfRead(error: unknown, signal: AbortSignal | undefined): never {
    if (String(error).includes('INTERRUPT Error')) signal?.throwIfAborted();
    if (String(error).includes('Out of Memory Error')) throw problems.answerTooLarge();
    return note(error);
  }

  function note(error: unknown): never {
    if (isOutOfRoom(error)) {
      log.error({ err: error }, 'The database cannot be written');
      throw problems.cannotWrite();
    }
    if (isFatal(error)) broken = true;
    else if (isCorruption(error)) {
      if (performance.now() >= suspectAgainAt) broken = isSuspect = true;
    } else if (isReadFault(error)) readFaultAt = clock.now();
    else throw error;
    log.error({ err: error }, 'The database has failed');
    throw problems.databaseFailed();
  }

  return {
    file,

    /** One transaction: all of it or nothing. */
    write: <T>(work: (sql: Sql) => Promise<T>): Promise<T> =>
      writing(async () => {
        if (closed) throw problems.closing();
        await mend();
        const sql = generation.writer;
        await sql.run('BEGIN TRANSACTION').catch(note);
        try {
          const result = await work(sql);
          await sql.run('COMMIT');
          if (isLogNew) await noteLog();
          return result;
        } catch (error) {
          // A failed commit has already undone itself, and then there is nothing to roll back.
          await sql.run('ROLLBACK').catch(() => undefined);
          return note(error);
        }
      }),

    /**
     * Whoever asks takes turns with the others, and what they wait for no longer is ended. `heavy`
     * is what may take long: of that others ask, a reader is always left for the rest.
     */
    async read<T>(work: (sql: Sql) => Promise<T>, weight?: 'heavy' | 'catching up'): Promise<T> {
      const { owner, signal } = currentAsker() ?? {};
      if (owner !== undefined) asked++;
      const once = async () => {
        const isBad = broken || (isBehind && weight !== 'catching up');
        const ready = isBad
          ? writing(mend)
              .then(() => gate)
              .then(caughtUp)
          : gate;
        await (signal && ready ? untilAborted(signal)(ready) : ready);
        if (closed) throw problems.closing();
        return generation.readers.use(
          (sql) =>
            work(signal ? whileWanted(sql, signal) : sql).catch((error: unknown) =>
              noteOfRead(error, signal),
            ),
          { owner, signal, isHeavy: weight === 'heavy' && owner !== undefined },
        );
      };
      return once().catch((error: unknown) => {
        // What it has just found broken is mended first, and then it may be answered.
        if (broken && !closed) return once();
        throw error;
      });
    },

    /** Grows when the file was opened again after a fault: what no checkpoint held may be gone. */
    async opening(): Promise<number> {
      if (broken) await writing(mend);
      return openings;
    },

    /** True when everything written is in the file itself; false when now is not the time. */
    checkpoint: (): Promise<boolean> =>
      writing(async () => {
        if (closed) return false;
        await mend();
        if (!(await hasRoom(file))) return false;
        try {
          if (inodeOf(file) !== inode) {
            // What somebody has put there is theirs.
            if (existsSync(file)) await setAside(file, clock.now());
            await rewrite();
            notices.push(DATABASE_GONE);
            return true;
          }
          await emptyLog();
          faults('checkpoint-done');
          return true;
        } catch (error) {
          if (isFatal(error)) broken = true;
          else if (isCorruption(error)) broken = isSuspect = true;
          // A reader that is still looking at older rows; the next checkpoint will do.
          else if (!/Cannot CHECKPOINT/.test(String(error))) throw error;
          return false;
        }
      }),

    /** Bytes of the file, and how many of them hold nothing. */
    size: () => generation.readers.use(sizeIn),

    /** Rewrites the file without its holes, which a checkpoint leaves for later rows to fill. */
    compact: (): Promise<void> =>
      writing(async () => {
        await mend();
        await rewrite();
      }),

    /**
     * Puts a copy of all that is in it, read from beginning to end, in the place of the last one;
     * says what `look` has seen in that copy. So it reads the database itself through, too.
     */
    async backUp<T>(look: (copy: Sql) => Promise<T>): Promise<T> {
      const target = backup();
      const fresh = `${target}.new`;
      let begunIn = openings;
      await workAlone((sql) => {
        begunIn = openings;
        return copyInto(sql, fresh);
      });
      const seen = await checkFile(fresh, look);
      await writing(async () => {
        // What was opened since may be older than this copy and count on the one before.
        if (broken || openings !== begunIn) throw problems.databaseFailed();
        // One that is not of this database may hold what this one has lost.
        if (existsSync(target) && (await lineageOf(target)) !== generation.lineage) {
          await setAside(target, clock.now());
        }
        await rename(fresh, target);
        await syncDirectory(path.dirname(target));
      });
      return seen;
    },

    /** For where there is no room for a backup. */
    readThrough: (): Promise<void> => workAlone(readThrough),

    /** It cannot be opened, or could not be read in the last minute. */
    isBroken: () => broken || clock.now() - readFaultAt < 60_000,

    /** How often somebody outside has read so far. */
    asked: () => asked,

    /** Lets go of the memory that only makes the next reads quicker. */
    giveBack: (): Promise<void> =>
      writing(async () => {
        if (closed || broken) return;
        const opening = Promise.withResolvers<undefined>();
        gate = opening.promise;
        try {
          await generation.readers.drain();
          // Whatever is above a limit goes when the limit is set; that it cannot all go is no fault.
          await generation.writer
            .run(`SET memory_limit = '${AT_REST_MIB}MiB'`)
            .catch(() => undefined);
          await generation.writer.run(`SET memory_limit = '${memoryLimitMiB()}MiB'`);
        } finally {
          gate = undefined;
          opening.resolve(undefined);
        }
      }),

    async close(): Promise<void> {
      await writing(async () => {
        if (closed) return;
        closed = true;
        await shut();
        opened.delete(file);
      });
    },
  };
}

export type Database = Awaited<ReturnType<typeof openDatabase>>;
