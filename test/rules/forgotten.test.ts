import { describe, expect, it } from 'vitest';
import { DAY, HOUR, moment, NOON, threshold, verdict, volume, WEEK } from './parts.ts';

const WHY = 'the window begins before the oldest events that are kept';

describe('windows of which the beginning was deleted', () => {
  const kept = (days: number) => moment({ countedSince: NOON - days * DAY });

  it('are no baseline', () => {
    const rise = volume({ threshold_percent: 100, comparison_window_hours: 168 });
    expect(verdict(rise, [100, 7200], kept(3))).toMatchObject({ state: 'skipped', message: WHY });
    expect(verdict(rise, [100, 7200], kept(8)).state).toBe('fires');
  });

  it('are no week of a season', () => {
    const rise = volume({ baseline: 'seasonal', threshold_percent: 50 });
    const two = moment({ countedSince: NOON - 2 * WEEK - HOUR });
    expect(verdict(rise, [100, 100, 100, 0, 0], two).state).toBe('quiet');
    expect(verdict(rise, [100, 100, 100, 0, 0], kept(10)).state).toBe('skipped');
  });

  it('say nothing about too little', () => {
    const rule = threshold({ operator: '<', value: 10, window_minutes: 2880 });
    expect(verdict(rule, [5], kept(1))).toMatchObject({ state: 'skipped', message: WHY });
    expect(verdict(rule, [5], kept(2)).state).toBe('fires');
  });

  it('do not hide too much', () => {
    const rule = threshold({ operator: '>', value: 10, window_minutes: 2880 });
    expect(verdict(rule, [11], kept(1)).state).toBe('fires');
    const sum = threshold({ operator: '>', field: 'sum:v', value: 10, window_minutes: 2880 });
    expect(verdict(sum, [11], moment({ keptSince: NOON - DAY })).state).toBe('skipped');
  });

  it('are told by the events themselves where values are measured', () => {
    const rule = threshold({ field: 'sum:v', operator: '<', value: 10, window_minutes: 2880 });
    const at = moment({ keptSince: NOON - DAY, countedSince: NOON - 400 * DAY });
    expect(verdict(rule, [5], at).state).toBe('skipped');
    expect(verdict(rule, [5], { ...at, keptSince: NOON - 2 * DAY }).state).toBe('fires');
  });
});
