import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createFlusher } from '../../server/events/flush.ts';
import { createIdStems } from '../../server/events/ids.ts';
import { createIntake, sealed } from '../../server/events/intake.ts';
import { openJournalDir } from '../../server/events/journal-dir.ts';
import { openJournal } from '../../server/events/journal.ts';
import { createListStore } from '../../server/events/list-store.ts';
import type { Page } from '../../server/events/pages.ts';
import { createActivityStore } from '../../server/events/activity-store.ts';
import { createNameStore } from '../../server/events/names-store.ts';
import { createRemovalStore } from '../../server/events/removal-store.ts';
import { createRollups } from '../../server/events/rollups.ts';
import { createEventStore } from '../../server/events/store.ts';
import { createTailStore } from '../../server/events/tail-store.ts';
import { eventTables } from '../../server/events/tables.ts';
import { NAMES } from '../../server/platform/bounds.ts';
import type { Clock } from '../../server/platform/clock.ts';
import { openDatabase } from '../../server/platform/database.ts';
import { noFaults as faults } from '../../server/platform/faults.ts';
import { silentLog as log } from '../../server/platform/log.ts';
import { sharedDir, tempDir } from './temp-dir.ts';

async function open(dir: string, clock: Clock) {
  const most = new Map<string, number>();
  const notices: string[] = [];
  const database = await openDatabase({ dir, migrations: eventTables, clock, faults, log });
  const store = {
    ...createEventStore(database, (tenant) => most.get(tenant) ?? NAMES),
    ...createListStore(database),
    ...createTailStore(database),
  };
  const names = createNameStore(database);
  const say = { asideDir: path.join(dir, 'set-aside'), notices, log };
  const journalDir = path.join(dir, 'journal');
  const { list, kept, left } = await openJournalDir({ dir: journalDir, store, clock, say });
  const shared = { kept, clock, faults, log };
  const journal = openJournal({ ...shared, dir: journalDir, list, left: left.unstored });
  const flusher = createFlusher({ ...shared, journal, store, database, say, stored: left.stored });
  const intake = createIntake({ journal, stems: createIdStems(), clock });
  return {
    dir,
    database,
    journal,
    list,
    kept,
    store,
    flusher,
    notices,
    rollups: createRollups(database),
    activities: createActivityStore(database, names),
    removals: createRemovalStore(database),
    names,
    /** How many names a tenant may have, where it is not as many as usual. */
    most,
    intake: {
      ...intake,
      send: (events: unknown, tenant = 'tenant') =>
        intake.batch(tenant, sealed(JSON.stringify(events))),
    },
  };
}

/** The event store with its journal, without HTTP; closed when the test is over. */
export async function openStore(clock: Clock, dir = tempDir()) {
  const store = await open(dir, clock);
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await store.journal.close();
    await store.list.close();
    await store.database.close();
  };
  onTestFinished(close);
  return { ...store, close };
}

const sharedClock = { time: 0, now: () => sharedClock.time };
let shared: ReturnType<typeof open> | undefined;
let tenants = 0;

/**
 * The event store that the tests of a worker share, with a clock that they set, and the name of a
 * tenant that has nothing in it. A test has a store of its own for what counts for the whole of it.
 */
export async function sharedStore() {
  shared ??= open(sharedDir(), sharedClock);
  return { ...(await shared), clock: sharedClock, tenant: `tenant-${++tenants}` };
}

/** What a page says, whole however large. */
export async function textOf({ body }: Page): Promise<string> {
  if (typeof body === 'string') return body;
  const pieces: Buffer[] = [];
  for await (const piece of body.pieces) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
