import { describe, expect, it } from 'vitest';
import { CONFIGS, draft, rulesOfTenant } from './http-parts.ts';
import type { Refusal, Type } from './http-parts.ts';

/** A key of a config and what it is set to, with what is said against it. */
type Row = readonly [key: string, value: unknown, message: string];

const TEXT = 'must be a string';
const NUMBER = 'must be a number';
const WHOLE = 'must be a whole number';
const EMPTY = 'must have at least 1 character';
const OPERATORS = 'must be one of >, <, >=, <=, ==';
const SEVERITIES = 'must be one of critical, warning, info';
const MEASURES = 'must be count, or unique:PATH, sum:PATH, avg:PATH, min:PATH, max:PATH';
const CONTROL = 'must not have control characters';
const NOT_ZERO = 'must not be 0: negative for drops, positive for rises';

const EVERY: readonly Row[] = [
  ['event_type', undefined, 'is required'],
  ['event_type', 5, TEXT],
  ['event_type', null, TEXT],
  ['event_type', '', EMPTY],
  ['event_type', 'x'.repeat(1001), 'must have at most 1000 characters'],
  ['severity', undefined, 'is required'],
  ['severity', 'fatal', SEVERITIES],
  ['severity', 1, SEVERITIES],
  ['severity', 'Critical', SEVERITIES],
  ['consecutive', 0, 'must be at least 1'],
  ['consecutive', 101, 'must be at most 100'],
  ['consecutive', 1.5, WHOLE],
  ['consecutive', '2', NUMBER],
  ['colour', 'red', 'is not known here'],
];

const OWN: Record<Type, readonly Row[]> = {
  threshold: [
    ['source', 5, TEXT],
    ['source', '', EMPTY],
    ['source', 'x'.repeat(1001), 'must have at most 1000 characters'],
    ['field', 5, TEXT],
    ['field', '', MEASURES],
    ['field', 'value', MEASURES],
    ['field', 'Count', MEASURES],
    ['field', 'count:value', MEASURES],
    ['field', 'sum:', MEASURES],
    ['field', 'median:value', MEASURES],
    ['field', ' count', MEASURES],
    ['field', `sum:${'x'.repeat(507)}`, 'must have at most 510 characters'],
    ['field', 'sum:a\nb', CONTROL],
    ['field', 'sum:\0', CONTROL],
    ['operator', undefined, 'is required'],
    ['operator', '!=', OPERATORS],
    ['operator', '=', OPERATORS],
    ['operator', 5, OPERATORS],
    ['value', undefined, 'is required'],
    ['value', '5', NUMBER],
    ['value', null, NUMBER],
    ['window_minutes', undefined, 'is required'],
    ['window_minutes', '60', NUMBER],
    ['window_minutes', 0, 'must be more than 0'],
    ['window_minutes', -5, 'must be more than 0'],
    ['window_minutes', 43_201, 'must be at most 43200'],
  ],
  missing_field: [
    ['required_fields', undefined, 'is required'],
    ['required_fields', 'value', 'must be a list'],
    ['required_fields', [], 'must have at least 1 entry'],
    ['required_fields', Array(51).fill('x'), 'must have at most 50 entries'],
    ['required_fields[0]', [5], TEXT],
    ['required_fields[0]', [''], EMPTY],
    ['required_fields[1]', ['a', 'x'.repeat(501)], 'must have at most 500 characters'],
    ['required_fields[2]', ['a', 'b', 'a\tb'], CONTROL],
    ['source', 'shop', 'is not known here'],
    ['window_minutes', 15, 'is not known here'],
  ],
  volume: [
    ['threshold_percent', undefined, 'is required'],
    ['threshold_percent', '-50', NUMBER],
    ['threshold_percent', 0, NOT_ZERO],
    ['threshold_percent', -100.5, 'must be at least -100'],
    ['threshold_percent', 1_000_001, 'must be at most 1000000'],
    ['current_window_minutes', undefined, 'is required'],
    ['current_window_minutes', 0, 'must be more than 0'],
    ['current_window_minutes', -1, 'must be more than 0'],
    ['current_window_minutes', true, NUMBER],
    ['current_window_minutes', 10_081, 'must be at most 10080'],
    ['comparison_window_hours', undefined, 'is required'],
    ['comparison_window_hours', 0, 'must be more than 0'],
    ['comparison_window_hours', '24', NUMBER],
    ['comparison_window_hours', 2161, 'must be at most 2160'],
    ['min_baseline_events', -1, 'must be at least 0'],
    ['min_baseline_events', '10', NUMBER],
    ['min_baseline_events', null, NUMBER],
    ['baseline', 'yearly', 'must be one of average, previous, seasonal'],
    ['baseline', null, 'must be one of average, previous, seasonal'],
    ['operator', '<', 'is not known here'],
  ],
};

describe.each(Object.keys(CONFIGS) as Type[])('the config of a rule of type %s', (type) => {
  it('is refused with the place of what is wrong', async () => {
    const rules = await rulesOfTenant();
    const rows = [...EVERY, ...OWN[type]];
    const said: string[][] = [];
    for (const [key, value] of rows) {
      const [name = ''] = key.split('[');
      said.push(await rules.refusals(draft(type, { [name]: value })));
    }
    expect(said).toEqual(rows.map(([key, , message]) => [`config.${key}: ${message}`]));
    expect(await rules.names()).toEqual([]);
  });

  it('is refused when it is left out or no object', async () => {
    const rules = await rulesOfTenant();
    const said = (config: unknown) => rules.refusals({ ...draft(type), config });
    expect(await said(undefined)).toEqual(['config: is required']);
    for (const config of [null, [], '{}', 5]) {
      expect(await said(config)).toEqual(['config: must be an object']);
    }
  });

  it('is refused with all that is wrong at once', async () => {
    const rules = await rulesOfTenant();
    const config = { event_type: 5, severity: 'x', extra: 1 };
    const said = await rules.refusals({ ...draft(type), config });
    expect(said).toEqual(
      expect.arrayContaining([
        `config.event_type: ${TEXT}`,
        `config.severity: ${SEVERITIES}`,
        'config.extra: is not known here',
      ]),
    );
  });
});

describe('what belongs together in a config', () => {
  it('is a measure of values and a window of a week at most', async () => {
    const rules = await rulesOfTenant();
    const week = 10_080;
    const asked = (field: string, minutes: number) =>
      rules.refusals(draft('threshold', { field, window_minutes: minutes }));
    expect(await asked('count', week + 1)).toEqual(['201']);
    expect(await asked('sum:value', week)).toEqual(['201']);
    expect(await asked('sum:value', week + 1)).toEqual([
      `config.window_minutes: must be at most ${week} for a field other than count`,
    ]);
  });

  it('is a previous window that lies before the current one', async () => {
    const rules = await rulesOfTenant();
    const asked = (baseline: string, hours: number) =>
      rules.refusals(draft('volume', { baseline, comparison_window_hours: hours }));
    expect(await asked('previous', 1)).toEqual(['201']);
    expect(await asked('average', 0.5)).toEqual(['201']);
    expect(await asked('previous', 0.999)).toEqual([
      'config.comparison_window_hours: must be at least as long as current_window_minutes for the baseline previous',
    ]);
  });
});

describe('a config at the edge of what is allowed', () => {
  const edges: readonly (readonly [Type, object])[] = [
    ['threshold', { event_type: 'x'.repeat(1000), source: 'x'.repeat(1000), consecutive: 100 }],
    ['threshold', { value: -1.5e300, window_minutes: 43_200 }],
    ['threshold', { value: 0, window_minutes: 0.001, operator: '==' }],
    ['threshold', { field: `sum:${'x'.repeat(506)}` }],
    ['threshold', { field: "max:it's; DROP TABLE events", operator: '>=' }],
    ['missing_field', { required_fields: Array(50).fill('a.b'), consecutive: 1 }],
    ['missing_field', { required_fields: ['x'.repeat(500), '$', '*', '.', ' '] }],
    ['volume', { threshold_percent: -100, min_baseline_events: 0, current_window_minutes: 10_080 }],
    ['volume', { threshold_percent: 1_000_000, comparison_window_hours: 2160 }],
    ['volume', { threshold_percent: 0.001, current_window_minutes: 0.5 }],
  ];

  it('is taken as it is', async () => {
    const rules = await rulesOfTenant();
    for (const [type, config] of edges) {
      const made = await rules.make(draft(type, config));
      expect(made.config).toMatchObject(config);
      expect((await rules.ask('GET', `/${made.id}`)).json()).toEqual(made);
    }
  });
});

describe('a rule', () => {
  const rows: readonly (readonly [body: object, words: string])[] = [
    [{ name: undefined }, 'name: is required'],
    [{ name: 5 }, `name: ${TEXT}`],
    [{ name: '  ' }, `name: ${EMPTY}`],
    [{ name: 'x'.repeat(201) }, 'name: must have at most 200 characters'],
    [{ rule_type: undefined }, 'rule_type: is required'],
    [{ rule_type: 'volumes' }, 'rule_type: must be one of threshold, missing_field, volume'],
    [{ rule_type: null }, 'rule_type: must be one of threshold, missing_field, volume'],
    [{ is_active: 'yes' }, 'is_active: must be true or false'],
    [{ is_active: null }, 'is_active: must be true or false'],
    [{ tags: 'a' }, 'tags: must be a list'],
    [{ tags: [''] }, `tags[0]: ${EMPTY}`],
    [{ tags: ['a', 5] }, `tags[1]: ${TEXT}`],
    [{ tags: ['x'.repeat(51)] }, 'tags[0]: must have at most 50 characters'],
    [{ tags: Array(21).fill('a') }, 'tags: must have at most 20 entries'],
    [{ category: '' }, `category: ${EMPTY}`],
    [{ category: 5 }, `category: ${TEXT}`],
    [{ category: 'x'.repeat(101) }, 'category: must have at most 100 characters'],
    [{ severity: 'info' }, 'severity: is not known here'],
    [{ id: 'x' }, 'id: is not known here'],
  ];

  it('is refused with the place of what is wrong', async () => {
    const rules = await rulesOfTenant();
    const said: string[][] = [];
    for (const [more] of rows) said.push(await rules.refusals(draft('threshold', {}, more)));
    expect(said).toEqual(rows.map(([, words]) => [words]));
    expect(await rules.names()).toEqual([]);
  });

  it('is refused when it is no object', async () => {
    const rules = await rulesOfTenant();
    for (const body of [[], null, 'text', 5]) {
      const answer = await rules.ask('POST', '/', body);
      expect(answer.statusCode).toBe(422);
      expect(answer.json<Refusal>().detail).not.toBe('');
    }
  });

  it('says in its refusal what is wrong in words', async () => {
    const rules = await rulesOfTenant();
    const answer = await rules.ask('POST', '/', draft('threshold', { window_minutes: 0 }));
    expect(answer.statusCode).toBe(422);
    expect(answer.json<Refusal>().detail).toContain('config.window_minutes: must be more than 0');
  });

  it('that is no JSON is a bad request, and one of another type is not taken', async () => {
    const rules = await rulesOfTenant();
    const post = (type: string, payload: string) =>
      rules.app.inject({
        ...{ method: 'POST', url: '/api/v1/rules/', payload },
        headers: { 'x-api-key': rules.key, 'content-type': type },
      });
    expect((await post('application/json', '{')).statusCode).toBe(400);
    expect((await post('text/plain', JSON.stringify(draft('volume')))).statusCode).toBe(415);
  });
});
