import { describe, expect, it } from 'vitest';
import {
  ago,
  bytes,
  count,
  duration,
  listed,
  minutes,
  clockSeconds,
  moment,
  plural,
  roughly,
  short,
  utc,
} from '../../ui/src/lib/words.ts';

const NOW = new Date(2026, 10, 20, 15, 5).getTime();

describe('numbers', () => {
  it('are grouped, and shortened only where there is no room', () => {
    expect(count(1234567)).toBe('1,234,567');
    expect(short(12_480)).toBe('12.5K');
    expect([3.456, 39.46, 1239.5].map(roughly)).toEqual(['3.46', '39.5', '1,240']);
    expect(plural(1, 'event')).toBe('1 event');
    expect(plural(0, 'event')).toBe('0 events');
    expect(plural(2, 'entry', 'entries')).toBe('2 entries');
  });

  it('of bytes have the unit that fits', () => {
    expect([0, 999, 1500, 123_456, 2_500_000_000].map(bytes)).toEqual([
      ...['0 B', '999 B', '1.5 kB', '123 kB', '2.5 GB'],
    ]);
  });
});

describe('several words', () => {
  it('stand in one list', () => {
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((words) => listed(words))).toEqual([
      ...['', 'a', 'a and b', 'a, b and c'],
    ]);
    expect(listed(['a', 'b', 'c'], 'or')).toBe('a, b or c');
  });
});

describe('times', () => {
  it('are as short as they can be and still clear', () => {
    const at = (day: number, hour: number) =>
      moment(new Date(2026, 10, day, hour, 5).getTime(), NOW);
    expect(at(20, 14)).toBe('14:05');
    expect(at(19, 14)).toBe('yesterday 14:05');
    expect(at(13, 9)).toBe('Fri 13 Nov 09:05');
    expect(moment(new Date(2025, 2, 3, 9, 5).getTime(), NOW)).toBe('3 Mar 2025 09:05');
    const before = new Date(2026, 10, 9, 19, 11, 38).getTime();
    expect(moment(before, NOW, clockSeconds)).toBe('Mon 9 Nov 19:11:38');
  });

  it('have their distance in one unit', () => {
    expect(ago(NOW - 10_000, NOW)).toBe('just now');
    expect(ago(NOW - 4 * 60_000, NOW)).toBe('4 min ago');
    expect(ago(NOW - 3 * 3_600_000, NOW)).toBe('3 h ago');
    expect(ago(NOW + 5 * 60_000, NOW)).toBe('in 5 min');
    expect(duration(12 * 86_400_000)).toBe('12 days');
  });

  it('show UTC on demand', () => {
    expect(utc(Date.parse('2026-11-20T13:05:09Z'))).toBe('2026-11-20 13:05:09 UTC');
  });

  it('of windows are never rounded', () => {
    expect([15, 60, 90, 1440, 10_080, 0.5].map(minutes)).toEqual([
      ...['15 min', '1 h', '90 min', '1 day', '7 days', '0.5 min'],
    ]);
  });
});
