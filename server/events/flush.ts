import { forEverybody } from '../platform/asker.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { problems } from '../platform/errors.ts';
import type { Faults } from '../platform/faults.ts';
import { createMutex } from '../platform/mutex.ts';
import type { Journal } from './journal.ts';
import { inPieces, salvage } from './salvage.ts';
import type { Segment } from './segment.ts';
import { isTooMuch, isUnreadable } from './store.ts';
import type { EventStore } from './store.ts';

export interface FlushOptions {
  journal: Journal;
  store: EventStore;
  database: Pick<Database, 'checkpoint' | 'opening'>;
  clock: Clock;
  faults: Faults;
  log: {
    info(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  notices: string[];
}

/** A checkpoint is due when this much lies only in the journal and the database's own log. */
const CHECKPOINT_BYTES = 64 << 20;
const CHECKPOINT_SEGMENTS = 500;
const CHECKPOINT_AGE = 5 * 60_000;

/** Moves what the journal holds into the database, and cuts the journal back after checkpoints. */
export function createFlusher(options: FlushOptions) {
  const { journal, store, database, clock, faults, log, notices } = options;
  let running: Promise<void> = Promise.resolve();
  let coming: Promise<void> | undefined;
  /** In the database, but not yet in a checkpoint. */
  let stored: Segment[] = [];
  let storedSince = 0;
  let failing = false;
  /** Past this, what is left stays in the journal for the next start. */
  let stopAt = Infinity;
  /** The opening of the database in which all of `stored` was stored. */
  let storedIn = 0;
  const checkpointing = createMutex();

  /** Everything acknowledged before this call is in the database when it resolves. */
  function flush(): Promise<void> {
    // A flush under way has sealed already; all who come meanwhile share the one after it.
    coming ??= forEverybody(() =>
      running
        .catch(() => undefined)
        .then(() => {
          coming = undefined;
          running = run();
          return running;
        }),
    );
    return coming;
  }

  async function run(): Promise<void> {
    try {
      for (const segment of await journal.seal()) {
        if (performance.now() > stopAt) return;
        await ingest(segment);
      }
      await storeAgain();
      failing = false;
    } catch (error) {
      if (!failing) {
        log.error({ err: error }, 'Events cannot be moved from the journal to the database');
      }
      failing = true;
      throw problems.cannotRead();
    }
    checkpointIfDue();
  }

  async function ingest(segment: Segment): Promise<void> {
    try {
      await ingestWhole(segment);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      const { bad, keptIn } = await salvage(segment, (trial) => store.readable(trial));
      if (bad === 0) throw error;
      const notice = `${bad} lines of the journal could not be read and were set aside in ${keptIn}.`;
      log.error({ err: error }, notice);
      notices.push(notice);
      await ingestWhole(segment);
    }
    faults('flush-committed');
    if (stored.length === 0) storedSince = clock.now();
    stored.push(segment);
    journal.flushed(segment);
  }

  async function ingestWhole(segment: Segment): Promise<void> {
    try {
      await store.ingest(segment);
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      await inPieces(segment, (files) => store.ingest(segment, files));
    }
  }

  /** What was opened again after a fault may have lost what was in no checkpoint, without a word. */
  async function storeAgain(): Promise<void> {
    for (;;) {
      const opening = await database.opening();
      if (opening === storedIn) return;
      for (const segment of stored) await ingestWhole(segment);
      storedIn = opening;
    }
  }

  function checkpointDue(): boolean {
    if (stored.length === 0) return false;
    const bytes = stored.reduce((sum, segment) => sum + segment.bytes, 0);
    return (
      bytes >= CHECKPOINT_BYTES ||
      stored.length >= CHECKPOINT_SEGMENTS ||
      clock.now() - storedSince >= CHECKPOINT_AGE
    );
  }

  const checkpoint = () => checkpointing(cutBack);

  function checkpointIfDue(): void {
    if (checkpointDue()) void checkpoint();
  }

  async function cutBack(): Promise<void> {
    if (stored.length === 0) return;
    const held = stored;
    const heldIn = storedIn;
    stored = [];
    try {
      const done = await database.checkpoint();
      const still = (await database.opening()) === heldIn;
      if (done && still) {
        await journal.remove(held);
        await store.forgetSegments(held.map(({ name }) => name));
        return;
      }
      if (!still) storedIn = -1;
    } catch (error) {
      log.error({ err: error }, 'A checkpoint failed; the journal is kept until the next one');
    }
    stored = [...held, ...stored];
    storedSince = clock.now();
  }

  return {
    flush,
    checkpoint,
    checkpointIfDue,
    /** Some of what was stored may be gone, since the database was opened again after a fault. */
    hasLost: async (): Promise<boolean> => (await database.opening()) !== storedIn,
    status: () => ({ failing }),
    /** Takes in what it can within the time that closing has. */
    async close(withinMs: number): Promise<void> {
      stopAt = performance.now() + withinMs;
      await flush();
      if (performance.now() < stopAt) await checkpoint();
    },
  };
}

export type Flusher = ReturnType<typeof createFlusher>;
