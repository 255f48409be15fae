import path from 'node:path';
import type { Metric } from '../platform/metric.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Faults } from '../platform/faults.ts';
import type { Logger } from '../platform/log.ts';
import type { Notices } from '../platform/notices.ts';
import { createActivityStore } from './activity-store.ts';
import { createAnswers } from './answers.ts';
import { createCountStore } from './count-store.ts';
import { createIdStems } from './ids.ts';
import { createIntake } from './intake.ts';
import { openLanes } from './lanes.ts';
import { createNameStore } from './names-store.ts';
import { createPayloadStore } from './payload-store.ts';
import { createRemovalStore } from './removal-store.ts';
import { createRollups } from './rollups.ts';
import { createListStore } from './list-store.ts';
import type { MostNames } from './rollups.ts';
import { createSampleStore } from './sample-store.ts';
import { createSearchStore } from './search-store.ts';
import { createEventStore } from './store.ts';
import { createStreams } from './stream.ts';
import { createTail } from './tail.ts';
import { createTailStore } from './tail-store.ts';
import { createUsualStore } from './usual-store.ts';
import type { JournalBounds } from './waiting.ts';

const FLUSH_EVENTS = 500;
const FLUSH_BYTES = 4 << 20;
const FLUSH_PACE_MS = 1_000;
const FLUSH_MS = 60_000;
const RETRY_MS = 5_000;
const CLOSE_WITHIN_MS = 1_500;
/** How long a write that failed speaks for the time after it, when nobody has tried again. */
const DEAF_MS = 15 * 60_000;

const NOT_MOVED =
  'What the journal holds could not be moved into the database yet; it is safe and is tried again every few seconds.';

export interface EventOptions {
  dataDir: string;
  database: Database;
  clock: Clock;
  faults: Faults;
  log: Logger;
  /** Where what was found and mended is said. */
  notices?: Notices;
  mostNames?: MostNames;
  journalBounds?: JournalBounds;
}

/** Everything between the doors for events and the database, started in order. */
export async function openEvents(options: EventOptions) {
  const { dataDir, database, clock, faults, log, mostNames, journalBounds } = options;
  const notices: Notices = options.notices ?? ([] as string[]);
  const store = createEventStore(database, mostNames);
  const lists = createListStore(database);
  const names = createNameStore(database);
  const say = { asideDir: path.join(dataDir, 'set-aside'), notices, log };
  const { journal, flusher, kept } = await openLanes({
    dir: path.join(dataDir, 'journal'),
    ...{ store, database, clock, faults, log, say, journalBounds },
    onGathered({ events, bytes }) {
      tail.arrived();
      if (events >= FLUSH_EVENTS || bytes >= FLUSH_BYTES) flushPaced();
    },
    onFull() {
      if (!flusher.status().failing) flushSoon();
    },
  });
  const tail = createTail({ store: createTailStore(database), flusher, log });
  const streams = createStreams(tail);

  // What an earlier run left in the journal goes first, so that ids go on rising behind it.
  // A full disk must not keep it from starting: collecting goes on as soon as there is room.
  await flusher.flush().catch(() => undefined);
  const intake = createIntake({ journal, stems: createIdStems(await store.newestTime()), clock });

  // A flush that fails says so itself, and is tried again soon.
  const flushSoon = () => void flusher.flush().catch(() => undefined);
  // Under load a moment's gathering makes one large flush of what would be many small ones.
  let coming: NodeJS.Timeout | undefined;
  const flushPaced = () => {
    coming ??= setTimeout(() => {
      coming = undefined;
      flushSoon();
    }, FLUSH_PACE_MS);
  };
  const timers = [
    setInterval(flushSoon, FLUSH_MS),
    setInterval(() => flusher.status().failing && flushSoon(), RETRY_MS),
  ];
  for (const timer of timers) timer.unref();

  return {
    intake,
    store,
    lists,
    searches: createSearchStore(database, lists),
    samples: createSampleStore(database),
    rollups: createRollups(database),
    activities: createActivityStore(database, names),
    removals: createRemovalStore(database),
    usualCounts: createUsualStore(database, names),
    flusher,
    kept,
    streams,

    get notices() {
      return flusher.status().failing ? [NOT_MOVED] : [];
    },

    answer: createAnswers({
      counts: createCountStore(database, names),
      payloads: createPayloadStore(database),
    }),

    /** Whether what is sent now can be kept. */
    listens: () => clock.now() - (journal.status().failedAt ?? -Infinity) > DEAF_MS,

    /** Events that were acknowledged since the start. */
    accepted: () => journal.status().acknowledged,

    checks: {
      journal: () => journal.status().failedAt === undefined || 'Events cannot be written to disk',
      database: () =>
        database.isBroken()
          ? 'The database cannot be opened at the moment'
          : !flusher.status().failing || 'Events cannot be moved into the database',
    },

    metrics: [
      {
        name: 'vedette_events_accepted_total',
        help: 'Events that were acknowledged since the start',
        type: 'counter',
        read: () => journal.status().acknowledged,
      },
      {
        name: 'vedette_requests_refused_total',
        help: 'Event requests of a known key that were refused, since the start',
        type: 'counter',
        read: () => intake.refusals(),
      },
      {
        name: 'vedette_journal_pending_events',
        help: 'Acknowledged events that are not in the database yet',
        type: 'gauge',
        read: () => journal.status().pendingEvents,
      },
      {
        name: 'vedette_journal_unflushed_bytes',
        help: 'Journal bytes that are not in the database yet',
        type: 'gauge',
        read: () => journal.status().unflushedBytes,
      },
      {
        name: 'vedette_live_streams',
        help: 'Open live streams',
        type: 'gauge',
        read: () => streams.count(),
      },
    ] satisfies Metric[],

    /** Everything acknowledged is in the database and its checkpoint, if there is room for it. */
    async close(): Promise<void> {
      const until = performance.now() + CLOSE_WITHIN_MS;
      for (const timer of timers) clearInterval(timer);
      clearTimeout(coming);
      tail.close();
      await journal.close();
      await flusher.close(until - performance.now()).catch((error: unknown) => {
        log.error({ err: error }, 'The last flush failed; the journal will be replayed');
      });
    },
  };
}

export type Events = Awaited<ReturnType<typeof openEvents>>;
