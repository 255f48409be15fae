import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMarks, isWhole, minuteOf } from '../../server/events/marks.ts';
import type { Window } from '../../server/events/marks.ts';
import { HOUR, MINUTE, NOON } from './answers-parts.ts';

const lengths = (windows: readonly Window[]) =>
  createMarks(windows)
    .segments()
    .map(({ from, to }) => [from - NOON, to - NOON]);

describe('marks', () => {
  it('leave a window of whole minutes in one piece', () => {
    expect(lengths([{ from: NOON, to: NOON + HOUR }])).toEqual([[0, HOUR]]);
  });

  it('cut out a minute within which a window begins or ends', () => {
    const window = { from: NOON + 20_000, to: NOON + 2 * MINUTE + 5 };
    expect(lengths([window])).toEqual([
      [20_000, MINUTE],
      [MINUTE, 2 * MINUTE],
      [2 * MINUTE, 2 * MINUTE + 5],
    ]);
  });

  it('keep a window within a minute as it is', () => {
    expect(lengths([{ from: NOON + 1, to: NOON + 3 }])).toEqual([[1, 3]]);
  });

  it('leave out what lies between windows, and a window without length', () => {
    const windows = [
      { from: NOON, to: NOON + MINUTE },
      { from: NOON + HOUR, to: NOON + HOUR + MINUTE },
      { from: NOON + 2 * MINUTE, to: NOON + 2 * MINUTE },
    ];
    expect(lengths(windows)).toEqual([
      [0, MINUTE],
      [HOUR, HOUR + MINUTE],
    ]);
  });

  it('refuse a window that they were not made of', () => {
    const marks = createMarks([{ from: NOON, to: NOON + MINUTE }]);
    expect(() => marks.range({ from: NOON, to: NOON + 1 })).toThrow('was not among those');
  });

  it('need no window', () => {
    expect(createMarks([]).segments()).toEqual([]);
  });

  const time = fc.integer({ min: 0, max: 5 * MINUTE }).map((ms) => NOON + ms);
  const edge = fc.oneof(time, time.map(minuteOf));
  const window = fc
    .tuple(edge, edge)
    .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));

  it('make segments that together are just the windows, and each whole or within a minute', () => {
    fc.assert(
      fc.property(fc.array(window, { maxLength: 12 }), (windows) => {
        const marks = createMarks(windows);
        const segments = marks.segments();
        for (const given of windows) {
          const [first, end] = marks.range(given);
          const own = segments.filter(({ index }) => index >= first && index < end);
          expect(own.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(given.to - given.from);
        }
        for (const [i, { from, to }] of segments.entries()) {
          expect(windows.some((w) => w.from <= from && to <= w.to)).toBe(true);
          expect(from).toBeGreaterThanOrEqual(segments[i - 1]?.to ?? 0);
          if (!isWhole(from) || !isWhole(to)) expect(minuteOf(to - 1)).toBe(minuteOf(from));
        }
      }),
    );
  });
});
