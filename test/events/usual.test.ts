import { describe, expect, it } from 'vitest';
import type { Usual } from '../../server/events/schema.ts';
import { createUsual } from '../../server/events/usual.ts';
import { createUsualStore } from '../../server/events/usual-store.ts';
import { createLocalTime } from '../../server/rules/local-time.ts';
import type { Listening } from '../../server/rules/listening.ts';
import { sharedStore } from '../helpers/event-store.ts';
import { freshTenant } from '../helpers/tenant.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Monday, ten minutes into a bucket. */
const NOW = Date.parse('2026-03-02T10:10:00Z');

/** Receives so many events at each moment, and holds the last 24 hours against what is usual. */
async function usualAfter(
  received: readonly (readonly [at: number, count: number, type?: string, source?: string])[],
  given: {
    now?: number;
    heard?: Listening;
    zone?: string;
    days?: number;
    filter?: { event_type?: string; source?: string };
    names?: number;
  } = {},
): Promise<Usual> {
  const { now = NOW, zone = 'UTC', days = 400, filter = {} } = given;
  const { heard = [{ from: 0, to: now }] } = given;
  const { clock, tenant, intake, flusher, database, names, most } = await sharedStore();
  if (given.names !== undefined) most.set(tenant, given.names);
  for (const [time, count, type = 'purchase', source = 'shop'] of received) {
    clock.time = time;
    await intake.send(Array(count).fill({ source, event_type: type, data: {} }), tenant);
  }
  await flusher.flush();
  return createUsual({
    counts: createUsualStore(database, names),
    listening: () => heard,
    localTime: createLocalTime(zone),
    countedDays: () => days,
  })(tenant, filter, now);
}

const at = ({ points }: Usual, time: string) =>
  points.find(({ timestamp }) => timestamp === new Date(time).toISOString());
const NINE = '2026-03-02T09:00:00Z';
const nine = Date.parse(NINE) + 5 * MINUTE;
const weeksBefore = (...counts: number[]) =>
  counts.map((count, i) => [nine - (i + 1) * 7 * DAY, count] as const).reverse();
const daysBefore = (...counts: number[]) =>
  counts.map((count, i) => [nine - (i + 1) * DAY, count] as const).reverse();

describe('what is usual', () => {
  it('has 48 half hours, the last of them still filling', async () => {
    const { points } = await usualAfter([[NOW - MINUTE, 3]]);
    expect(points).toHaveLength(48);
    expect(points[0]?.timestamp).toBe('2026-03-01T10:30:00.000Z');
    expect(points.at(-1)).toEqual({
      ...{ timestamp: '2026-03-02T10:00:00.000Z', count: 3, usual: null, low: null, high: null },
      weeks: 0,
    });
    expect(points[0]).toMatchObject({ count: 0, usual: 0, low: 0, high: 0 });
  });

  it('is the median of the same time on the same weekday of four weeks', async () => {
    const shown = await usualAfter([...weeksBefore(4, 10, 1, 7), [nine, 2]]);
    expect(at(shown, NINE)).toMatchObject({ count: 2, usual: 5.5, low: 1, high: 10 });
    expect(at(shown, '2026-03-02T09:30:00Z')).toMatchObject({ count: 0, usual: 0 });
    expect(at(shown, NINE)).toMatchObject({ weeks: 4 });
  });

  it('goes by days where fewer than two weeks were heard', async () => {
    const received = [...weeksBefore(9), ...daysBefore(1, 2, 3, 4, 5, 6)];
    const heard = [{ from: NOW - 13 * DAY, to: NOW }];
    const shown = await usualAfter(received, { heard });
    expect(at(shown, NINE)).toMatchObject({ usual: 4, low: 1, high: 9 });
    expect(at(shown, NINE)).toMatchObject({ weeks: 0 });
  });

  it('is not known where fewer than two days were heard', async () => {
    const heard = [{ from: NOW - 1.5 * DAY, to: NOW }];
    const shown = await usualAfter(daysBefore(1, 2), { heard });
    expect(at(shown, NINE)).toMatchObject({ usual: null, low: null, high: null });
    expect(shown).toMatchObject({ last_hour: { usual: null, low: null, high: null, weeks: 0 } });
  });

  it('leaves out times of which more than a tenth was not heard, or that are forgotten', async () => {
    const weeks = weeksBefore(1, 5, 20, 100);
    const start = Date.parse(NINE) - 7 * DAY;
    const without = (minutes: number) => [
      { from: 0, to: start },
      { from: start + minutes * MINUTE, to: NOW },
    ];
    const three = await usualAfter(weeks, { heard: without(3) });
    expect(at(three, NINE)).toMatchObject({ usual: 12.5, low: 1 });
    const four = await usualAfter(weeks, { heard: without(4) });
    expect(at(four, NINE)).toMatchObject({ usual: 20, low: 5 });
    const kept = await usualAfter(weeks, { days: 25 });
    expect(at(kept, NINE)).toMatchObject({ usual: 5, low: 1, high: 20 });
    expect(at(kept, NINE)).toMatchObject({ weeks: 3 });
  });

  it('takes the last hour with the minute that is filling, and holds it against the same minutes', async () => {
    const now = NOW + 30_000;
    const from = NOW - HOUR + MINUTE;
    const received = [4, 3, 2, 1].flatMap((week) =>
      [
        [from - MINUTE, 100] as const,
        [from, week] as const,
        [NOW - MINUTE, 1] as const,
        [NOW + MINUTE, 50] as const,
      ].map(([time, count]) => [time - week * 7 * DAY, count] as const),
    );
    const shown = await usualAfter([...received, [from, 2], [NOW + 1000, 5]], { now });
    expect(shown.last_hour).toEqual({ count: 7, usual: 3.5, low: 2, high: 5, weeks: 4 });
  });

  it('goes by one type and source where they are given', async () => {
    const received = [14, 7, 0].flatMap((days) => [
      [nine - days * DAY, 1, 'purchase', 'shop'] as const,
      [nine - days * DAY, 2, 'purchase', 'app'] as const,
      [nine - days * DAY, 4, 'refund', 'app'] as const,
    ]);
    const counts = async (filter: object) =>
      at(await usualAfter(received, { filter }), NINE)?.count;
    expect(await counts({})).toBe(7);
    expect(await counts({ event_type: 'purchase' })).toBe(3);
    expect(await counts({ source: 'app' })).toBe(6);
    expect(await counts({ source: 'app', event_type: 'purchase' })).toBe(2);
    expect(await counts({ source: "'" })).toBe(0);
  });

  it('follows the wall clock over a change of daylight saving', async () => {
    // Clocks went forward in Berlin on 29 March: 9 o'clock was 08:00 UTC, then 07:00.
    const now = Date.parse('2026-04-01T12:00:00Z');
    const received = [
      ...['2026-03-11T08:05:00Z', '2026-03-18T08:05:00Z', '2026-03-25T08:05:00Z'],
      '2026-04-01T07:05:00Z',
    ].map((time) => [Date.parse(time), 6] as const);
    const shown = await usualAfter(received, { now, zone: 'Europe/Berlin' });
    expect(at(shown, '2026-04-01T07:00:00Z')).toMatchObject({ count: 6, usual: 6 });
  });

  it('is known of a type that is not counted by name', async () => {
    const received = [
      [nine - 30 * DAY, 1, 'view'] as const,
      ...weeksBefore(6, 6, 6, 6),
      [nine, 6] as const,
    ];
    const shown = await usualAfter(received, { filter: { event_type: 'purchase' }, names: 1 });
    expect(at(shown, NINE)).toMatchObject({ count: 6, usual: 6, weeks: 4 });
  });
});

describe('GET /api/v1/events/usual', () => {
  it('knows when the collector listened', async () => {
    const vedette = await freshTenant();
    await vedette.post([{ source: 'a', event_type: 'b', data: {} }]);
    const answer = await vedette.get('/events/usual?event_type=b&source=a');
    expect(answer.statusCode).toBe(200);
    const shown = answer.json<Usual>();
    expect(shown.points).toHaveLength(48);
    expect(shown.points.reduce((sum, { count }) => sum + count, 0)).toBe(1);
    expect(shown.points.every(({ usual }) => usual === null)).toBe(true);
    expect((await vedette.get('/events/usual?time_range=1h')).statusCode).toBe(400);
  });
});
