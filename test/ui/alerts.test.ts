import { describe, expect, it } from 'vitest';
import type { Alert, AlertGroup } from '../../server/alerts/schema.ts';
import type { RuleView } from '../../server/rules/schema.ts';
import { aroundTitle } from '../../ui/src/pages/alerts/detail/around.ts';
import { judgedAt, lackingIn, windowOf } from '../../ui/src/pages/alerts/detail/facts.ts';
import { isNarrowed, narrowedBy, viewOf } from '../../ui/src/pages/alerts/filter.ts';
import { activityFinding } from '../../ui/src/pages/alerts/finding.ts';
import { steady } from '../../ui/src/pages/alerts/steady.ts';
import { targetOf, targetsOf } from '../../ui/src/pages/alerts/targets.ts';

const MINUTE = 60_000;
const at = (text: string) => new Date(text).getTime();

describe('what an address of the alerts means', () => {
  const view = (text: string) => viewOf(new URLSearchParams(text));

  it('is what is open, by rule, where nothing is said', () => {
    expect(view('')).toMatchObject({ by: 'rule', range: '7d', filter: { status: 'open' } });
    expect(isNarrowed(view('status=all').filter)).toBe(false);
  });

  it('leaves aside what cannot be understood', () => {
    const { filter, range } = view('status=odd&severity=bad&rule_id=1&since=soon&range=2d');
    expect({ ...filter, range }).toEqual({ ...view('').filter, range: '7d' });
  });

  it('keeps what can', () => {
    const { filter, by } = view('view=single&severity=critical&tag=a%26b&since=2026-03-02T10:00Z');
    expect(by).toBe('alert');
    expect(filter).toMatchObject({ severity: 'critical', tag: 'a&b' });
    expect(filter.since).toBe('2026-03-02T10:00:00.000Z');
    expect(isNarrowed(filter)).toBe(true);
    expect(narrowedBy(filter)).toBe('severity critical, tag a&b and the time chosen');
  });
});

describe('the finding over the chart', () => {
  const days = (...counts: number[]) =>
    counts.map((count, i) => ({ at: at('2026-11-16T12:00') + i * 24 * 60 * MINUTE, count }));

  it('names the day with the most', () => {
    expect(activityFinding(days(2, 5, 0), '7d')).toBe('7 alerts in 7 days, most on Tue 17 Nov');
  });

  it('names no day where two had as many', () => {
    expect(activityFinding(days(2, 2), '7d')).toBe('4 alerts in 7 days');
  });

  it('names the only day, and the hour', () => {
    expect(activityFinding(days(1, 0), '7d')).toBe('1 alert in 7 days, on Mon 16 Nov');
    expect(activityFinding(days(3), '24h')).toBe(
      '3 alerts in 24 hours, all between 12:00 and 13:00',
    );
    expect(activityFinding(days(0), '1h')).toBe('No alerts in the last hour');
  });
});

describe('rows that are being used', () => {
  const rows = (...keys: string[]) => keys.map((key) => ({ key }));

  it('keep their places, and what is new waits', () => {
    const { shown, fresh } = steady(rows('new', 'b', 'a'), ['a', 'gone', 'b']);
    expect(shown).toEqual(rows('a', 'b'));
    expect(fresh).toEqual(rows('new'));
  });

  it('are as they come where nobody uses them', () => {
    expect(steady(rows('b', 'a'), undefined)).toEqual({ shown: rows('b', 'a'), fresh: [] });
  });
});

describe('what a bulk change is about', () => {
  const { filter } = viewOf(new URLSearchParams('tag=x'));
  const group = { rule_id: 'r', last_seen: '2026-03-02T10:15:00.400Z' } as AlertGroup;

  it('ends with the last alert that was seen', () => {
    const until = '2026-03-02T10:15:00.401Z';
    expect(targetOf(group, filter)).toMatchObject({
      rule_id: 'r',
      status: 'open',
      tag: 'x',
      until,
    });
    const earlier = { ...filter, until: '2026-03-02T10:00:00.000Z' };
    expect(targetOf(group, earlier).until).toBe(earlier.until);
  });

  it('is asked for in portions', () => {
    const sizes = targetsOf(Array.from({ length: 2001 }, String)).map(({ ids }) => ids?.length);
    expect(sizes).toEqual([1000, 1000, 1]);
  });
});

describe('what an alert was judged by', () => {
  const alert = (more: Partial<Alert>) =>
    ({
      ...{ rule_type: 'missing_field', missing_fields: [], window_minutes: null },
      ...{ created_at: '2026-03-02T10:15:01Z', ...more },
    }) as Alert;
  const every = { event_type: 'a', severity: 'info', consecutive: 1 } as const;
  const required = { config: { ...every, required_fields: ['a, b', 'c'] } } as unknown as RuleView;
  const to = at('2026-03-02T10:15:00Z');

  it('are the fields that it names, of old ones those that the rule requires now', () => {
    expect(lackingIn(alert({ missing_fields: ['a, b in 3'] }), required)).toEqual(['a, b in 3']);
    expect(lackingIn(alert({}), required)).toEqual(['a, b', 'c']);
    expect(lackingIn(alert({}), undefined)).toEqual([]);
    expect(lackingIn(alert({ rule_type: 'threshold' }), undefined)).toEqual([]);
  });

  it('is the window that it names, of old ones that which the rule has now', () => {
    const hours = { config: { ...every, current_window_minutes: 120, threshold_percent: 1 } };
    const rule = hours as unknown as RuleView;
    const minutes = (more: Partial<Alert>, now?: RuleView) =>
      (to - windowOf(alert(more), now).from) / MINUTE;
    // A check by hand within the first minute of a quarter must find what it was about.
    expect(windowOf(alert({}), undefined).to).toBe(at(alert({}).created_at));
    expect(minutes({ window_minutes: 45 }, rule)).toBe(45);
    expect(minutes({ rule_type: 'volume' }, rule)).toBe(120);
    expect(minutes({}, required)).toBe(15);
    expect(minutes({ rule_type: 'threshold' })).toBe(60);
    expect(judgedAt(alert({ created_at: '2026-03-02T10:20:00Z' }))).toBe(to + 5 * MINUTE);
  });
});

describe('the title over the values around an alert', () => {
  const every = { event_type: 'purchase', severity: 'info', consecutive: 1 } as const;
  const made = at('2026-03-02T10:15');
  const words = (config: object, alert: object, expected: number | null = null) =>
    aroundTitle(
      {
        ...{ event_type: 'purchase', window_minutes: 60, value: 12 },
        ...{ created_at: new Date(made).toISOString(), ...alert },
      } as Alert,
      { config: { ...every, ...config } } as RuleView,
      [{ at: made, value: 12, expected }],
    );

  it('says where the rule fires', () => {
    const of = (operator: string) => words({ operator, value: 5 }, { rule_type: 'threshold' });
    expect(of('>=')).toMatch(/^12 purchase events in 1 h at .*; the rule fires at 5 or more$/);
    expect(of('<')).toMatch(/; the rule fires below 5$/);
  });

  it('expects as many as the message says', () => {
    const config = { threshold_percent: -50, current_window_minutes: 60 };
    expect(words(config, { rule_type: 'volume' }, 39.47)).toMatch(/, 39\.5 expected$/);
  });
});
