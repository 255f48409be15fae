import { describe, expect, it } from 'vitest';
import type { Point } from '../../server/platform/buckets.ts';
import { ALERTS, alertsApp, at } from '../helpers/alerts.ts';
import { START } from '../helpers/identity-parts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Within a bucket of every range. */
const NOW = START + 7 * MINUTE + 31_415;

const filled = (points: Point[]) =>
  points.filter(({ count }) => count > 0).map(({ timestamp, count }) => [timestamp, count]);

describe('GET /api/v1/alerts/activity', () => {
  it.each([
    ['1h', 60, MINUTE, START + 7 * MINUTE],
    ['24h', 96, 15 * MINUTE, START],
    ['7d', 168, HOUR, START],
    ['30d', 120, 6 * HOUR, START - 4 * HOUR],
  ])('cuts %s into %d whole buckets, the last one still filling', async (range, n, step, last) => {
    const { clock, get } = await alertsApp();
    clock.time = NOW;
    const points = await get<Point[]>(`/activity?time_range=${range}`);
    expect(points).toEqual(
      Array.from({ length: n }, (_, i) => ({ timestamp: at(last - (n - 1 - i) * step), count: 0 })),
    );
  });

  it.each([
    ['1h', MINUTE, START + 7 * MINUTE - 59 * MINUTE],
    ['24h', 15 * MINUTE, START - DAY + 15 * MINUTE],
    ['7d', HOUR, START - 7 * DAY + HOUR],
    ['30d', 6 * HOUR, START - 4 * HOUR - 30 * DAY + 6 * HOUR],
  ])('counts %s to the millisecond', async (range, step, first) => {
    const { clock, given, get } = await alertsApp();
    clock.time = NOW;
    const times = [first - 1, first, first + step - 1, first + step, NOW, NOW + DAY];
    await given(...times.map((time) => ({ created_at: at(time) })));
    const points = await get<Point[]>(`/activity?time_range=${range}`);
    expect(filled(points)).toEqual([
      [at(first), 2],
      [at(first + step), 1],
      [points.at(-1)?.timestamp, 1],
    ]);
  });

  it('shows seven days unless asked otherwise', async () => {
    const { get } = await alertsApp();
    expect(await get('/activity')).toEqual(await get('/activity?time_range=7d'));
  });

  it.each(['time_range=2h', 'limit=5', 'severity=x'])('refuses %s', async (query) => {
    const { byKey } = await alertsApp();
    expect((await byKey('GET', `${ALERTS}/activity?${query}`)).statusCode).toBe(400);
  });
});
