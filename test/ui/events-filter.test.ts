import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { RANGES, bucketsOf } from '../../server/platform/buckets.ts';
import {
  activityOf,
  addressBefore,
  coveredWords,
  filterOf,
  pickedOf,
  queryOf,
} from '../../ui/src/pages/events/filter.ts';

const NOW = Date.parse('2026-11-20T12:34:56.000Z');

describe('a drag over the chart', () => {
  it.each(Object.keys(RANGES) as (keyof typeof RANGES)[])(
    'over a part of one bar of %s picks just this bar',
    (range) => {
      const { first, step, fill } = bucketsOf(range, NOW);
      const times = fill([]).map(({ timestamp }) => Date.parse(timestamp));
      const third = first + 2 * step;
      const [from, to] = [third + 0.2 * step, third + 0.7 * step];
      expect(pickedOf(times, from, to)).toEqual({ since: third, until: third + step });
      expect(pickedOf(times, from, to + step).until).toBe(third + 2 * step);
    },
  );
});

describe('the address', () => {
  it('may name the type as either page about events does', () => {
    const typeOf = (query: string) => filterOf(new URLSearchParams(query)).event_type;
    expect(typeOf('type=refund')).toBe('refund');
    expect(typeOf('event_type=refund&type=other')).toBe('refund');
    expect(typeOf('')).toBe('');
  });
});

describe('the chart', () => {
  const asked = (query: string) => activityOf(filterOf(new URLSearchParams(query)), NOW);

  it('covers the time that the list shows, and a day where that is without bounds', () => {
    const [since, until] = ['2026-11-20T10:00:00.000Z', '2026-11-20T11:00:00.000Z'];
    expect(asked('')).toEqual({ time_range: '24h' });
    expect(asked('range=7d')).toEqual({ time_range: '7d' });
    expect(asked('range=15m')).toEqual({ since: '2026-11-20T12:19:56.000Z' });
    expect(asked(`range=24h&since=${since}&until=${until}`)).toEqual({ since, until });
    expect(asked(`until=${until}`)).toEqual({ since: '2026-11-19T11:00:00.000Z', until });
  });

  it('is headed by what its bars cover', () => {
    const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime();
    const now = at(20, 22);
    const iso = (time: number) => new Date(time).toISOString();
    const HALF = 1_800_000;
    const hour = (day: number) => [at(day, 18), at(day, 18) + HALF];
    expect(coveredWords(hour(20), undefined, now)).toBe('since 18:00');
    expect(coveredWords(hour(19), undefined, now)).toBe('since yesterday 18:00');
    expect(coveredWords(hour(20), iso(at(20, 19)), now)).toBe('between 18:00 and 19:00');
    expect(coveredWords(hour(13), iso(at(13, 19)), now)).toMatch(
      /^between Fri 13 Nov 18:00 and 19/,
    );
    expect(coveredWords([at(19, 22), at(20, 9)], iso(at(20, 20)), now)).toBe(
      'between yesterday 22:00 and today 20:00',
    );
    expect(coveredWords(hour(20), iso(at(21, 1)), now)).toBe('since 18:00');
  });
});

describe('the fields for exact times', () => {
  it('show local time before, at and after a change of the clocks', () => {
    // A process of its own, because the time zone of this one is settled.
    const module = new URL('../../ui/src/pages/events/filter.ts', import.meta.url).href;
    const times = ['2026-03-29T01:30:00Z', '2026-10-24T23:30:00Z', '2026-10-25T02:30:00Z'];
    const script = `const { localTime } = await import(${JSON.stringify(module)});
      console.log(${JSON.stringify(times)}.map(localTime).join(' '));`;
    const shown = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, TZ: 'Europe/Berlin' },
      encoding: 'utf8',
    });
    expect(shown.trim().split(' ')).toEqual([
      ...['2026-03-29T03:30', '2026-10-25T01:30', '2026-10-25T03:30'],
    ]);
  });
});

describe('those before the end of the list', () => {
  it('are in the same range, though it counts back from now', () => {
    const query = new URLSearchParams('range=24h&source=web&event=1');
    const { since } = queryOf(filterOf(query), NOW);
    const address = new URL(addressBefore(NOW - 1_000, query, since), 'http://localhost');
    expect(queryOf(filterOf(address.searchParams), NOW + 3_600_000)).toMatchObject({
      source: 'web',
      since: '2026-11-19T12:34:56.000Z',
      until: '2026-11-20T12:34:55.000Z',
    });
    expect(address.searchParams.has('event')).toBe(false);
  });
});
