import { describe, expect, it } from 'vitest';
import { RANGES, bucketsOf } from '../../server/platform/buckets.ts';
import { pickedOf } from '../../ui/src/pages/events/filter.ts';

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
