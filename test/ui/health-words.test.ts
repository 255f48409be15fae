import { describe, expect, it } from 'vitest';
import type { RuleHistory } from '../../server/evaluator/schema.ts';
import type { RuleView } from '../../server/rules/schema.ts';
import { healthWords } from '../../ui/src/lib/health-words.ts';

// A Friday.
const NOW = new Date(2026, 10, 20, 15, 5).getTime();
const NOTHING_OPEN = { critical: 0, warning: 0, info: 0 };

function rule(
  name: string,
  state: 'fires' | 'quiet' | 'skipped' | null,
  more: Partial<RuleView> = {},
): RuleView {
  return {
    id: name,
    name,
    rule_type: 'threshold',
    is_active: true,
    config: { severity: 'critical' } as RuleView['config'],
    last_verdict: state && {
      state,
      value: 0,
      expected: null,
      message: state === 'skipped' ? 'too new' : null,
    },
    ...{ tags: [], category: null, created_at: '', updated_at: '', last_evaluated_at: null },
    ...more,
  };
}

/** Cycles of this day, by hour and minute. */
function history(
  rule_id: string,
  ...cycles: [hour: number, minute: number, state: 'fires' | 'quiet' | 'skipped'][]
): RuleHistory {
  return {
    rule_id,
    points: cycles.map(([hour, minute, state]) => ({
      timestamp: new Date(2026, 10, 20, hour, minute).toISOString(),
      ...{ state, value: 0, expected: null, alert: false },
    })),
  };
}

const calm = {
  rules: [rule('Purchases stopped', 'quiet')],
  open: NOTHING_OPEN,
  lastHour: { count: 1284, usual: 1300, low: 1100, high: 1500, weeks: 4 },
  hasEvents: true,
  isListening: true,
  histories: [] as RuleHistory[],
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
      histories: [
        history(
          'Purchases stopped',
          [13, 50, 'quiet'],
          [14, 5, 'fires'],
          [14, 20, 'skipped'],
          [14, 35, 'fires'],
        ),
      ],
    });
    expect(words.mark).toBe('critical');
    expect(words.sentence).toBe('Purchases stopped, firing since 14:05. 1 more rule is firing.');
  });

  it('says no time that it does not know', () => {
    const rules = [rule('A', 'fires')];
    const said = (...points: Parameters<typeof history>[1][]) =>
      healthWords({ ...calm, rules, histories: [history('A', ...points)] }).sentence;
    expect(said()).toBe('A, firing.');
    expect(said([-8.9, 0, 'fires'], [14, 0, 'fires'])).toBe('A, firing for a day or longer.');
    expect(said([-2, 0, 'quiet'], [-1, 0, 'fires'], [14, 0, 'fires'])).toBe(
      'A, firing since yesterday 23:00.',
    );
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
      healthWords({ ...calm, lastHour: { count, usual: 1300, low: 1100, high: 1500, weeks: 2 } })
        .more;
    expect(said(400)).toBe(
      '400 events in the last hour, fewer than on a usual Friday (1,100 to 1,500).',
    );
    expect(said(4000)).toBe(
      '4,000 events in the last hour, more than on a usual Friday (1,100 to 1,500).',
    );
    expect(said(1)).toMatch(/^1 event in/);
  });

  it('compares with nothing while nothing is known', () => {
    const lastHour = { count: 3, usual: null, low: null, high: null, weeks: 0 };
    expect(healthWords({ ...calm, lastHour }).more).toBe('3 events in the last hour.');
  });

  it('names the weekday only where it was held against that', () => {
    const lastHour = { count: 10, usual: 10, low: 8, high: 12, weeks: 0 };
    expect(healthWords({ ...calm, lastHour }).more).toBe(
      '10 events in the last hour, as in the days before.',
    );
  });

  it('is not called healthy by rules that could not be judged', () => {
    const rules = [rule('A', 'skipped'), rule('B', null)];
    expect(healthWords({ ...calm, rules })).toMatchObject({
      mark: 'waiting',
      sentence: 'No rule could be judged yet.',
      more: expect.stringMatching(/^A: too new\./) as string,
    });
    const { mark, more } = healthWords({ ...calm, rules: [...rules, rule('C', 'quiet')] });
    expect(mark).toBe('healthy');
    expect(more).toMatch(/1 of 3 rules could not be judged\.$/);
  });

  it('does not call it usual where it lies beside what was', () => {
    const lastHour = { count: 1090, usual: 1300, low: 1100, high: 1500, weeks: 4 };
    expect(healthWords({ ...calm, lastHour }).more).toContain('about as many as on a usual Friday');
  });
});
