import { describe, expect, it } from 'vitest';
import { problems } from '../../server/platform/errors.ts';
import { DAY, HOUR, MINUTE, NOON, openAnswers } from './answers-parts.ts';
import { textOf } from '../helpers/event-store.ts';

const LATER = NOON + 10 * MINUTE;

/** A tenant that may have two names, with both of them taken. */
async function full() {
  const parts = await openAnswers();
  const { rollups, activities, removals, tenant } = parts;
  parts.nameAtMost(2);
  await parts.receive([
    { at: NOON, event_type: 'purchase', source: 'shop' },
    { at: NOON + 1, event_type: 'view', source: 'shop' },
  ]);
  return {
    ...parts,
    counts: async () =>
      (await rollups.counts(tenant, undefined, LATER + DAY)).map(
        ({ source, event_type: type, count }) => [source, type, count] as const,
      ),
    types: () => rollups.types(tenant, { skip: 0 }),
    sources: () => rollups.sources(tenant, { skip: 0 }),
    charted: async (filter: { source?: string; event_type?: string }) => {
      const points = await activities.activity(
        tenant,
        { ...filter, time_range: '24h' },
        LATER + MINUTE,
      );
      return points.reduce((sum, { count }) => sum + count, 0);
    },
    remove: (most: number, watched: { event_type: string; source?: string }[] = [], dry = false) =>
      removals.remove(
        tenant,
        { first_seen_since: new Date(NOON).toISOString(), max_events: most, dry_run: dry },
        watched,
      ),
  };
}

const made = (type: string, source: string, at = LATER) => ({ at, event_type: type, source });

describe('names over the bound', () => {
  it('are counted together, those of a known type by that type', async () => {
    const { receive, counts, types, sources } = await full();
    await receive([
      made('purchase', 'x'),
      made('purchase', 'y'),
      made('z', 'shop'),
      made('z', 'z'),
    ]);
    await receive([made('purchase', 'x'), made('view', 'shop')]);
    expect(await counts()).toEqual([
      [null, 'purchase', 3],
      ['shop', 'view', 2],
      [null, null, 2],
      ['shop', 'purchase', 1],
    ]);
    expect(await types()).toEqual(['purchase', 'view']);
    expect(await sources()).toEqual(['shop']);
  });

  it('are none as long as there is room, and the first that come have it', async () => {
    const { receive, nameAtMost, types } = await full();
    nameAtMost(3);
    await receive([made('first', 's'), made('early', 's')]);
    expect(await types()).toEqual(['first', 'purchase', 'view']);
  });

  it('that are too long to be shown have none at any time', async () => {
    const { receive, nameAtMost, counts } = await full();
    nameAtMost(100);
    await receive([
      made('a'.repeat(201), 's'),
      made('a'.repeat(200), 's'),
      made('view', 'é'.repeat(201)),
    ]);
    expect((await counts()).slice(0, 3).map(([source, type]) => [source, type?.length])).toEqual([
      ['s', 200],
      ['shop', 8],
      ['shop', 4],
    ]);
    expect((await counts()).slice(3)).toEqual([
      [null, 'view', 1],
      [null, null, 1],
    ]);
  });

  it('are still found among the events by their own', async () => {
    const { receive, store, tenant } = await full();
    await receive([made('purchase', 'x'), made('z', 'z')]);
    const list = await store.list(tenant, { source: 'z', skip: 0, limit: 10 });
    expect(JSON.parse(await textOf(list))).toMatchObject([{ source: 'z', event_type: 'z' }]);
  });

  it('are listed in parts where that is asked for', async () => {
    const { rollups, tenant } = await full();
    expect(await rollups.types(tenant, { skip: 1 })).toEqual(['view']);
    expect(await rollups.types(tenant, { skip: 0, limit: 1 })).toEqual(['purchase']);
    const page = await rollups.counts(tenant, '24h', LATER, { skip: 1, limit: 1 });
    expect(page).toMatchObject([{ event_type: 'view' }]);
  });
});

describe('an answer about a name that came over the bound', () => {
  it('counts its events', async () => {
    const { receive, ask } = await full();
    await receive([made('purchase', 'x'), made('z', 'z'), made('z', 'y', LATER + 1)]);
    const z = { event_type: 'z' };
    expect(
      await ask(
        ...[{}, { source: 'x' }, { source: 'shop' }, { event_type: 'view' }],
        ...[z, { ...z, source: 'z' }, { event_type: 'nothing' }, { ...z, from: LATER + MINUTE }],
      ),
    ).toEqual([2, 1, 1, 1, 2, 1, 0, 0]);
    expect(await ask({ ...z, from: LATER + 1 })).toEqual([1]);
  });

  it('is the same after it has got a name', async () => {
    const { receive, ask, nameAtMost, types } = await full();
    await receive([made('z', 'z')]);
    nameAtMost(3);
    await receive([made('z', 'z', LATER + 5 * MINUTE)]);
    expect(await types()).toContain('z');
    const z = { event_type: 'z' };
    expect(
      await ask(z, { ...z, source: 'z' }, { ...z, from: LATER + 5 * MINUTE }, { ...z, to: LATER }),
    ).toEqual([2, 2, 1, 0]);
  });

  it('is an error where those events are gone, and not where none can have been', async () => {
    const { receive, ask, forget } = await full();
    await receive([made('z', 'z'), made('z', 'z', NOON + 2 * DAY)]);
    await forget(NOON + DAY, NOON - DAY);
    const gone = problems.countedWithOthers();
    const z = { event_type: 'z', to: NOON + 3 * DAY };
    expect(await ask(z, { ...z, from: NOON + DAY }, { event_type: 'view' })).toEqual([gone, 1, 1]);
  });

  it('makes its chart true as well, and what is said of a source', async () => {
    const { receive, charted, activities, tenant } = await full();
    await receive([made('purchase', 'x'), made('z', 'z'), made('z', 'y')]);
    expect(await charted({ event_type: 'z' })).toBe(2);
    expect(await charted({ source: 'x' })).toBe(1);
    expect(await charted({ event_type: 'purchase' })).toBe(2);
    expect(await charted({})).toBe(5);
    const arrivals = (source: string) => activities.arrivals(tenant, source, LATER);
    expect(await arrivals('x')).toEqual({ count: 1, last: LATER });
    expect(await arrivals('shop')).toEqual({ count: 0, last: NOON + 1 });
    expect(await arrivals('nobody')).toEqual({ count: 0, last: null });
  });
});

describe('what was made up', () => {
  it('is shown first, then counted with the rest, which frees its places', async () => {
    const { receive, nameAtMost, remove, counts, ask } = await full();
    nameAtMost(5);
    await receive([made('z', 'z'), made('y', 'y'), made('purchase', 'x')]);
    await receive([made('late', 'late')]);
    const before = await counts();
    const found = { names: 4, events: 4 };
    expect(await remove(1, [{ event_type: 'purchase', source: 'shop' }], true)).toMatchObject(
      found,
    );
    expect(await counts()).toEqual(before);
    expect(await remove(1, [{ event_type: 'purchase', source: 'shop' }])).toMatchObject({
      ...found,
      examples: [
        { source: 'x', event_type: 'purchase', count: 1 },
        { source: 'shop', event_type: 'view', count: 1 },
        { source: 'y', event_type: 'y', count: 1 },
        { source: 'z', event_type: 'z', count: 1 },
      ],
    });
    expect(await counts()).toEqual([
      [null, null, 4],
      ['shop', 'purchase', 1],
      [null, 'purchase', 1],
    ]);
    expect(await ask({}, { event_type: 'z' }, { event_type: 'view' })).toEqual([2, 1, 1]);
    await receive([made('late', 'late', LATER + HOUR)]);
    expect(await counts()).toContainEqual(['late', 'late', 1]);
  });

  it('is no type that a rule watches, nor its first source', async () => {
    const { receive, nameAtMost, remove, counts } = await full();
    nameAtMost(5);
    await receive([made('purchase', 'a'), made('purchase', 'b'), made('z', 'z')]);
    await remove(1, [{ event_type: 'purchase' }, { event_type: 'z', source: 'z' }]);
    expect(await counts()).toEqual([
      [null, 'purchase', 2],
      ['shop', 'purchase', 1],
      ['z', 'z', 1],
      [null, null, 1],
    ]);
  });

  it('leaves what came earlier, and what came often', async () => {
    const { receive, removals, tenant, nameAtMost } = await full();
    nameAtMost(5);
    await receive([made('often', 's'), made('often', 's'), made('once', 's')]);
    const since = new Date(LATER).toISOString();
    const query = { first_seen_since: since, max_events: 1, dry_run: false };
    expect(await removals.remove(tenant, query, [])).toEqual({
      ...{ names: 1, events: 1 },
      examples: [{ source: 's', event_type: 'once', count: 1 }],
    });
  });

  it('is of one tenant', async () => {
    const { receive, remove, store, rollups, tenant } = await full();
    await receive([{ at: NOON, tenant: 'other', event_type: 'purchase', source: 'shop' }]);
    await remove(10);
    const other = tenant.replace(/tenant$/, 'other');
    expect(await rollups.types(other, { skip: 0 })).toEqual(['purchase']);
    expect((await store.extent(tenant)).events).toBe(2);
  });
});
