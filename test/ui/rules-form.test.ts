import { describe, expect, it } from 'vitest';
import { newRule } from '../../server/rules/schema.ts';
import type { RuleView } from '../../server/rules/schema.ts';
import { bodyOf, configOf } from '../../ui/src/pages/rules/editor/body.ts';
import { blank, copyOf, formOf, fromQuery } from '../../ui/src/pages/rules/editor/form.ts';
import type { Form } from '../../ui/src/pages/rules/editor/form.ts';
import { suggestRules } from '../../ui/src/lib/suggestions.ts';
import { suggestionLink } from '../../ui/src/pages/rules/suggested.ts';
import { Faults } from '../../ui/src/pages/rules/editor/faults.ts';
import { listed } from '../../ui/src/lib/words.ts';
import { lacking, proposedName } from '../../ui/src/pages/rules/editor/words.ts';
import { wrong } from '../../ui/src/pages/rules/editor/wrong.ts';

type Given = Pick<RuleView, 'rule_type' | 'config'>;

const RULE: Given = {
  rule_type: 'threshold',
  config: {
    ...{ event_type: ' pur chase', source: 'web', field: 'count', operator: '==' },
    ...{ value: -0.5, window_minutes: 90, severity: 'critical', consecutive: 3 },
  },
};

const shown = { name: '<b>N</b>', is_active: false, tags: ['a', 'b'], category: 'C' };

describe('the form of a rule', () => {
  it('makes rules that the server takes, of each type', () => {
    for (const type of ['threshold', 'missing_field', 'volume'] as const) {
      const form = { ...blank(), type, eventType: 'purchase', fields: ['value'] };
      expect(newRule.safeParse(bodyOf(form, proposedName(form))).error).toBeUndefined();
    }
  });

  it('keeps keys that it does not know, for as long as the type stays', () => {
    const config = Object.assign({}, RULE.config, { later: 1 });
    const form = formOf({ ...shown, ...RULE, config });
    expect(configOf(form)).toEqual({ ...RULE.config, later: 1 });
    expect(configOf({ ...form, type: 'missing_field' })).not.toHaveProperty('later');
  });

  it('takes over all of what is suggested from what was seen', () => {
    const now = Date.parse('2026-11-20T10:00:00Z');
    const first_seen = new Date(now - 30 * 86_400_000).toISOString();
    const last_seen = new Date(now).toISOString();
    const suggestions = suggestRules({
      ...{ existing: [], now },
      counts: [{ source: 'web', event_type: 'purchase', count: 9000, first_seen, last_seen }],
      fields: [
        {
          ...{ event_type: 'purchase', sampled: 100, from: first_seen, to: last_seen },
          fields: [
            { path: 'value', in_list: false, filled: 100, null: 0, types: {}, examples: [] },
          ],
        },
      ],
    });
    expect(suggestions.map(({ draft }) => draft.rule_type)).toEqual([
      ...['threshold', 'volume', 'missing_field'],
    ]);
    for (const { draft } of suggestions) {
      const { search } = new URL(suggestionLink(draft), 'http://localhost');
      expect(bodyOf(fromQuery(new URLSearchParams(search)))).toEqual(draft);
    }
  });

  it('proposes to hold changes of volume against the same weekday, beyond chance', () => {
    expect(configOf({ ...blank(), type: 'volume', eventType: 'a' })).toMatchObject({
      ...{ baseline: 'seasonal', comparison_window_hours: 168, beyond_chance: true },
      threshold_percent: -50,
    });
  });

  it('is begun by what a link says', () => {
    const query = new URLSearchParams('event_type=purchase&source=web&field=a&field=b, c&field=a');
    expect(fromQuery(query)).toMatchObject({
      ...{ type: 'missing_field', eventType: 'purchase', source: 'web', fields: ['a', 'b, c'] },
    });
    expect(fromQuery(new URLSearchParams('rule_type=volume')).type).toBe('volume');
    const more = new URLSearchParams('severity=critical&window_minutes=240&name=N');
    expect(fromQuery(more)).toMatchObject({
      ...{ severity: 'critical', name: 'N', window: { amount: 4, unit: 'hours' } },
    });
    const wrong = new URLSearchParams('severity=x&window_minutes=-1');
    expect(fromQuery(wrong)).toEqual(blank());
    expect(fromQuery(new URLSearchParams('rule_type=other')).type).toBe('threshold');
  });

  it('says what lacks, and is named by itself once nothing does', () => {
    const form = { ...blank(), value: null };
    expect(listed(lacking(form))).toBe('an event type and the value to compare with');
    expect(proposedName(form)).toBe('');
    expect(proposedName({ ...form, eventType: 'purchase', value: 1 })).toBe('No purchase for 1 h');
    const long = { ...form, eventType: '😀'.repeat(400), value: 5 };
    expect(proposedName(long).length).toBeLessThanOrEqual(200);
    expect(proposedName(long).isWellFormed()).toBe(true);
  });

  it('names a copy so that it can be told apart, as long as there is room', () => {
    expect(copyOf({ ...shown, ...RULE }).name).toBe('Copy of <b>N</b>');
    expect(copyOf({ ...shown, ...RULE, name: 'x'.repeat(195) }).name).toBe('x'.repeat(195));
  });
});

describe('what is plainly wrong', () => {
  const watching = (more: Partial<Form>) => ({ ...blank(), eventType: 'purchase', ...more });
  const days = (amount: number) => ({ amount, unit: 'days' as const });
  const volume = { type: 'volume' } as const;
  const WRONG: Record<string, Partial<Form>> = {
    'a name of 201 characters': { name: 'x'.repeat(201) },
    'a window of nothing': { window: days(0) },
    'a window of 31 days': { window: days(31) },
    'a window of 8 days for a sum': { measure: 'sum', path: 'value', window: days(8) },
    'no check in a row': { consecutive: 0 },
    'half a check in a row': { consecutive: 1.5 },
    'more checks in a row than are kept': { consecutive: 101 },
    'a change of nothing': { ...volume, percent: 0 },
    'a drop by more than all': { ...volume, percent: 101 },
    'a rise beyond measure': { ...volume, direction: 'rise', percent: 1e7 },
    'a window of 8 days for a volume': { ...volume, current: days(8) },
    'a comparison of nothing': { ...volume, baseline: 'average', comparison: days(0) },
    'a comparison with last year': { ...volume, baseline: 'average', comparison: days(91) },
    'less time before than the window has': {
      ...{ ...volume, baseline: 'previous', current: days(2), comparison: days(1) },
    },
    'less than no events expected': { ...volume, minimum: -1 },
  };
  for (const [name, more] of Object.entries(WRONG)) {
    it(`is ${name}, where the server would say so too`, () => {
      const form = watching(more);
      const refused = newRule.safeParse(bodyOf(form, 'N')).error?.issues ?? [];
      expect(refused.map(({ path }) => path.join('.'))).toContain(wrong(form)[0]?.path);
    });
  }

  it('is not what the server takes', () => {
    const forms = [
      {},
      { window: days(30) },
      { consecutive: 100 },
      { ...volume, percent: 100, comparison: days(90), minimum: 0 },
      { ...volume, direction: 'rise' as const, percent: 1e6, current: days(7) },
      { type: 'missing_field' as const, fields: ['a'], window: days(0), percent: 0 },
      // Nobody sees the length that the usual of the week does not need.
      { ...volume, baseline: 'seasonal' as const, comparison: days(0) },
      { ...volume, comparison: { amount: null, unit: 'days' as const } },
    ];
    for (const form of forms.map(watching)) {
      expect(newRule.safeParse(bodyOf(form, 'N')).error).toBeUndefined();
      expect([...wrong(form), ...lacking(form)]).toEqual([]);
    }
  });

  it('is a drop written with a minus, which would be a rise', () => {
    expect(wrong(watching({ ...volume, percent: -5 }))).toHaveLength(1);
  });
});

describe('the faults that the server found', () => {
  const faults = new Faults([
    { path: 'config.value', message: 'must be a number' },
    { path: 'config.required_fields[1]', message: 'must have at least 1 character' },
    { path: 'config.later', message: 'is not known here' },
  ]);

  it('stand at their fields', () => {
    expect(faults.config('value')).toBe('Must be a number.');
    expect(faults.config('required_fields')).toBe('Number 2 must have at least 1 character.');
    expect(faults.config('operator')).toBeUndefined();
  });

  it('are not lost where no field stands for them', () => {
    expect(faults.others(['config.value', 'config.required_fields'])).toEqual([
      'config.later is not known here',
    ]);
  });
});
