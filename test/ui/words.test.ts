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
  visible,
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

describe('what strangers wrote', () => {
  it('shows what cannot be seen, or turns the text around it', () => {
    expect(visible('zero\u200bwidth')).toBe('zero‹U+200B›width');
    expect(visible('\u200b')).toBe('‹U+200B›');
    expect(visible('a\u202eb\u2066c')).toBe('a‹U+202E›b‹U+2066›c');
    expect(visible('a\u0000\n\u009f\u2028\ufeff')).toBe(
      'a‹U+0000›‹U+000A›‹U+009F›‹U+2028›‹U+FEFF›',
    );
    expect(visible('a\ufe0f\u{e0041}\u3164')).toBe('a‹U+FE0F›‹U+E0041›‹U+3164›');
    expect(visible('1\u200d2\ufe0f')).toBe('1‹U+200D›2‹U+FE0F›');
    expect(visible(' \u00a0')).toBe('‹U+0020›‹U+00A0›');
    expect(visible('{\n\t"a": "\u202e"\n}', '\n\t')).toBe('{\n\t"a": "‹U+202E›"\n}');
  });

  it('stays as it is where all of it can be seen, or is needed', () => {
    const seen = [
      '',
      'a b',
      'שלום',
      'مرحبا',
      'می\u200cخواهم',
      'क्\u200dष',
      '👩\u200d👩\u200d👧',
      '❤\ufe0f\u200d🔥',
      '1\ufe0f\u20e3',
    ];
    expect(seen.map((text) => visible(text))).toEqual(seen);
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
