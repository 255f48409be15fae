import { describe, expect, it } from 'vitest';
import { startAppliance } from '../helpers/appliance.ts';
import { freshTenant, sharedAppliance, strangeAddress } from '../helpers/tenant.ts';
import type { TestTenant } from '../helpers/tenant.ts';

type Vedette = Pick<TestTenant, 'get' | 'post'>;

interface Listed {
  id: string;
  source: string;
  event_type: string;
  data: { n: number };
  created_at: string;
}

const send = (vedette: Vedette, ...numbers: number[]) =>
  vedette.post(
    numbers.map((n) => ({
      source: n % 2 ? 'odd' : 'even',
      event_type: n % 3 ? 'page_view' : 'purchase',
      data: { n },
    })),
  );
const numbers = async (vedette: Vedette, query = '') =>
  (await vedette.get(`/events${query}`)).json<Listed[]>().map(({ data }) => data.n);

describe('GET /api/v1/events', () => {
  it('lists the newest first, events of one request in the order they were sent', async () => {
    let now = Date.UTC(2026, 0, 1);
    await using vedette = await startAppliance({ clock: { now: () => now } });
    await send(vedette, 1, 2);
    await send(vedette, 3);
    now += 1000;
    await send(vedette, 4, 5, 6);
    expect(await numbers(vedette)).toEqual([6, 5, 4, 3, 2, 1]);
  });

  it('goes on in order when the clock is set back', async () => {
    let now = Date.UTC(2026, 0, 2);
    await using vedette = await startAppliance({ clock: { now: () => now } });
    await send(vedette, 1);
    now -= 3_600_000;
    await send(vedette, 2);
    const events = (await vedette.get('/events')).json<Listed[]>();
    expect(events.map(({ data }) => data.n)).toEqual([1, 2]);
    expect((events[1]?.id ?? '') > (events[0]?.id ?? '')).toBe(true);
  });

  it('shows everything that was accepted before it was asked', async () => {
    const vedette = await freshTenant();
    for (let n = 1; n <= 8; n++) {
      await send(vedette, n);
      expect(await numbers(vedette, '?limit=1')).toEqual([n]);
    }
  });

  it('gives 100 by default, 1,000 at most, and skips as asked', async () => {
    const vedette = await freshTenant();
    await send(vedette, ...Array.from({ length: 1200 }, (_, i) => i + 1));
    expect(await numbers(vedette)).toHaveLength(100);
    expect(await numbers(vedette, '?limit=1000')).toHaveLength(1000);
    expect(await numbers(vedette, '?skip=1150')).toHaveLength(50);
    expect(await numbers(vedette, '?skip=1&limit=2')).toEqual([1199, 1198]);
    expect(await numbers(vedette, '?skip=5000')).toEqual([]);
  });

  it('filters by source, type and time of receipt', async () => {
    let now = Date.UTC(2026, 0, 1, 10);
    await using vedette = await startAppliance({ clock: { now: () => now } });
    await send(vedette, 1, 2, 3);
    now = Date.UTC(2026, 0, 1, 11);
    await send(vedette, 4, 5, 6);
    expect(await numbers(vedette, '?source=odd')).toEqual([5, 3, 1]);
    expect(await numbers(vedette, '?event_type=purchase')).toEqual([6, 3]);
    expect(await numbers(vedette, '?source=odd&event_type=purchase')).toEqual([3]);
    expect(await numbers(vedette, '?source=unknown')).toEqual([]);
    expect(await numbers(vedette, '?since=2026-01-01T11:00:00Z')).toEqual([6, 5, 4]);
    expect(await numbers(vedette, '?until=2026-01-01T12:00:00%2B01:00')).toEqual([3, 2, 1]);
  });

  it('lists distinct types and sources in order', async () => {
    const vedette = await freshTenant();
    expect((await vedette.get('/events/types')).json()).toEqual([]);
    await send(vedette, 1, 2, 3, 4);
    expect((await vedette.get('/events/types')).json()).toEqual(['page_view', 'purchase']);
    expect((await vedette.get('/events/sources')).json()).toEqual(['even', 'odd']);
  });

  it('answers 400 to a wrong query', async () => {
    const vedette = await sharedAppliance();
    for (const query of [
      ...['limit=0', 'limit=1001', 'limit=-1', 'limit=abc', 'limit=', 'limit=1.5'],
      ...['limit=1&limit=2', 'skip=-1', 'skip=1e3', 'since=yesterday', 'event_typ=purchase'],
      ...['source=%ff', 'source=%E0%A4%A'],
    ]) {
      const answer = await vedette.get(`/events?${query}`);
      expect(answer.statusCode, query).toBe(400);
      expect(answer.json<{ detail: string }>().detail, query).toMatch(/^Wrong query: /);
    }
  });

  it('answers 401 without a key or session, and 403 to a key that may only send', async () => {
    const vedette = await freshTenant();
    const unknown = { url: '/api/v1/events', remoteAddress: strangeAddress() };
    expect((await vedette.app.inject(unknown)).statusCode).toBe(401);
    const keyWith = async (scope: string) =>
      (await vedette.call('POST', '/keys', { name: scope, scope })).json<{ secret: string }>();
    const ingest = { 'x-api-key': (await keyWith('ingest')).secret };
    const read = { 'x-api-key': (await keyWith('read')).secret };
    const forbidden = await vedette.get('/events', ingest);
    expect(forbidden.statusCode).toBe(403);
    expect(forbidden.json<{ detail: string }>().detail).toMatch(/insufficient permissions/i);
    expect((await vedette.get('/events', read)).statusCode).toBe(200);
    expect((await vedette.post([], read)).statusCode).toBe(403);
    expect((await vedette.post([], ingest)).statusCode).toBe(201);
  });
});

describe('counts over time', () => {
  it('has a point for every bucket of each range, the current one last', async () => {
    const now = Date.UTC(2026, 0, 31, 12, 34, 56);
    await using vedette = await startAppliance({ clock: { now: () => now } });
    await send(vedette, 1, 2, 3);
    const expected = {
      '1h': [60, '2026-01-31T12:34:00.000Z'],
      '24h': [96, '2026-01-31T12:30:00.000Z'],
      '7d': [168, '2026-01-31T12:00:00.000Z'],
      '30d': [120, '2026-01-31T12:00:00.000Z'],
    };
    for (const [range, [buckets, last]] of Object.entries(expected)) {
      const points = (await vedette.get(`/events/activity?time_range=${range}`)).json<unknown[]>();
      expect(points).toHaveLength(buckets as number);
      expect(points.at(-1)).toEqual({ timestamp: last, count: 3 });
      expect(points.at(-2)).toMatchObject({ count: 0 });
    }
  });

  it('adds up what arrives in one minute by many flushes', async () => {
    await using vedette = await startAppliance({ clock: { now: () => Date.UTC(2026, 0, 31, 12) } });
    for (let n = 1; n <= 5; n++) {
      await send(vedette, n, n);
      await vedette.get('/events?limit=1');
    }
    const last = async (query: string) =>
      (await vedette.get(`/events/activity?time_range=1h${query}`))
        .json<{ count: number }[]>()
        .at(-1)?.count;
    expect(await last('')).toBe(10);
    expect(await last('&source=odd')).toBe(6);
    expect(await last('&event_type=purchase')).toBe(2);
    expect(await last('&event_type=none')).toBe(0);
    expect((await vedette.get('/events/activity?time_range=2h')).statusCode).toBe(400);
  });

  it('counts between any two times, in whole bars as fine as there is room for', async () => {
    let now = Date.UTC(2026, 0, 10, 18, 7);
    await using vedette = await startAppliance({ clock: { now: () => now } });
    await send(vedette, 1, 2);
    now = Date.UTC(2026, 0, 10, 19);
    await send(vedette, 3);
    now = Date.UTC(2026, 0, 20);
    const between = async (since: string, until: string) => {
      const query = new URLSearchParams({ since, until, time_range: '1h' });
      const answer = await vedette.get(`/events/activity?${query.toString()}`);
      return answer.json<{ timestamp: string; count: number }[]>();
    };
    const sum = (points: { count: number }[]) => points.reduce((all, { count }) => all + count, 0);

    const hour = await between('2026-01-10T18:00:00Z', '2026-01-10T19:00:00Z');
    expect(hour).toHaveLength(60);
    expect(hour[7]).toEqual({ timestamp: '2026-01-10T18:07:00.000Z', count: 2 });
    expect(sum(hour)).toBe(2);
    const week = await between('2026-01-08T18:20:00Z', '2026-01-14T18:20:00Z');
    expect(week[0]).toEqual({ timestamp: '2026-01-08T18:00:00.000Z', count: 0 });
    expect(week.at(-1)?.timestamp).toBe('2026-01-14T18:00:00.000Z');
    expect(sum(week)).toBe(3);
    const ages = await between('0001-01-01T00:00:00Z', '9999-01-01T00:00:00Z');
    expect(ages.length).toBeLessThanOrEqual(241);
    expect(sum(ages)).toBe(3);
    expect(await between('2026-01-10T19:00:00Z', '2026-01-10T18:00:00Z')).toEqual([]);
    const open = await vedette.get('/events/activity?since=2026-01-19T23:00:00Z');
    expect(open.json()).toHaveLength(60);
  });

  it('counts by source and type, with when each was first and last seen', async () => {
    let now = Date.UTC(2026, 0, 1);
    await using vedette = await startAppliance({ clock: { now: () => now } });
    await send(vedette, 1, 1, 3);
    now = Date.UTC(2026, 0, 31);
    await send(vedette, 1);
    expect((await vedette.get('/events/counts')).json()).toEqual([
      {
        source: 'odd',
        event_type: 'page_view',
        count: 3,
        first_seen: '2026-01-01T00:00:00.000Z',
        last_seen: '2026-01-31T00:00:00.000Z',
      },
      {
        source: 'odd',
        event_type: 'purchase',
        count: 1,
        first_seen: '2026-01-01T00:00:00.000Z',
        last_seen: '2026-01-01T00:00:00.000Z',
      },
    ]);
    const recent = (await vedette.get('/events/counts?time_range=24h')).json<{ count: number }[]>();
    expect(recent.map(({ count }) => count)).toEqual([1, 0]);
  });
});
