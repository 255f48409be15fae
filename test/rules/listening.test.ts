import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gapsIn, lengthOf } from '../../server/rules/listening.ts';
import type { Span } from '../../server/rules/schema.ts';
import { DAY, moment, NOON, offline, threshold, verdict, volume, WEEK } from './parts.ts';

describe('the gaps in a window', () => {
  const heard = [
    { from: 10, to: 20 },
    { from: 30, to: 40 },
    { from: 50, to: 60 },
  ];

  it.each([
    ['none where somebody listened throughout', [12, 18], []],
    ['none from edge to edge of a span', [10, 20], []],
    ['all of it between spans', [20, 30], [[20, 30]]],
    ['all of it before the first', [0, 5], [[0, 5]]],
    ['all of it after the last', [60, 70], [[60, 70]]],
    ['what precedes a span', [5, 15], [[5, 10]]],
    ['what follows a span', [15, 25], [[20, 25]]],
    // prettier-ignore
    ['what lies around and between', [0, 100], [[0, 10], [20, 30], [40, 50], [60, 100]]],
    ['none in a window without length', [25, 25], []],
  ])('are %s', (_, [from = 0, to = 0], gaps) => {
    expect(gapsIn(heard, { from, to }).map((gap) => [gap.from, gap.to])).toEqual(gaps);
  });

  it('are the whole window when nobody ever listened', () => {
    expect(gapsIn([], { from: 1, to: 5 })).toEqual([{ from: 1, to: 5 }]);
    expect(lengthOf([])).toBe(0);
  });

  it('and what was heard fill the window', () => {
    const spans = fc
      .uniqueArray(fc.nat({ max: 200 }), { maxLength: 40 })
      .map((edges) => edges.sort((a, b) => a - b))
      .map((edges) =>
        edges.flatMap((from, i): Span[] => {
          const to = edges[i + 1];
          return i % 2 === 0 && to !== undefined ? [{ from, to }] : [];
        }),
      );
    fc.assert(
      fc.property(spans, fc.nat({ max: 200 }), fc.nat({ max: 200 }), (listening, from, length) => {
        const isHeard = (time: number) => listening.some((s) => s.from <= time && time < s.to);
        const times = Array.from({ length }, (_, i) => from + i);
        const gaps = gapsIn(listening, { from, to: from + length });
        const isGap = (time: number) => gaps.some((gap) => gap.from <= time && time < gap.to);
        expect(times.filter(isGap)).toEqual(times.filter((time) => !isHeard(time)));
        expect(lengthOf(gaps)).toBe(times.filter(isGap).length);
      }),
    );
  });
});

describe('the reason of a rule that is skipped', () => {
  const silent = threshold({ operator: '<', value: 1, window_minutes: 600 });
  const reason = (at: ReturnType<typeof offline>) => verdict(silent, [0], at).message;

  it('says when nobody listened', () => {
    const rule = threshold({ operator: '<', value: 1, window_minutes: 480 });
    expect(verdict(rule, [0], offline([288, 237])).message).toBe(
      'collector was offline 07:12–08:03',
    );
  });

  it('names three times, and how many more there were', () => {
    const gaps = [550, 450, 350, 250, 150].map((from) => [from, from - 40] as const);
    const three = '02:50–03:30, 04:30–05:10, 06:10–06:50';
    expect(reason(offline(...gaps.slice(0, 3)))).toBe(`collector was offline ${three}`);
    expect(reason(offline(...gaps))).toBe(`collector was offline ${three} and 2 times more`);
  });

  it('names the part of it that lies in the window', () => {
    expect(reason(offline([5000, 300]))).toBe('collector was offline 02:00–07:00');
    expect(reason(moment({ listening: [] }))).toBe('collector was offline 02:00–12:00');
  });

  it('names the date of another day', () => {
    const dayLong = threshold({ operator: '<', value: 1, window_minutes: 1440 });
    expect(verdict(dayLong, [0], offline([1000, 600])).message).toBe(
      'collector was offline 2026-01-30 19:20–2026-01-31 02:00',
    );
  });

  it('adds up gaps that are each too short to matter', () => {
    const gaps = (length: number) => [500, 300, 100].map((from) => [from, from - length] as const);
    expect(verdict(silent, [1], offline(...gaps(20))).state).toBe('quiet');
    expect(verdict(silent, [1], offline(...gaps(20.1))).state).toBe('skipped');
  });
});

describe('a volume with the collector off in the recent window', () => {
  it('is skipped for a drop beyond a tenth', () => {
    expect(verdict(volume(), [0, 576], offline([30, 24])).state).toBe('fires');
    expect(verdict(volume(), [3, 576], offline([30, 23]))).toEqual({
      ...{ state: 'skipped', value: 3, expected: null },
      message: 'collector was offline 11:30–11:37',
    });
  });

  it('is judged for a rise', () => {
    const rise = volume({ threshold_percent: 50 });
    expect(verdict(rise, [36, 576], offline([60, 1])).state).toBe('fires');
    expect(verdict(rise, [35, 576], offline([60, 1])).state).toBe('quiet');
  });
});

describe('the average of a baseline with the collector off', () => {
  // The 24 hours before the last one are 1500 to 60 minutes ago.
  it('is taken over the time that was listened to', () => {
    // 144 of 1440 minutes are a tenth.
    const tenth = offline([1500, 1356]);
    expect(verdict(volume(), [10, 432], tenth)).toMatchObject({ state: 'fires', expected: 20 });
    expect(verdict(volume(), [11, 432], tenth)).toMatchObject({ state: 'quiet', expected: 20 });
  });

  it.each([-50, 50])('says nothing beyond a tenth, with a threshold of %d', (threshold_percent) => {
    const rule = volume({ threshold_percent });
    expect(verdict(rule, [40, 576], offline([1500, 1355]))).toEqual({
      ...{ state: 'skipped', value: 40, expected: null },
      message: 'collector was offline 2026-01-30 11:00–13:25, in the baseline',
    });
  });

  it('says nothing when nobody listened then', () => {
    const rule = volume({ threshold_percent: 50, min_baseline_events: 0 });
    expect(verdict(rule, [5, 0], offline([3000, 60])).state).toBe('skipped');
  });
});

describe('the window of a previous day with the collector off', () => {
  it.each([-50, 50])('says nothing beyond a tenth, with a threshold of %d', (threshold_percent) => {
    const rule = volume({ baseline: 'previous', threshold_percent });
    const current = threshold_percent < 0 ? 0 : 500;
    // 1500 to 1440 minutes ago.
    expect(verdict(rule, [current, 24], offline([1500, 1494])).state).toBe('fires');
    expect(verdict(rule, [current, 24], offline([1500, 1493]))).toMatchObject({
      state: 'skipped',
      message: 'collector was offline 2026-01-30 11:00–11:07, in the baseline',
    });
    expect(verdict(rule, [current, 24], offline([1400, 100])).state).toBe('fires');
  });
});

describe('the season of weeks with the collector off', () => {
  const rule = volume({ baseline: 'seasonal', threshold_percent: -50 });
  const counts = [100, 10, 40, 20];
  /** Off around the same time, so many weeks ago. */
  const without = (...weeks: number[]) =>
    offline(
      ...weeks
        .sort((a, b) => b - a)
        .map((week) => [(week * WEEK) / 60_000 + 60, (week * WEEK) / 60_000] as const),
    );

  it.each([
    ['four', [], 30, 30],
    ['three', [1], 15, 30],
    ['three others', [2], 30, 70],
    ['two', [1, 3], 10, 20],
    ['two others', [2, 4], 40, 100],
  ])(
    'is the median of %s, and nearer to the present for those that are missing',
    (_, weeks, low, high) => {
      const at = without(...weeks);
      const judged = (threshold_percent: number, current: number) =>
        verdict(volume({ baseline: 'seasonal', threshold_percent }), [current, ...counts], at);
      expect(judged(-50, low / 2)).toMatchObject({ state: 'fires', expected: low });
      expect(judged(-50, low / 2 + 1)).toMatchObject({ state: 'quiet', expected: low });
      expect(judged(50, high * 1.5)).toMatchObject({ state: 'fires', expected: high });
      expect(judged(50, high * 1.5 - 1)).toMatchObject({ state: 'quiet', expected: high });
    },
  );

  it.each([
    ['one', [1, 2, 4], 1],
    ['none', [1, 2, 3, 4], 0],
  ])('is not known from %s', (_, weeks, left) => {
    expect(verdict(rule, [5, ...counts], without(...weeks))).toEqual({
      ...{ state: 'skipped', value: 5, expected: null },
      message: `the collector listened at this time in ${left} of 4 weeks`,
    });
  });

  it('is not known before there was a collector', () => {
    const since = (days: number) =>
      moment({ listening: [{ from: NOON - days * DAY, to: NOON + DAY }] });
    expect(verdict(rule, [5, ...counts], since(14)).state).toBe('skipped');
    expect(verdict(rule, [5, ...counts], since(15))).toMatchObject({ expected: 10 });
  });
});
