import { forEverybody } from '../platform/asker.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { problems } from '../platform/errors.ts';
import type { Faults } from '../platform/faults.ts';
import { createMutex } from '../platform/mutex.ts';
import type { Journal } from './journal.ts';
import type { Kept } from './kept.ts';
import { linesSetAside, repaired, segmentCutShort, segmentMissing } from './left.ts';
import type { Say } from './left.ts';
import { inPieces, salvage } from './salvage.ts';
import { measure, sizeOnDisk } from './segment.ts';
import type { Segment } from './segment.ts';
import { isTooMuch, isUnreadable } from './store.ts';
import type { EventStore } from './store.ts';

export interface FlushOptions {
  journal: Journal;
  store: EventStore;
  database: Pick<Database, 'checkpoint' | 'opening'>;
  clock: Clock;
  faults: Faults;
  kept: Pick<Kept, 'replay'>;
  /** What an earlier run left that is in the database, but perhaps in no checkpoint. */
  stored?: readonly Segment[];
  say: Say;
  log: { error(fields: object, message: string): void };
}

/** A checkpoint is due when this much lies only in the journal and the database's own log. */
const CHECKPOINT_BYTES = 64 << 20;
const CHECKPOINT_SEGMENTS = 500;
const CHECKPOINT_AGE = 5 * 60_000;

/** Moves what the journal holds into the database, and cuts the journal back after checkpoints. */
export function createFlusher(options: FlushOptions) {
  const { journal, store, database, kept, clock, faults, log, say } = options;
  let running: Promise<void> = Promise.resolve();
  let coming: Promise<void> | undefined;
  /** In the database, but not yet in a checkpoint. */
  let stored: Segment[] = [...(options.stored ?? [])];
  // However often it is killed in its first minutes, what is left does not grow.
  let storedSince = stored.length > 0 ? -Infinity : 0;
  let failing = false;
  /** Past this, what is left stays in the journal for the next start. */
  let stopAt = Infinity;
  /** The opening of the database that holds all of `stored`. */
  let storedIn = 0;
  let isReplayed = false;
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
      await storeAgain();
      for (const segment of await journal.seal()) {
        if (performance.now() > stopAt) return;
        await take(segment);
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

  /** What somebody deleted or damaged meanwhile must not hold up everything behind it. */
  async function ingest(segment: Segment): Promise<void> {
    try {
      const isNew = (await ingestWhole(segment)) === 'stored';
      // Cut between two lines, it is stored like any other.
      if (isNew && ((await sizeOnDisk(segment)) ?? Infinity) < segment.bytes) {
        tell(segmentCutShort(segment.name));
      }
    } catch (error) {
      const size = await sizeOnDisk(segment);
      if (size === segment.bytes && !isUnreadable(error)) throw error;
      if (size === undefined) {
        tell(segmentMissing(segment.name), error);
        Object.assign(segment, { bytes: 0, events: 0, refusals: 0 });
      } else {
        await repaired(segment, say, segment.bytes);
      }
      // Also where nothing is left of it: a name that the database knows is not missed again.
      await ingestReadable(segment);
    }
  }

  function tell(notice: string, error?: unknown): void {
    log.error({ err: error }, notice);
    say.notices.push(notice);
  }

  /** Without the lines that the database cannot read, although they are as they were written. */
  async function ingestReadable(segment: Segment): Promise<void> {
    try {
      await ingestWhole(segment);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      const { bad, keptIn } = await salvage(segment, say.asideDir, (trial) =>
        store.readable(trial),
      );
      if (bad === 0) throw error;
      tell(linesSetAside(bad, keptIn), error);
      await ingestWhole(segment);
    }
  }

  async function take(segment: Segment): Promise<void> {
    await ingest(segment);
    faults('flush-committed');
    if (stored.length === 0) storedSince = clock.now();
    stored.push(segment);
    journal.flushed(segment);
  }

  async function ingestWhole(segment: Segment): Promise<'stored' | 'known'> {
    try {
      return await store.ingest(segment);
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      return inPieces(segment, (files) => store.ingest(segment, files));
    }
  }

  /** What was opened anew may be a backup, or may have lost what was in no checkpoint. */
  async function storeAgain(): Promise<void> {
    while (!isReplayed || (await database.opening()) !== storedIn) {
      // Not while segments move to those that are kept.
      await checkpointing(async () => {
        const opening = await database.opening();
        await kept.replay(ingest);
        isReplayed = true;
        if (opening === storedIn) return;
        for (const segment of stored) {
          if (segment.bytes === 0 && (await sizeOnDisk(segment))) await measure(segment);
          await ingest(segment);
        }
        storedIn = opening;
      });
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
        await journal.release(held);
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
