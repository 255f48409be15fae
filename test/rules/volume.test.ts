import { describe, expect, it } from 'vitest';
import { questionsOf } from '../../server/rules/evaluate.ts';
import { HOUR, moment, NOON, verdict, volume, windows } from './parts.ts';

/** 24 an hour in the day before, so that the expectation is 24. */
const DAYS_EVENTS = 24 * 24;

describe('a volume', () => {
  it.each([
    // threshold, events expected, just on the quiet side, at the threshold, beyond
    [-50, 24, 13, 12, 11],
    [-100, 24, 1, 0, 0],
    [50, 24, 35, 36, 37],
    [200, 24, 71, 72, 73],
    [-25, 24, 19, 18, 0],
    [0.5, 2400, 2411, 2412, 2413],
    [-0.5, 2400, 2389, 2388, 2387],
  ])(
    'with %d percent of %d is quiet at %d, and fires at %d and %d',
    (threshold_percent, ...counts) => {
      const [expected, ...currents] = counts;
      const states = (rule: ReturnType<typeof volume>, before: number[]) =>
        currents.map((current) => verdict(rule, [current, ...before]).state);
      const wanted = ['quiet', 'fires', 'fires'];
      expect(states(volume({ threshold_percent }), [24 * expected])).toEqual(wanted);
      const previous = volume({ threshold_percent, baseline: 'previous' });
      expect(states(previous, [expected])).toEqual(wanted);
      const seasonal = volume({ threshold_percent, baseline: 'seasonal' });
      const weeks = [expected - 2, expected + 40, expected, expected];
      expect(states(seasonal, weeks)).toEqual(wanted);
    },
  );

  it.each([
    [-50, 6, 'purchase is down 75%: 6 events in the last 60 min, 24 expected'],
    [-50, 0, 'purchase is down 100%: 0 events in the last 60 min, 24 expected'],
    [50, 36, 'purchase is up 50%: 36 events in the last 60 min, 24 expected'],
    [200, 101, 'purchase is up 321%: 101 events in the last 60 min, 24 expected'],
  ])('with %d percent and %d says by how much', (threshold_percent, current, message) => {
    expect(verdict(volume({ threshold_percent }), [current, DAYS_EVENTS])).toEqual({
      ...{ state: 'fires', value: current, expected: 24, message },
    });
  });

  it('that is quiet shows what was expected', () => {
    expect(verdict(volume(), [20, DAYS_EVENTS])).toEqual({
      ...{ state: 'quiet', value: 20, expected: 24, message: null },
    });
  });

  it('that falls does not fire when it watches for a rise, nor the other way round', () => {
    expect(verdict(volume({ threshold_percent: 50 }), [0, DAYS_EVENTS]).state).toBe('quiet');
    expect(verdict(volume(), [500, DAYS_EVENTS]).state).toBe('quiet');
  });
});

describe('a baseline of few events', () => {
  const skipped = (events: string, current = 0) => ({
    ...{ state: 'skipped', value: current, expected: null },
    message: `only ${events} events in the baseline`,
  });

  it.each(['average', 'previous'])('skips the rule below 10, by the %s', (baseline) => {
    const rule = volume({ baseline, threshold_percent: -100 });
    expect(verdict(rule, [0, 9])).toEqual(skipped('9'));
    expect(verdict(rule, [0, 10]).state).toBe('fires');
    expect(verdict(rule, [0, 11]).state).toBe('fires');
  });

  it('skips the rule below 10 in the median of the weeks', () => {
    const rule = volume({ baseline: 'seasonal', threshold_percent: -100 });
    expect(verdict(rule, [0, 9, 0, 9, 90])).toEqual(skipped('9'));
    expect(verdict(rule, [0, 9, 10, 0, 90])).toEqual(skipped('9.5'));
    expect(verdict(rule, [0, 10, 10, 0, 90]).state).toBe('fires');
    expect(verdict(rule, [0, 11, 11, 0, 90]).state).toBe('fires');
  });

  it('is enough where the rule says so', () => {
    expect(verdict(volume({ min_baseline_events: 1 }), [0, 1]).state).toBe('fires');
    expect(verdict(volume({ min_baseline_events: 500 }), [0, 499])).toEqual(skipped('499'));
    expect(verdict(volume({ min_baseline_events: 500 }), [0, 500]).state).toBe('fires');
  });

  it.each([
    ['average', [0]],
    ['previous', [0]],
    ['seasonal', [0, 0, 0, 0]],
  ])('of none leads to no change by the %s, whatever came', (baseline, before) => {
    for (const threshold_percent of [-100, -50, 50]) {
      const rule = volume({ baseline, threshold_percent, min_baseline_events: 0 });
      for (const current of [0, 1, 1000]) {
        expect(verdict(rule, [current, ...before])).toEqual(skipped('0', current));
      }
    }
  });
});

describe('the windows of a volume', () => {
  it.each([
    ['average', 60, 24, [-1500, -60]],
    ['average', 15, 1, [-75, -15]],
    ['average', 0.5, 0.5, [-30.5, -0.5]],
    ['previous', 60, 24, [-1500, -1440]],
    ['previous', 60, 1, [-120, -60]],
    ['previous', 15, 168, [-10_095, -10_080]],
  ])('by the %s are the last %d min and %d h before', (baseline, minutes, hours, before) => {
    const config = { current_window_minutes: minutes, comparison_window_hours: hours };
    expect(windows(volume({ baseline, ...config }))).toEqual([[-minutes, 0], before]);
  });

  it('by the season are the same hour of four weeks', () => {
    const week = 7 * 24 * 60;
    expect(windows(volume({ baseline: 'seasonal' }))).toEqual([
      [-60, 0],
      ...[1, 2, 3, 4].map((weeks) => [-weeks * week - 60, -weeks * week]),
    ]);
  });

  it('count events of the type, from all sources', () => {
    expect(questionsOf(volume(), moment())).toEqual([
      {
        ...{ tenant: 'tenant', event_type: 'purchase', measure: { of: 'count' } },
        ...{ from: NOON - HOUR, to: NOON },
      },
      {
        ...{ tenant: 'tenant', event_type: 'purchase', measure: { of: 'count' } },
        ...{ from: NOON - 25 * HOUR, to: NOON - HOUR },
      },
    ]);
  });

  it('are cut to the millisecond', () => {
    const rule = volume({ current_window_minutes: 1 / 3, comparison_window_hours: 1 / 7 });
    const [current, before] = questionsOf(rule, moment({ at: NOON + 1 }));
    expect([current?.from, current?.to]).toEqual([NOON + 1 - 20_000, NOON + 1]);
    expect([before?.from, before?.to]).toEqual([NOON + 1 - 20_000 - 514_286, NOON + 1 - 20_000]);
  });
});
