import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createIdStems } from '../../server/events/ids.ts';
import { createIntake, sealed } from '../../server/events/intake.ts';
import { openLanes } from '../../server/events/lanes.ts';
import { createListStore } from '../../server/events/list-store.ts';
import { createEventStore } from '../../server/events/store.ts';
import type { EventStore } from '../../server/events/store.ts';
import type { JournalBounds } from '../../server/events/waiting.ts';
import { eventTables } from '../../server/events/tables.ts';
import { asking } from '../../server/platform/asker.ts';
import { systemClock as clock } from '../../server/platform/clock.ts';
import { openDatabase } from '../../server/platform/database.ts';
import { noFaults } from '../../server/platform/faults.ts';
import type { Faults } from '../../server/platform/faults.ts';
import { silentLog as log } from '../../server/platform/log.ts';
import { textOf } from '../helpers/event-store.ts';
import { tempDir } from '../helpers/temp-dir.ts';

/** The way of events into the database, which can be held up before each segment of it. */
async function open(dir = tempDir(), faults: Faults = noFaults, journalBounds: JournalBounds = {}) {
  const database = await openDatabase({ dir, migrations: eventTables, clock, faults, log });
  const store = createEventStore(database);
  let gate: Promise<unknown> = Promise.resolve();
  const ingest: EventStore['ingest'] = async (...segment) => {
    if (segment[0].bytes > 1 << 20) await gate;
    return store.ingest(...segment);
  };
  const lanes = await openLanes({
    ...{ dir: path.join(dir, 'journal'), store: { ...store, ingest } },
    ...{ database, clock, faults, log, journalBounds },
    say: { asideDir: path.join(dir, 'set-aside'), notices: [], log },
  });
  const intake = createIntake({ journal: lanes.journal, stems: createIdStems(), clock });
  const lists = createListStore(database);
  const close = async () => {
    await lanes.journal.close();
    await database.close();
  };
  return {
    ...{ dir, close, ...lanes },
    holdUp: (until: Promise<unknown>) => {
      gate = until;
    },
    send: (tenant: string, count = 1, bytes = 10) => {
      const event = { source: 'a', event_type: 'b', data: { a: 'x'.repeat(bytes) } };
      return intake.batch(tenant, sealed(JSON.stringify(Array(count).fill(event))));
    },
    listed: async (tenant: string) =>
      (JSON.parse(await textOf(await lists.list(tenant, { skip: 0, limit: 1000 }))) as []).length,
  };
}

const LARGE = 1 << 20;

it('who asks waits for a flush no longer than for the answer, and the flush goes on', async () => {
  const { send, flusher, listed, holdUp, close } = await open();
  onTestFinished(close);
  const held = Promise.withResolvers<undefined>();
  holdUp(held.promise);
  await send('heavy', 2, LARGE);
  const leaving = new AbortController();
  const asked = asking({ owner: 'one', signal: leaving.signal }, () => flusher.flush('heavy'));
  leaving.abort(new Error('Gone'));
  await expect(asked).rejects.toThrow('Gone');
  held.resolve(undefined);
  await flusher.flush();
  expect(await listed('heavy')).toBe(2);
});

describe('the way into the database', () => {
  it('lets who has sent little read it while much of another is on its way', async () => {
    const { send, flusher, listed, holdUp, close } = await open();
    onTestFinished(close);
    const held = Promise.withResolvers<undefined>();
    holdUp(held.promise);
    await send('heavy', 5, LARGE);
    await send('light', 3);
    const all = flusher.flush();

    await flusher.flush('light');
    expect([await listed('light'), await listed('heavy')]).toEqual([3, 0]);

    held.resolve(undefined);
    await all;
    expect(await listed('heavy')).toBe(5);
  });

  it('shows everybody all of their own, by whichever way it came', async () => {
    const { send, flusher, listed, close } = await open();
    onTestFinished(close);
    await send('a', 1);
    await send('a', 6, LARGE);
    await send('a', 1);
    await send('b', 1);
    await flusher.flush('a');
    expect(await listed('a')).toBe(8);
    await flusher.flush();
    expect([await listed('b'), await listed('a')]).toEqual([1, 8]);
  });

  it('asks for no flush of who has nothing on the way', async () => {
    const { send, flusher, holdUp, close, listed } = await open();
    onTestFinished(close);
    await send('a', 2);
    await flusher.flush();
    holdUp(new Promise(() => undefined));
    await send('heavy', 5, LARGE);
    void flusher.flush('heavy');
    await flusher.flush('a');
    expect(await listed('a')).toBe(2);
  });

  it('lets nobody wait for room that a flush which fails will not make', async () => {
    let isFailing = true;
    const fail = (point: string) => {
      if (isFailing && point === 'flush-committed') throw new Error('The disk is gone');
    };
    const { send, flusher, close } = await open(tempDir(), fail, { softBytes: 2000 });
    onTestFinished(close);
    await send('a', 1, 600);
    const waiting = send('a', 1, 600);
    await expect(flusher.flush()).rejects.toMatchObject({ status: 503 });
    await expect(waiting).rejects.toMatchObject({ status: 503 });
    await expect(send('a', 1, 600)).rejects.toMatchObject({ status: 503 });
    await send('b');
    isFailing = false;
    await flusher.flush();
    await send('a', 1, 600);
  });

  it('is open again for all as soon as one lane can be written', async () => {
    let isFull = false;
    const { send, journal, close } = await open(tempDir(), (point) => {
      if (isFull && point === 'journal-written') throw new Error('No space left on device');
    });
    onTestFinished(close);
    isFull = true;
    await expect(send('heavy', 5, LARGE)).rejects.toMatchObject({ status: 503 });
    await expect(send('light')).rejects.toMatchObject({ status: 503 });
    expect(journal.status().failedAt).toBeDefined();
    isFull = false;
    await send('light');
    expect(journal.status().failedAt).toBeUndefined();
  });

  it('is taken up again at the next start, each event once', async () => {
    const first = await open();
    await first.send('a', 2);
    await first.send('a', 5, LARGE);
    await first.flusher.flush();
    await first.send('a', 1);
    await first.send('heavy', 5, LARGE);
    await first.close();

    const second = await open(first.dir);
    onTestFinished(second.close);
    await second.flusher.flush('a');
    expect(await second.listed('a')).toBe(8);
    await second.flusher.flush();
    expect(await second.listed('heavy')).toBe(5);
    expect(second.journal.status().unflushedBytes).toBe(0);
  });
});
