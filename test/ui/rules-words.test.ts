import { describe, expect, it, vi } from 'vitest';
import type { RuleView, ThresholdConfig } from '../../server/rules/schema.ts';
import { describeRule } from '../../ui/src/lib/rule-words.ts';
import {
  cellsIn,
  cellsInDay,
  cellsOf,
  cellWords,
  daysBack,
} from '../../ui/src/pages/rules/cells.ts';
import { filterOf, matches, sorted, verdictWords } from '../../ui/src/pages/rules/list.ts';

const every = { severity: 'warning', consecutive: 1 } as const;
const threshold: ThresholdConfig = {
  ...{ event_type: 'purchase', field: 'count', operator: '<', value: 1, window_minutes: 60 },
  ...every,
};

function rule(name: string, more: Partial<RuleView> = {}): RuleView {
  return {
    ...{ id: name, name, rule_type: 'threshold', config: threshold, is_active: true },
    ...{ tags: [], category: null, created_at: '', updated_at: '' },
    ...{ last_evaluated_at: null, last_verdict: null, ...more },
  };
}
const verdict = (state: 'fires' | 'quiet' | 'skipped', value: number | null = 0) => ({
  ...{ state, value, expected: null, message: null },
});

describe('the words for a rule', () => {
  it('say what a threshold watches', () => {
    const words = (more: object) =>
      describeRule({ rule_type: 'threshold', config: { ...threshold, ...more } });
    expect(words({})).toBe('purchase: fewer than 1 in 1 h');
    expect(words({ source: 'web', operator: '==', value: 0 })).toBe(
      'purchase: none in 1 h from web',
    );
    expect(words({ field: 'avg:value', operator: '<', value: 9.5, consecutive: 2 })).toBe(
      'purchase: average value less than 9.5 in 1 h, 2 times in a row',
    );
  });

  it('say which fields must be there', () => {
    const words = (required_fields: string[]) =>
      describeRule({
        rule_type: 'missing_field',
        config: { event_type: 'a', required_fields, ...every },
      });
    expect(words(['x'])).toBe('a: without x');
    expect(words(['x', 'y'])).toBe('a: without x or y');
    expect(words(['x', 'y', 'z'])).toBe('a: without x, y or z');
    expect(words(['x', 'y', 'z', 'u'])).toBe('a: without x, y or 2 other fields');
  });

  it('say what a change of volume is held against', () => {
    const words = (more: object) =>
      describeRule({
        rule_type: 'volume',
        config: {
          ...{ event_type: 'a', threshold_percent: -50, current_window_minutes: 60 },
          ...{ comparison_window_hours: 168, min_baseline_events: 10, baseline: 'seasonal' },
          ...{ beyond_chance: true, ...every, ...more },
        },
      });
    expect(words({})).toBe('a: down 50% or more in 1 h against the usual at this time of the week');
    expect(words({ threshold_percent: 20, baseline: 'previous' })).toBe(
      'a: up 20% or more in 1 h against the same time 7 days before',
    );
    expect(words({ baseline: 'average', comparison_window_hours: 24 })).toContain(
      'the 1 day before',
    );
  });
});

describe('the list of rules', () => {
  it('has what fires first, the gravest of it at the top, then names as people count', () => {
    const grave = { ...threshold, severity: 'critical' } as const;
    const names = sorted([
      rule('Rule 10'),
      rule('rule 2'),
      rule('z', { last_verdict: verdict('fires') }),
      rule('paused', { last_verdict: verdict('fires'), is_active: false }),
      rule('zz', { last_verdict: verdict('fires'), config: grave }),
    ]).map(({ name }) => name);
    expect(names).toEqual(['zz', 'z', 'paused', 'rule 2', 'Rule 10']);
  });

  it('is filtered by the address', () => {
    const one = rule('Stopped', { tags: ['shop'], category: 'Checkout' });
    const fits = (query: string) => matches(one, filterOf(new URLSearchParams(query)));
    expect(fits('')).toBe(true);
    expect(fits('text=FEWER than&state=waiting&severity=warning&type=threshold')).toBe(true);
    expect(fits('tag=shop&category=Checkout')).toBe(true);
    for (const query of ['text=other', 'state=paused', 'severity=info', 'type=volume', 'tag=sho']) {
      expect(fits(query), query).toBe(false);
    }
  });

  it('says what was found', () => {
    expect(verdictWords(rule('a', { last_verdict: verdict('fires') }))).toBe('0, fires below 1');
    const expected = { ...verdict('quiet', 9), expected: 18.25 };
    expect(verdictWords(rule('a', { last_verdict: expected }))).toBe('9, 18.3 expected');
    const skipped = { ...verdict('skipped', null), message: 'collector was offline' };
    expect(verdictWords(rule('a', { last_verdict: skipped }))).toBe('collector was offline');
    expect(verdictWords(rule('a', { last_verdict: skipped, is_active: false }))).toBe('');
  });
});

describe('the cells of a day', () => {
  const at = (timestamp: string, state: 'fires' | 'quiet' | 'skipped') => ({
    ...{ timestamp, alert: false, ...verdict(state) },
  });

  it('show the gravest of what a quarter of an hour found', () => {
    const points = [
      at('2026-11-20T10:15:00Z', 'skipped'),
      at('2026-11-20T10:15:40Z', 'fires'),
      at('2026-11-20T10:15:50Z', 'quiet'),
      at('2026-11-20T10:00:00Z', 'quiet'),
      at('2026-11-20T03:00:00Z', 'fires'),
    ];
    const cells = cellsOf(points, Date.parse('2026-11-20T09:30:00Z'), 4);
    expect(cells).toEqual([undefined, undefined, 'quiet', 'fires']);
    expect(cellWords(cells)).toBe('fired in 1 of 2 checks');
  });

  it('come packed in letters', () => {
    expect(cellsIn('-qsf')).toEqual([undefined, 'quiet', 'skipped', 'fires']);
  });

  it('end where the next day begins, also when the clocks are changed', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const noon = new Date(2026, 2, 30, 12).getTime();
    expect(daysBack(noon, 3).map(cellsInDay)).toEqual([96, 92, 96]);
    expect(cellsInDay(new Date(2026, 9, 25).getTime())).toBe(100);
    vi.unstubAllEnvs();
  });

  it('have words for those who do not see them', () => {
    expect(cellWords([undefined])).toBe('not checked');
    expect(cellWords(['quiet', 'skipped', 'quiet'])).toBe(
      'quiet in 2 checks, 1 could not be judged',
    );
  });
});
