import { describe, expect, it } from 'vitest';
import { moment, offline, verdict, volume } from './parts.ts';

describe('a rule that fires only beyond chance', () => {
  // The 24 hours of the baseline hold 24 times what an hour of it does.
  const average = (expected: number, current: number, more: object = {}) =>
    verdict(volume({ min_baseline_events: 0, ...more }), [current, expected * 24]).state;

  it.each([
    [4, 0, 'quiet'],
    [7, 0, 'fires'],
    [20, 9, 'quiet'],
    [20, 8, 'fires'],
    [400, 200, 'fires'],
  ])('with %d expected and %d received is %s', (expected, current, state) => {
    expect(average(expected, current)).toBe('fires');
    expect(average(expected, current, { beyond_chance: true })).toBe(state);
  });

  it('asks for more when the baseline is a count of one window itself', () => {
    const one = (baseline: string, before: number[]) =>
      verdict(volume({ beyond_chance: true, baseline }), [5, ...before]).state;
    expect(one('previous', [20])).toBe('quiet');
    expect(one('seasonal', [20, 20, 20, 20])).toBe('fires');
    expect(one('previous', [24])).toBe('fires');
  });

  it('still needs the change that it names', () => {
    expect(average(400, 201, { beyond_chance: true })).toBe('quiet');
  });

  it('looks at rises too', () => {
    const rise = { threshold_percent: 50, beyond_chance: true };
    expect(average(4, 8, rise)).toBe('quiet');
    expect(average(4, 9, rise)).toBe('fires');
  });
});

describe('a recent window that was heard in part', () => {
  it('is held against as much of the baseline when it watches for a drop', () => {
    const part = offline([6, 0]);
    expect(verdict(volume(), [10, 576], part)).toMatchObject({ state: 'fires', expected: 21.6 });
    expect(verdict(volume(), [11, 576], part)).toMatchObject({ state: 'quiet', expected: 21.6 });
  });

  it('is held against all of it when it watches for a rise', () => {
    const rise = volume({ threshold_percent: 50 });
    expect(verdict(rise, [30, 576], offline([50, 0]))).toMatchObject({ expected: 24 });
  });

  it('has not ended what it could not hear', () => {
    const rise = volume({ threshold_percent: 50 });
    expect(verdict(rise, [0, 576], offline([60, 0])).state).toBe('skipped');
    expect(verdict(rise, [0, 576], moment()).state).toBe('quiet');
  });
});
