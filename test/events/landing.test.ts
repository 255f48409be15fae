import { expect, it } from 'vitest';
import { landed } from '../../server/events/landing-store.ts';
import { createListStore } from '../../server/events/list-store.ts';
import type { ListQuery } from '../../server/events/schema.ts';
import { sharedStore, textOf } from '../helpers/event-store.ts';
import { createRandom } from '../helpers/random.ts';
import { rounds } from '../helpers/soak.ts';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 0, 31, 12);

it('a page that is found by the counts is the one that skipping one by one finds', async () => {
  const random = createRandom();
  for (let round = rounds(5, 300); round > 0; round--) {
    const { database, store, intake, flusher, removals, clock, most, tenant } = await sharedStore();
    const naive = createListStore(database, Infinity);
    const led = createListStore(database, -1);
    // Some times are alike, some at the very edge of a minute or an hour, and now and then some go back.
    const some = () =>
      NOON + random.whole(-3, 3) * 60 * MINUTE + random.whole(0, 3) * MINUTE + random.whole(-2, 2);
    const name = () => 'abc'[random.whole(0, 2)] ?? 'a';
    most.set(tenant, random.whole(1, 12));
    for (let flushes = random.whole(1, 4); flushes > 0; flushes--) {
      const sent = Array.from({ length: random.whole(1, 15) }, () => {
        clock.time = some();
        const events = Array.from({ length: random.whole(1, 4) }, () => ({
          ...{ source: name(), event_type: name(), data: {} },
        }));
        return intake.send(events, tenant);
      });
      await Promise.all(sent);
      await flusher.flush();
    }
    if (random.chance(0.3)) {
      const first_seen_since = new Date(some()).toISOString();
      const removal = { first_seen_since, max_events: random.whole(1, 9), dry_run: false };
      await removals.remove(tenant, removal, []);
    }
    if (random.chance(0.5)) {
      const old = some();
      await store.forget(
        tenant,
        old,
        random.chance(0.5) ? old : old - random.whole(0, 200) * MINUTE,
      );
    }
    const cursors = [undefined, (await naive.list(tenant, { skip: 3, limit: 5 })).next];
    for (let asked = 0; asked < 25; asked++) {
      const [at, id = ''] = cursors[random.whole(0, 1)]?.split('.') ?? [];
      const query: ListQuery = {
        ...{ skip: random.whole(0, random.chance(0.5) ? 8 : 60), limit: random.whole(1, 30) },
        ...(random.chance(0.4) && { source: name() }),
        ...(random.chance(0.4) && { event_type: name() }),
        ...(random.chance(0.3) && { since: some() }),
        ...(random.chance(0.4) && { until: some() }),
        ...(at !== undefined && { cursor: { at: Number(at), id } }),
      };
      const [page, expected] = [await led.list(tenant, query), await naive.list(tenant, query)];
      const context = `seed ${random.seed}, ${JSON.stringify(query)}`;
      expect(await textOf(page), context).toBe(await textOf(expected));
      expect(page.next, context).toBe(expected.next);
    }
  }
});

it('next to nothing is left to pass over, with and without names for all', async () => {
  for (const names of [100, 1]) {
    const { database, intake, flusher, clock, most, tenant } = await sharedStore();
    most.set(tenant, names);
    const sent = Array.from({ length: 100 }, (_, n) => {
      clock.time = NOON + n * 7777;
      const events = ['x', 'y', `${n}`].map((type) => ({
        source: 'a',
        event_type: type,
        data: {},
      }));
      return intake.send(events, tenant);
    });
    await Promise.all(sent);
    await flusher.flush();
    const left = (query: ListQuery) => database.read((sql) => landed(sql, tenant, query));
    expect(await left({ skip: 200, limit: 10 })).toMatchObject({
      ...{ skip: 2, until: NOON + 33 * 7777 + 1 },
    });
    expect(await left({ skip: 60, limit: 10, event_type: 'y' })).toMatchObject({
      ...{ skip: 0, until: NOON + 39 * 7777 + 1 },
    });
  }
});
