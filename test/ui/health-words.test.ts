import { describe, expect, it } from 'vitest';
import type { RuleView } from '../../server/rules/schema.ts';
import { healthWords } from '../../ui/src/lib/health-words.ts';

// A Friday.
const NOW = new Date(2026, 10, 20, 15, 5).getTime();
const NOTHING_OPEN = { critical: 0, warning: 0, info: 0 };

function rule(
  name: string,
  state: 'fires' | 'quiet' | null,
  more: Partial<RuleView> = {},
): RuleView {
  return {
    id: name,
    name,
    rule_type: 'threshold',
    is_active: true,
    config: { severity: 'critical' } as RuleView['config'],
    last_verdict: state && { state, value: 0, expected: null, message: null },
    ...{ tags: [], category: null, created_at: '', updated_at: '', last_evaluated_at: null },
    ...more,
  };
}

const calm = {
  rules: [rule('Purchases stopped', 'quiet')],
  open: NOTHING_OPEN,
  lastHour: { count: 1284, usual: 1300, low: 1100, high: 1500 },
  hasEvents: true,
  isListening: true,
  firingSince: new Map<string, number>(),
  now: NOW,
};

describe('the sentence on the overview', () => {
  it('is calm when all is well, and says how busy it is', () => {
    expect(healthWords(calm)).toEqual({
      mark: 'healthy',
      sentence: 'Tracking is healthy.',
      more: '1,284 events in the last hour, as on a usual Friday.',
    });
  });

  it('names the gravest rule that fires, since when, and how many there are', () => {
    const words = healthWords({
      ...calm,
      rules: [
        rule('Field gone', 'fires', { config: { severity: 'warning' } as RuleView['config'] }),
        rule('Purchases stopped', 'fires'),
      ],
      firingSince: new Map([['Purchases stopped', new Date(2026, 10, 20, 14, 5).getTime()]]),
    });
    expect(words.mark).toBe('critical');
    expect(words.sentence).toBe('Purchases stopped, firing since 14:05. 1 more rule is firing.');
  });

  it('says which day it began, when it was not today', () => {
    const since = new Map([['A', new Date(2026, 10, 18, 9, 0).getTime()]]);
    const { sentence } = healthWords({ ...calm, rules: [rule('A', 'fires')], firingSince: since });
    expect(sentence).toBe('A, firing since Wednesday 09:00.');
  });

  it('takes no notice of what a paused rule found', () => {
    const rules = [rule('A', 'fires', { is_active: false }), rule('B', 'quiet')];
    expect(healthWords({ ...calm, rules }).mark).toBe('healthy');
  });

  it('does not call it healthy while alerts are open', () => {
    const words = healthWords({ ...calm, open: { critical: 0, warning: 1, info: 0 } });
    expect(words.mark).toBe('warning');
    expect(words.sentence).toBe('No rule is firing now. 1 alert is still open.');
  });

  it('does not call it healthy where nothing watches, or nothing came', () => {
    expect(healthWords({ ...calm, rules: [] }).mark).toBe('info');
    expect(healthWords({ ...calm, hasEvents: false }).mark).toBe('waiting');
    expect(healthWords({ ...calm, rules: [rule('A', null)] }).sentence).toBe(
      '1 rule will be checked at 15:15.',
    );
  });

  it('says first of all when nobody listens', () => {
    const words = healthWords({ ...calm, isListening: false, rules: [rule('A', 'fires')] });
    expect(words.sentence).toBe('Vedette is not taking events.');
  });

  it('tells fewer and more than usual from usual', () => {
    const said = (count: number) =>
      healthWords({ ...calm, lastHour: { count, usual: 1300, low: 1100, high: 1500 } }).more;
    expect(said(400)).toBe(
      '400 events in the last hour, fewer than on a usual Friday (1,100 to 1,500).',
    );
    expect(said(4000)).toBe(
      '4,000 events in the last hour, more than on a usual Friday (1,100 to 1,500).',
    );
    expect(said(1)).toMatch(/^1 event in/);
  });

  it('compares with nothing while nothing is known', () => {
    const lastHour = { count: 3, usual: null, low: null, high: null };
    expect(healthWords({ ...calm, lastHour }).more).toBe('3 events in the last hour.');
  });
});
