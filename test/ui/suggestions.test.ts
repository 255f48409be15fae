import { describe, expect, it } from 'vitest';
import { newRule } from '../../server/rules/schema.ts';
import {
  stillToCome,
  suggestRules,
  TEST_EVENT,
  typesToWatch,
} from '../../ui/src/lib/suggestions.ts';

const NOW = Date.parse('2026-03-20T12:00:00.000Z');
const DAY = 86_400_000;

const counted = (event_type: string, count: number, days = 30, source = 'web') => ({
  ...{ source, event_type, count },
  first_seen: new Date(NOW - days * DAY).toISOString(),
  last_seen: new Date(NOW - 60_000).toISOString(),
});

const field = (path: string, filled: number, in_list = false) => ({
  ...{ path, in_list, filled, null: 0, types: { string: filled }, examples: [] },
});

const fieldsOf = (event_type: string, sampled: number, fields: ReturnType<typeof field>[]) => ({
  ...{ event_type, sampled, fields, from: null, to: null },
});

const suggest = (seen: Partial<Parameters<typeof suggestRules>[0]>) =>
  suggestRules({ counts: [], fields: [], existing: [], now: NOW, ...seen });

const names = (seen: Parameters<typeof suggest>[0]) => suggest(seen).map(({ draft }) => draft.name);

describe('first rules', () => {
  it('are of three kinds for a type that is well known, and the appliance takes them', () => {
    const found = suggest({
      counts: [counted('purchase', 13_000)],
      fields: [fieldsOf('purchase', 200, [field('order_id', 200), field('value', 199)])],
    });
    expect(found.map(({ draft }) => [draft.rule_type, draft.name])).toEqual([
      ['threshold', 'Purchases stopped'],
      ['volume', 'Purchases against a usual day'],
      ['missing_field', 'Purchases without required fields'],
    ]);
    for (const { draft } of found) expect(newRule.parse(draft)).toEqual(draft);
    expect(found[0]?.draft.config).toMatchObject({ severity: 'critical', window_minutes: 240 });
    expect(found[2]?.draft.config).toMatchObject({ required_fields: ['order_id', 'value'] });
  });

  it('put what a business lives on before what merely comes often', () => {
    const counts = [counted('page_view', 90_000), counted('purchase', 900)];
    expect(typesToWatch({ counts, now: NOW })).toEqual(['purchase', 'page_view']);
  });

  it('add up the sources of a type', () => {
    const counts = [counted('signup', 600, 30, 'web'), counted('signup', 29_000, 30, 'app')];
    expect(suggest({ counts })[0]?.draft.config).toMatchObject({ window_minutes: 60 });
  });

  it('wait longer where fewer come', () => {
    const window = (count: number) => {
      const [first] = suggest({ counts: [counted('purchase', count)] });
      return first?.draft.rule_type === 'threshold' && first.draft.config.window_minutes;
    };
    expect([100_000, 13_000, 1_500, 90].map(window)).toEqual([60, 240, 1440, 10_080]);
  });

  it('say nothing of what comes too rarely to be missed, but something of what has just begun', () => {
    expect(suggest({ counts: [counted('purchase', 20)] })).toEqual([]);
    const [first] = suggest({ counts: [counted('purchase', 1, 0.01)] });
    expect(first?.draft.config).toMatchObject({ window_minutes: 1440 });
    expect(first?.why).toContain('1 has come so far');
  });

  it('call critical only what a business lives on', () => {
    const severities = [
      'purchase',
      'Order completed',
      'sign_up',
      'begin_checkout',
      'order_shipped',
    ].map((name) => suggest({ counts: [counted(name, 9_000)] })[0]?.draft.config.severity);
    expect(severities).toEqual(['critical', 'critical', 'critical', 'warning', 'warning']);
  });

  it('need two weeks before they compare with a usual day, and say so', () => {
    const counts = [counted('purchase', 9_000, 3)];
    expect(names({ counts })).toEqual(['Purchases stopped']);
    expect(stillToCome({ counts, fields: [], now: NOW })).toEqual([
      'Comparing with a usual day needs two weeks of events.',
      'Which fields are always there is known after 20 events of a type.',
    ]);
    expect(stillToCome({ counts: [], fields: [], now: NOW })).toEqual([]);
  });

  it('ask only for fields that are nearly always filled, outside of lists and innermost', () => {
    const fields = [
      fieldsOf('purchase', 1000, [
        field('ecommerce', 1000),
        field('ecommerce.value', 990),
        field('ecommerce.coupon', 989),
        field('ecommerce.items[].id', 1000, true),
        field('bad\u0000name', 1000),
      ]),
    ];
    const found = suggest({ counts: [counted('purchase', 9_000)], fields }).at(-1);
    expect(found?.draft.config).toMatchObject({ required_fields: ['ecommerce.value'] });
  });

  it('leave out what there is a rule about already', () => {
    const counts = [counted('purchase', 13_000)];
    const config = {
      ...{ event_type: 'purchase', field: 'count', value: 5, window_minutes: 60 },
      ...{ severity: 'info' as const, consecutive: 1 },
    };
    const about = (operator: '<' | '>') => [
      { rule_type: 'threshold' as const, config: { ...config, operator } },
    ];
    expect(names({ counts, existing: about('<') })).toEqual(['Purchases against a usual day']);
    expect(names({ counts, existing: about('>') })).toContain('Purchases stopped');
  });

  it('leave out the test event and what has not come for a week', () => {
    const { source, event_type } = TEST_EVENT;
    const gone = { ...counted('purchase', 500), last_seen: counted('', 0, 8).first_seen };
    expect(suggest({ counts: [counted(event_type, 3, 1, source), gone] })).toEqual([]);
  });

  it('keep odd names as they are, and short enough', () => {
    const html = '<img src=x onerror=alert(1)>';
    const counts = [counted(html, 9, 0), counted('x'.repeat(1000), 8, 0), counted(' ', 7, 0)];
    const found = suggest({ counts });
    expect(found[0]?.draft.name).toBe(`${html} stopped`);
    expect(found[2]?.draft.name).toBe('Events without a name stopped');
    for (const { draft } of found) expect(newRule.safeParse(draft).success).toBe(true);
  });
});
