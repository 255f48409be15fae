import { expect, it } from 'vitest';
import { createTail } from '../../server/events/tail.ts';
import type { Watcher } from '../../server/events/tail.ts';
import { silentLog as log } from '../../server/platform/log.ts';
import { openStore } from '../helpers/event-store.ts';

it('one who came later has not missed what came before', async () => {
  const { store, flusher, intake } = await openStore({ now: () => 1e12 });
  const missed = new Map<string, number>();
  const seen = new Map<string, number>();
  const watcher = (name: string): Watcher => ({
    tenantId: 'tenant',
    filter: {},
    event: () => seen.set(name, (seen.get(name) ?? 0) + 1),
    missed: (count) => missed.set(name, count),
    mayWatch: () => true,
  });
  const send = (length: number) =>
    intake.send(Array.from({ length }, (_, n) => ({ source: 'a', event_type: 'x', data: { n } })));
  // It looks when the test says so, and not before.
  const tail = createTail({ store, flusher, log, paceMs: 3_600_000 });
  await tail.watch(watcher('early'));
  await send(1500);
  await tail.watch(watcher('late'));
  await send(300);
  await tail.look();
  expect(Object.fromEntries(missed)).toEqual({ early: 800 });
  expect(Object.fromEntries(seen)).toEqual({ early: 1000, late: 300 });
  tail.close();
});

it('goes on when all who watch another tenant leave while it looks', async () => {
  const { store, flusher, intake } = await openStore({ now: () => 1e12 });
  const seen: string[] = [];
  const watcher = (tenantId: string): Watcher => ({
    ...{ tenantId, filter: {}, missed: () => undefined, mayWatch: () => true },
    event: () => seen.push(tenantId),
  });
  let leave = () => undefined as unknown;
  const reading = {
    ...store,
    arrivedSince: (...asked: Parameters<typeof store.arrivedSince>) => {
      leave();
      return store.arrivedSince(...asked);
    },
  };
  const tail = createTail({ store: reading, flusher, log, paceMs: 3_600_000 });
  await tail.watch(watcher('stays'));
  leave = await tail.watch(watcher('leaves'));
  for (const tenant of ['stays', 'leaves']) {
    await intake.send([{ source: 'a', event_type: 'x', data: {} }], tenant);
  }
  await tail.look();
  expect(seen).toEqual(['stays']);
  tail.close();
});

it('shows what waits in the journal once it is stored, also to who came while it could not be', async () => {
  const { store, flusher, intake } = await openStore({ now: () => 1e12 });
  let isFull = true;
  const flush = async () => {
    if (isFull) throw new Error('No space left on device');
    await flusher.flush();
  };
  const tail = createTail({ store, flusher: { flush }, log, paceMs: 3_600_000 });
  const seen: string[] = [];
  await intake.send([{ source: 'a', event_type: 'x', data: {} }]);
  await tail.watch({
    ...{ tenantId: 'tenant', filter: {}, missed: () => undefined, mayWatch: () => true },
    event: (id) => seen.push(id),
  });
  await tail.look();
  expect(seen).toEqual([]);
  isFull = false;
  await tail.look();
  expect(seen).toHaveLength(1);
  tail.close();
});
