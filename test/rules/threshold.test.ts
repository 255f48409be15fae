import { describe, expect, it } from 'vitest';
import { questionsOf } from '../../server/rules/evaluate.ts';
import { MINUTE, moment, NOON, offline, threshold, verdict, windows } from './parts.ts';

describe('a threshold', () => {
  it.each([
    // operator, below, at, above
    ['>', 'quiet', 'quiet', 'fires'],
    ['>=', 'quiet', 'fires', 'fires'],
    ['<', 'fires', 'quiet', 'quiet'],
    ['<=', 'fires', 'fires', 'quiet'],
    ['==', 'quiet', 'fires', 'quiet'],
  ])('with %s is judged just below, at and just above its value', (operator, ...expected) => {
    const states = (value: number, step: number) =>
      [value - step, value, value + step].map(
        (measured) => verdict(threshold({ operator, value }), [measured]).state,
      );
    expect(states(10, 1)).toEqual(expected);
    expect(states(0, 1)).toEqual(expected);
    expect(states(-5, 1)).toEqual(expected);
    expect(states(0.3, Number.EPSILON)).toEqual(expected);
    expect(states(-2.5, 1e-9)).toEqual(expected);
    expect(states(2 ** 52, 1)).toEqual(expected);
  });

  it.each([
    ['>', 11, 10, 60, '11 > 10 in 60'],
    ['<', 0, 1, 15, '0 < 1 in 15'],
    ['>=', 10, 10, 1440, '10 >= 10 in 1440'],
    ['<=', 3, 4, 0.5, '3 <= 4 in 0.5'],
    ['==', 0, 0, 60, '0 == 0 in 60'],
    ['>', 1_000_000, 99.5, 43_200, '1000000 > 99.5 in 43200'],
    ['<', -12.25, -3, 60, '-12.25 < -3 in 60'],
  ])('with %s and %d against %d says so', (operator, measured, value, minutes, words) => {
    const rule = threshold({ operator, value, window_minutes: minutes });
    expect(verdict(rule, [measured])).toEqual({
      state: 'fires',
      value: measured,
      expected: null,
      message: `Threshold exceeded: ${words} min window`,
    });
  });

  it('names numbers of more than twelve digits as they are', () => {
    const value = Date.UTC(2026, 0, 31) + 123;
    const rule = threshold({ field: 'max:timestamp', operator: '>', value });
    expect(verdict(rule, [value + 4]).message).toBe(
      `Threshold exceeded: ${value + 4} > ${value} in 60 min window`,
    );
  });

  it('says nothing when it is quiet', () => {
    expect(verdict(threshold(), [10])).toEqual({
      state: 'quiet',
      value: 10,
      expected: null,
      message: null,
    });
  });

  it.each([
    ['avg:value', [null], 'number'],
    ['min:value', [null], 'number'],
    ['max:a.b', [null], 'number'],
    // There were three events, and none had the field.
    ['sum:value', [null, 3], 'number'],
    ['unique:user_id', [0, 3], 'value'],
  ])('is skipped when %s has nothing', (field, answers, what) => {
    for (const operator of ['>', '<', '>=', '<=', '==']) {
      expect(verdict(threshold({ field, operator, value: 0 }), answers)).toEqual({
        state: 'skipped',
        value: null,
        expected: null,
        message: `no purchase event had a ${what} for ${field}`,
      });
    }
  });

  it.each([
    ['sum:value', null],
    ['unique:user_id', 0],
  ])('takes %s of no events at all for 0', (field, answer) => {
    const rule = threshold({ field, operator: '<', value: 1 });
    expect(verdict(rule, [answer, 0])).toMatchObject({ state: 'fires', value: 0 });
    const many = threshold({ field, operator: '>', value: 1 });
    expect(verdict(many, [answer, 0])).toMatchObject({ state: 'quiet', value: 0 });
  });

  it('is judged on a sum of 0 that there is', () => {
    const rule = threshold({ field: 'sum:value', operator: '<', value: 1 });
    expect(verdict(rule, [0, 3])).toMatchObject({ state: 'fires', value: 0 });
  });

  it('is judged by what it measures, whatever that is', () => {
    for (const field of ['unique:user', 'sum:value', 'avg:value', 'min:value', 'max:value']) {
      const rule = threshold({ field, operator: '<', value: -1.5 });
      expect([-1.5, -1.75].map((measured) => verdict(rule, [measured]).state)).toEqual([
        'quiet',
        'fires',
      ]);
    }
  });

  it('throws when its question could not be answered', () => {
    const fault = new Error('The disk is gone');
    expect(() => verdict(threshold(), [fault])).toThrow(fault);
  });

  it('throws at an operator that it does not know', () => {
    const rule = threshold();
    const odd = { ...rule, config: { ...rule.config, operator: '!=' } } as unknown as typeof rule;
    expect(() => verdict(odd, [1])).toThrow('The operator != is not known');
  });
});

describe('the question of a threshold', () => {
  it('is about its type and source, up to the moment', () => {
    expect(questionsOf(threshold({ source: 'shop' }), moment())).toEqual([
      {
        ...{ tenant: 'tenant', event_type: 'purchase', source: 'shop' },
        ...{ from: NOON - 60 * MINUTE, to: NOON, measure: { of: 'count' } },
      },
    ]);
    expect(questionsOf(threshold(), moment())[0]?.source).toBeUndefined();
  });

  it.each([
    ['count', { of: 'count' }],
    ['unique:user_id', { of: 'unique', path: 'user_id' }],
    ['sum:ecommerce.value', { of: 'sum', path: 'ecommerce.value' }],
    ['avg:a:b', { of: 'avg', path: 'a:b' }],
    ['min: ', { of: 'min', path: ' ' }],
    ['max:items.0.price', { of: 'max', path: 'items.0.price' }],
  ])('measures %s', (field, measure) => {
    const [first, second] = questionsOf(threshold({ field }), moment());
    expect(first?.measure).toEqual(measure);
    // Of the same events: how many there are tells nothing from none.
    const isTotal = /^(sum|unique):/.test(field);
    expect(second).toEqual(isTotal ? { ...first, measure: { of: 'count' } } : undefined);
  });

  it.each([
    [60, 60 * MINUTE],
    [0.5, 30_000],
    [1 / 60_000, 1],
    [2.000_01, 2 * MINUTE + 1],
    [43_200, 30 * 24 * 60 * MINUTE],
  ])('looks back %d minutes, to the millisecond', (minutes, length) => {
    const at = NOON + 1;
    const [asked] = questionsOf(threshold({ window_minutes: minutes }), moment({ at }));
    expect([asked?.from, asked?.to]).toEqual([at - length, at]);
  });
});

describe('a threshold over a window with the collector off', () => {
  // Six minutes are a tenth of the hour.
  const tenth = offline([30, 24]);
  const more = offline([30, 24 - 1 / MINUTE]);

  it.each(['<', '<=', '=='])('with %s is judged up to a tenth, and skipped beyond', (operator) => {
    const rule = threshold({ operator, value: 0 });
    expect(verdict(rule, [0], tenth).state).toBe(operator === '<' ? 'quiet' : 'fires');
    expect(verdict(rule, [0], more)).toEqual({
      state: 'skipped',
      value: 0,
      expected: null,
      message: 'collector was offline 11:30–11:36',
    });
  });

  it.each(['>', '>='])('with %s is judged on what was received', (operator) => {
    const rule = threshold({ operator, value: 10 });
    const nobody = moment({ listening: [] });
    for (const at of [tenth, more, offline([60, 0]), nobody]) {
      expect([9, 11].map((count) => verdict(rule, [count], at).state)).toEqual(['quiet', 'fires']);
    }
  });

  it('is skipped for that even where nothing could be measured', () => {
    const rule = threshold({ field: 'avg:value', operator: '<' });
    expect(verdict(rule, [null], more).message).toBe('collector was offline 11:30–11:36');
  });

  it('does not mind what was before the window', () => {
    const rule = threshold({ operator: '<', value: 1 });
    expect(verdict(rule, [0], offline([600, 60])).state).toBe('fires');
    expect(verdict(rule, [0], offline([600, 54])).state).toBe('fires');
    expect(verdict(rule, [0], offline([600, 53])).state).toBe('skipped');
    expect(windows(rule)).toEqual([[-60, 0]]);
  });
});
