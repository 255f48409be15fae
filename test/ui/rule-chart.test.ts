import { describe, expect, it } from 'vitest';
import type { Preview, ThresholdConfig, VolumeConfig } from '../../server/rules/schema.ts';
import { firingStretches, QUARTER, ruleChart } from '../../ui/src/lib/rule-chart.ts';

const START = Date.parse('2026-03-02T10:00:00Z');
const at = (cycle: number) => START + cycle * QUARTER;

/** One letter for each cycle: f fires, q quiet, s skipped; each measured 8 and expected 10. */
const points = (states: string): Preview['points'] =>
  states.split('').map((letter, i) => ({
    timestamp: new Date(at(i)).toISOString(),
    state: letter === 'q' ? 'quiet' : letter === 's' ? 'skipped' : 'fires',
    ...{ value: 8, expected: 10, message: null, alert: false },
  }));

describe('the chart of a rule', () => {
  it('shades the quarter that was judged, up to the cycle that found it', () => {
    expect(firingStretches(points('qffqf'))).toEqual([
      { from: at(0), to: at(2) },
      { from: at(3), to: at(4) },
    ]);
  });

  it('draws no value where nothing could be judged', () => {
    const every = { event_type: 'a', severity: 'info', consecutive: 1 } as const;
    const config: VolumeConfig = {
      ...{ threshold_percent: -50, current_window_minutes: 60, comparison_window_hours: 24 },
      ...{ min_baseline_events: 10, baseline: 'previous', beyond_chance: false, ...every },
    };
    const { series, threshold } = ruleChart(points('qs'), { rule_type: 'volume', config });
    expect(series.map(({ label, values }) => [label, ...values])).toEqual([
      ['Events', 8, null],
      ['Expected', 10, null],
      ['Fires below', 5, null],
    ]);
    expect(threshold).toBeUndefined();
  });

  it('has the bound of a threshold, and the name of what it measures', () => {
    const config: ThresholdConfig = {
      ...{ event_type: 'a', field: 'unique:user', operator: '<', value: 3, window_minutes: 60 },
      ...{ severity: 'info', consecutive: 1 },
    };
    expect(ruleChart(points('f'), { rule_type: 'threshold', config })).toEqual({
      times: [at(0)],
      series: [{ label: 'different values of user', values: [8] }],
      threshold: { value: 3, label: 'Fires below 3' },
      shaded: [{ from: at(-1), to: at(0) }],
    });
  });
});
