import { realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import { currentAsker, endIfNobodyWaits } from './asker.ts';
import type { Clock } from './clock.ts';
import {
  hasRoom,
  memoryLimitMiB,
  openHealing,
  removeDatabase,
  replaceDatabase,
} from './database-file.ts';
import { problems } from './errors.ts';
import { startProblems } from './start-errors.ts';
import type { Faults } from './faults.ts';
import { migrate } from './migrations.ts';
import type { Migration } from './migrations.ts';
import { createMutex } from './mutex.ts';
import { createPool } from './pool.ts';
import type { Sql } from './sql.ts';

export interface DatabaseOptions {
  dir: string;
  migrations: readonly Migration[];
  clock: Clock;
  faults: Faults;
  log: {
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
}

/** Of what the database keeps in memory. */
const AT_REST_MIB = 4;

// Each query occupies one of the threads that Node also writes files with. One for the evaluator,
// one for what takes long, one for everybody else.
const READERS = 3;

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
  if (opened.has(file)) throw startProblems.dataDirHeld(dir);
  opened.add(file);

  const notices: string[] = [];
  const writing = createMutex();
  let generation = await open().catch((error: unknown) => {
    opened.delete(file);
    throw error;
  });
  let broken = false;
  let closed = false;
  let asked = 0;
  let openings = 0;
  /** Readers wait here while the file is closed for a moment. */
  let gate: Promise<unknown> = Promise.resolve();

  async function open() {
    return openHealing({ file, clock, notices, log, use: connected });
  }

  async function connected(instance: DuckDBInstance) {
    const connect = async () => sqlOver(await instance.connect());
    const connections = await Promise.all(Array.from({ length: READERS + 1 }, connect));
    const [writer, ...readers] = connections as [Connected, ...Connected[]];
    await migrate(writer, options.migrations, file);
    let open = true;
    return {
      writer,
      readers: createPool(readers),
      close() {
        if (!open) return;
        open = false;
        for (const { disconnect } of connections) disconnect();
        instance.closeSync();
      },
    };
  }

  /** Closes the file with no reader left inside, lets `work` at it, and opens it again. */
  async function reopen(work?: () => Promise<void>): Promise<void> {
    const opening = Promise.withResolvers<undefined>();
    gate = opening.promise;
    try {
      await generation.readers.drain();
      generation.close();
      await work?.();
      generation = await open();
      broken = false;
    } finally {
      opening.resolve(undefined);
    }
  }

  async function mend(): Promise<void> {
    if (!broken) return;
    openings++;
    // After some faults (a full disk during a checkpoint) DuckDB takes nothing more until reopened.
    log.warn({}, 'The database is opened again after a fault');
    await reopen().catch((error: unknown) => {
      log.error({ err: error }, 'The database cannot be opened again yet');
      throw problems.cannotRead();
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
    if (!isFatal(error)) throw error;
    broken = true;
    log.error({ err: error }, 'The database has failed and will be opened again');
    throw problems.cannotRead();
  }

  return {
    file,
    notices,

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
    async read<T>(work: (sql: Sql) => Promise<T>, weight?: 'heavy'): Promise<T> {
      const { owner, signal } = currentAsker() ?? {};
      if (broken) await writing(mend);
      await gate;
      if (closed) throw problems.closing();
      if (owner !== undefined) asked++;
      return generation.readers.use(
        (sql) =>
          work(signal ? whileWanted(sql, signal) : sql).catch((error: unknown) =>
            noteOfRead(error, signal),
          ),
        { owner, signal, isHeavy: weight === 'heavy' && owner !== undefined },
      );
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
          const done = generation.writer.run('CHECKPOINT');
          faults('checkpoint-running');
          await done;
          faults('checkpoint-done');
          return true;
        } catch (error) {
          if (isFatal(error)) broken = true;
          // A reader that is still looking at older rows; the next checkpoint will do.
          else if (!/Cannot CHECKPOINT/.test(String(error))) throw error;
          return false;
        }
      }),

    /** Bytes of the file, and how many of them hold nothing. */
    size: () =>
      generation.readers.use(async (sql) => {
        const [row] = await sql.rows<{ total: number; free: number }>(
          `SELECT (total_blocks * block_size)::DOUBLE AS total, (free_blocks * block_size)::DOUBLE AS free
           FROM pragma_database_size() LIMIT 1`,
        );
        return row ?? { total: 0, free: 0 };
      }),

    /** Rewrites the file without its holes, which a checkpoint leaves for later rows to fill. */
    compact: (): Promise<void> =>
      writing(async () => {
        const fresh = `${file}.compacting`;
        await removeDatabase(fresh);
        const sql = generation.writer;
        await sql.run('CHECKPOINT');
        await sql.run(`ATTACH '${fresh.replaceAll("'", "''")}' AS compacted`);
        const [current] = await sql.rows<{ name: string }>('SELECT current_database() AS name');
        try {
          await sql.run(`COPY FROM DATABASE "${String(current?.name)}" TO compacted`);
          await sql.run('CHECKPOINT compacted');
        } finally {
          await sql.run('DETACH compacted');
        }
        await reopen(() => replaceDatabase(fresh, file));
      }),

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
          opening.resolve(undefined);
        }
      }),

    async close(): Promise<void> {
      await writing(async () => {
        if (closed) return;
        closed = true;
        await generation.readers.drain();
        generation.close();
        opened.delete(file);
      });
    },
  };
}

export type Database = Awaited<ReturnType<typeof openDatabase>>;

interface Connected extends Sql {
  interrupt: () => void;
  disconnect: () => void;
}

/** Ends the statement that is running once nobody waits for it, and begins none after that. */
function whileWanted(sql: Connected, signal: AbortSignal): Sql {
  async function guarded<T>(run: () => Promise<T>): Promise<T> {
    endIfNobodyWaits(signal);
    let again: NodeJS.Timeout | undefined;
    const stop = () => {
      sql.interrupt();
      // A statement that has not quite begun forgets it.
      again = setInterval(sql.interrupt, 50);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await run();
    } finally {
      signal.removeEventListener('abort', stop);
      clearInterval(again);
    }
  }
  return {
    run: (...statement) => guarded(() => sql.run(...statement)),
    rows: <T>(...statement: Parameters<Sql['rows']>) => guarded(() => sql.rows<T>(...statement)),
  };
}

function sqlOver(connection: DuckDBConnection): Connected {
  return {
    run: async (statement, ...values) => {
      await connection.run(statement, values);
    },
    rows: async <T>(statement: string, ...values: DuckDBValue[]) =>
      (await connection.runAndReadAll(statement, values)).getRowObjectsJS() as T[],
    interrupt: () => {
      connection.interrupt();
    },
    disconnect: () => {
      connection.disconnectSync();
    },
  };
}

function isOutOfRoom(error: unknown): boolean {
  return !isFatal(error) && /No space left on device|ENOSPC|disk is full/i.test(String(error));
}

function isFatal(error: unknown): boolean {
  return /^(Error: )?FATAL|database has been invalidated/.test(String(error));
}
