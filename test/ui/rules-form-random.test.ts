import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newRule } from '../../server/rules/schema.ts';
import { bodyOf } from '../../ui/src/pages/rules/editor/body.ts';
import { formOf } from '../../ui/src/pages/rules/editor/form.ts';

/** What a form or a measure could take for a mark of its own, among any other characters. */
const character = fc.oneof(
  fc.constantFrom(',', ':', '.', ' ', '\n'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
);
const text = (maxLength: number) => fc.string({ unit: character, minLength: 1, maxLength });
const path = text(20).filter((one) => !/[\0-\x1f]/.test(one));
const number = (min: number, max: number) =>
  fc.oneof(
    fc.double({ min, max, noNaN: true }),
    // Those of the units in which people write them, and what is not whole in any of them.
    fc
      .integer({ min: Math.max(1, Math.ceil(min / 60)), max: Math.floor(max / 60) })
      .map((n) => n * 60),
    fc.integer({ min: 1, max: 20 }).map((n) => n / 3),
  );
const length = (max: number) => number(Number.MIN_VALUE, max);
const every = {
  event_type: text(20),
  severity: fc.constantFrom('critical', 'warning', 'info'),
  consecutive: fc.integer({ min: 1, max: 100 }),
};
const measure = fc
  .tuple(fc.constantFrom('unique', 'sum', 'avg', 'min', 'max'), path)
  .map(([of, where]) => `${of}:${where}`);

const drafts = [
  fc.record({
    rule_type: fc.constant('threshold'),
    config: fc.record(
      {
        ...every,
        source: text(20),
        field: fc.oneof(fc.constant('count'), measure),
        operator: fc.constantFrom('>', '<', '>=', '<=', '=='),
        value: fc.double({ noNaN: true, noDefaultInfinity: true }),
        window_minutes: length(10_080),
      },
      { requiredKeys: ['event_type', 'severity', 'operator', 'value', 'window_minutes'] },
    ),
  }),
  fc.record({
    rule_type: fc.constant('missing_field'),
    config: fc.record({
      ...every,
      required_fields: fc.array(path, { minLength: 1, maxLength: 5 }),
    }),
  }),
  fc.record({
    rule_type: fc.constant('volume'),
    config: fc.record({
      ...every,
      threshold_percent: fc.oneof(
        fc.double({ min: -100, max: 1_000_000, noNaN: true }),
        fc.integer({ min: -100, max: 500 }),
      ),
      current_window_minutes: length(10_080),
      comparison_window_hours: length(2160),
      min_baseline_events: number(0, 1e6),
      baseline: fc.constantFrom('average', 'previous', 'seasonal'),
      beyond_chance: fc.boolean(),
    }),
  }),
];

const shown = fc.record({
  name: text(30),
  is_active: fc.boolean(),
  tags: fc.array(text(10), { maxLength: 4 }),
  category: fc.option(text(10)),
});

it('a rule of any type comes back out of the form as the server has it', () => {
  const rule = fc
    .tuple(fc.oneof(...drafts), shown)
    .map(([draft, more]) => newRule.safeParse({ ...draft, ...more }))
    .filter(({ success }) => success)
    .map(({ data }) => data as NonNullable<typeof data>);
  fc.assert(
    fc.property(rule, (one) => {
      expect(bodyOf(formOf(one))).toEqual(one);
    }),
    { numRuns: 600 },
  );
});
