import { describe, expect, it } from 'vitest';
import type { Preview } from '../../server/rules/schema.ts';
import { finding, firings, unjudged, warning } from '../../ui/src/pages/rules/editor/finding.ts';
import { blank } from '../../ui/src/pages/rules/editor/form.ts';

const START = new Date(2026, 10, 17, 14, 0).getTime();
const at = (cycle: number) => START + cycle * 15 * 60_000;

/** One letter for each cycle: f fires with an alert, w fires without, q quiet, s skipped. */
function preview(states: string, values: (number | null)[] = []): Preview {
  const points = states.split('').map((letter, i) => ({
    timestamp: new Date(at(i)).toISOString(),
    state:
      letter === 'q'
        ? ('quiet' as const)
        : letter === 's'
          ? ('skipped' as const)
          : ('fires' as const),
    ...{ value: values[i] ?? null, expected: null, alert: letter === 'f' },
    message: letter === 's' ? `collector was offline 07:${10 + i}–08:00` : `message ${i}`,
  }));
  const fired = points.filter(({ alert }) => alert).length;
  return {
    from: new Date(START - 14 * 86_400_000).toISOString(),
    to: new Date(START).toISOString(),
    ...{ fired, skipped: points.filter(({ state }) => state === 'skipped').length },
    ...{ fired_a_day: (fired / points.length) * 96, points },
  };
}
const form = { ...blank(), eventType: 'purchase' };

describe('what a backtest found', () => {
  it('is told by how often and when', () => {
    expect(finding(preview('qfqqfffqq'), form)).toBe(
      'Would have fired 2 times in 14 days, last on Tue 17 Nov 15:00',
    );
    expect(finding(preview('qfq'), form)).toBe(
      'Would have fired once in 14 days, on Tue 17 Nov 14:15',
    );
  });

  it('is how near it came, where it did not fire', () => {
    expect(finding(preview('qqq', [9, 3, 5]), form)).toBe(
      'Would not have fired in 14 days; closest: 3 on Tue 17 Nov 14:15',
    );
    expect(finding(preview('qq', [9, 3]), { ...form, operator: '>' })).toContain('closest: 9');
    expect(finding(preview('qq', [0, 0]), { ...form, type: 'missing_field' })).toBe(
      'Would not have fired in 14 days',
    );
  });

  it('is that nothing could be said, where nothing could', () => {
    expect(finding(preview('ss'), form)).toBe('Could not have been judged in 14 days');
    expect(finding(preview(''), form)).toBe('There is nothing to look back at yet');
  });

  it('takes cycles in a row as one firing, also over those that could not be judged', () => {
    expect(firings(preview('wffsfqf').points)).toEqual([
      { from: at(6), to: at(6), alerts: 1, message: 'message 6' },
      { from: at(1), to: at(4), alerts: 3, message: 'message 1' },
    ]);
  });

  it('warns of a rule that nobody would listen to for long', () => {
    expect(warning(preview('f'.padEnd(96, 'q')))).toBeUndefined();
    expect(warning(preview('fq'.repeat(10)))).toContain('cry wolf: about 48 alerts a day');
    expect(warning(preview('q'.repeat(8) + 'f'.repeat(8)))).toContain('gone on firing for 2 h');
  });

  it('counts what could not be judged, with the commonest reason', () => {
    expect(unjudged(preview('qf'))).toBeUndefined();
    expect(unjudged(preview('qssq'))).toBe(
      '2 of 4 checks could not be judged, mostly: collector was offline 07:11–08:00',
    );
  });
});
