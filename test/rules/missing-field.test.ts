import { describe, expect, it } from 'vitest';
import { questionsOf } from '../../server/rules/evaluate.ts';
import { HOUR, MINUTE, missingField, moment, NOON, offline, verdict, windows } from './parts.ts';

const three = missingField({ required_fields: ['order_id', 'value', 'ecommerce.items'] });

describe('missing fields', () => {
  it('make it fire, with each field and how many of how many events lack it', () => {
    expect(verdict(three, [20, 3, 0, 12])).toEqual({
      state: 'fires',
      value: 12,
      expected: null,
      message:
        'Missing fields: order_id in 3, ecommerce.items in 12 of 20 purchase events in the last 15 min',
      lacking: { fields: ['order_id', 'ecommerce.items'], minutes: 15 },
    });
  });

  it.each([
    ['one event of one', [1, 1, 0, 0], 'order_id in 1 of 1 purchase events'],
    ['all', [7, 7, 7, 7], 'order_id in 7, value in 7, ecommerce.items in 7 of 7 purchase events'],
    ['only the last', [7, 0, 0, 1], 'ecommerce.items in 1 of 7 purchase events'],
  ])('of %s are told', (_, answers, words) => {
    expect(verdict(three, answers).message).toBe(`Missing fields: ${words} in the last 15 min`);
  });

  it('are none when no event lacks any', () => {
    expect(verdict(three, [20, 0, 0, 0])).toEqual({
      state: 'quiet',
      value: 0,
      expected: null,
      message: null,
    });
  });

  it('are neither there nor not when there is no event', () => {
    expect(verdict(three, [0, 0, 0, 0])).toEqual({
      ...{ state: 'skipped', value: null, expected: null },
      message: 'no purchase events to look at',
    });
  });

  it('count though the collector was off', () => {
    expect(verdict(three, [1, 1, 0, 0], offline([15, 1])).state).toBe('fires');
  });

  it('are not judged when a question could not be answered', () => {
    expect(() => verdict(three, [1, 0, new Error('Broken'), 0])).toThrow('Broken');
  });
});

describe('the questions about missing fields', () => {
  it('are how many events there are, then how many lack each field', () => {
    const asked = { tenant: 'tenant', event_type: 'purchase', from: NOON - 15 * MINUTE, to: NOON };
    expect(questionsOf(three, moment())).toEqual([
      { ...asked, measure: { of: 'count' } },
      { ...asked, measure: { of: 'lacking', path: 'order_id' } },
      { ...asked, measure: { of: 'lacking', path: 'value' } },
      { ...asked, measure: { of: 'lacking', path: 'ecommerce.items' } },
    ]);
  });

  it.each([
    ['never', undefined, -15],
    ['a cycle ago', NOON - 15 * MINUTE, -15],
    ['a minute ago', NOON - MINUTE, -15],
    ['just longer ago than a cycle', NOON - 15 * MINUTE - 1, -15 - 1 / MINUTE],
    ['hours ago', NOON - 8 * HOUR, -480],
    ['later, by a clock that was set back', NOON + HOUR, -15],
  ])('look back to the last time, which was %s, or 15 minutes', (_, since, from) => {
    const asked = windows(three, moment({ since }));
    expect(new Set(asked.map(String))).toEqual(new Set([`${from},0`]));
  });

  it('that look back further say so', () => {
    const at = moment({ since: NOON - 90 * MINUTE });
    expect(verdict(missingField(), [5, 2], at).message).toBe(
      'Missing fields: order_id in 2 of 5 purchase events in the last 90 min',
    );
  });
});
