import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Measure, Question } from '../../server/events/questions.ts';
import { HOUR, MINUTE, NOON, openAnswers } from './answers-parts.ts';
import type { Received } from './answers-parts.ts';
import { rounds } from '../helpers/soak.ts';

const TIMES = rounds(1, 20);
const SPAN = 4 * HOUR;
const PATHS = ['v', 'a.b'] as const;

/** Edges of minutes, a millisecond beside them, and any other time. */
const moment = fc
  .tuple(fc.nat({ max: SPAN / MINUTE }), fc.constantFrom(0, 0, 0, -1, 1, 29_999, 30_000))
  .map(([minute, ms]) => NOON + minute * MINUTE + ms);

/** Numbers that add up without rounding, in whatever order. */
const value = fc.oneof(
  fc.integer({ min: -20, max: 20 }).map((n) => String(n / 4)),
  fc.constantFrom('null', '""', '"x"', 'true', 'false', '[1,2]', '{"c":1}', '"7.5"', '"-3"'),
);
const data = fc.oneof(
  value.map((v) => `{"v":${v}}`),
  value.map((v) => `{"a":{"b":${v}}}`),
  fc.tuple(value, value).map(([v, w]) => `{"v":${v},"a.b":${w},"a":{"b":0.25}}`),
  fc.constantFrom('{}', '{"a":[{"b":1}]}', '{"a":5}'),
);
const names = {
  tenant: fc.constantFrom('one', 'two'),
  event_type: fc.constantFrom('x', 'y'),
  source: fc.constantFrom('s', 't', 'u'),
};
const received = fc.record({ at: moment, ...names, data });

const measure = fc.oneof(
  fc.constant<Measure>({ of: 'count' }),
  fc.record({
    of: fc.constantFrom('lacking', 'unique', 'sum', 'avg', 'min', 'max'),
    path: fc.constantFrom(...PATHS),
  }),
);
const asked = fc
  .record({
    from: moment,
    to: moment,
    tenant: names.tenant,
    event_type: names.event_type,
    source: fc.option(names.source, { nil: undefined }),
    measure,
  })
  .map(({ from, to, ...rest }) => ({ ...rest, from: Math.min(from, to), to: Math.max(from, to) }));

/** The same, counted the slow and simple way. */
function counted(events: readonly Received[], question: Question): number | null {
  const { tenant, event_type: type, source, from, to, measure } = question;
  const inWindow = events.filter(
    (event) =>
      event.at >= from &&
      event.at < to &&
      event.tenant === tenant &&
      event.event_type === type &&
      (source === undefined || event.source === source),
  );
  if (measure.of === 'count') return inWindow.length;
  const found = inWindow.map((event) => lookup(JSON.parse(event.data ?? '{}'), measure.path));
  const texts = found.filter((text) => text !== undefined);
  const numbers = texts.filter((text) => /^-?\d+(\.\d+)?$/.test(text)).map(Number);
  const sum = numbers.reduce((total, number) => total + number, 0);
  switch (measure.of) {
    case 'lacking':
      return found.length - texts.length;
    case 'unique':
      return new Set(texts).size;
    case 'sum':
      return numbers.length === 0 ? null : sum;
    case 'avg':
      return numbers.length === 0 ? null : sum / numbers.length;
    default:
      return numbers.length === 0 ? null : Math[measure.of](...numbers);
  }
}

function lookup(data: unknown, path: string): string | undefined {
  const step = (from: unknown, key: string) => (from as Record<string, unknown> | null)?.[key];
  const value = step(data, path) ?? path.split('.').reduce(step, data);
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Leaves out those about distinct values whose window lies within that of another, or around it. */
function withoutNested(questions: readonly Question[]): Question[] {
  const within = (a: Question, b: Question) => a.from < b.from && b.to < a.to;
  const kept: Question[] = [];
  for (const question of questions) {
    const isUnique = question.measure.of === 'unique';
    const others = kept.filter((other) => isUnique && other.measure.of === 'unique');
    if (others.some((other) => within(question, other) || within(other, question))) continue;
    kept.push(question);
  }
  return kept;
}

describe('any questions about any events', () => {
  it('have the answers that counting by hand gives', async () => {
    const { receive, answer } = await openAnswers();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(received, { minLength: 20, maxLength: 80 }),
        fc.array(fc.array(asked, { minLength: 1, maxLength: 40 }), { minLength: 2, maxLength: 5 }),
        async (events, rounds) => {
          const id = ++run;
          const own = <T extends { tenant: string }>(one: T): T => ({
            ...one,
            tenant: `${one.tenant}-${id}`,
          });
          const sent = events.map(own);
          await receive(sent);
          for (const round of rounds) {
            const questions = withoutNested(round.map(own));
            const expected = questions.map((question) => counted(sent, question));
            expect(await answer(questions)).toEqual(expected);
          }
        },
      ),
      { numRuns: 12 * TIMES },
    );
  });

  it('about distinct values in windows that slide are exact', async () => {
    const { receive, answer } = await openAnswers();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(received, { minLength: 50, maxLength: 150 }),
        fc.array(moment, { minLength: 2, maxLength: 60 }),
        fc.integer({ min: 1, max: SPAN }),
        fc.option(names.source, { nil: undefined }),
        async (events, starts, length, source) => {
          const tenant = `t${++run}`;
          const sent = events.map((event) => ({ ...event, tenant }));
          await receive(sent);
          const questions = starts.map((from): Question => {
            const measure: Measure = { of: 'unique', path: 'v' };
            return { tenant, event_type: 'x', source, from, to: from + length, measure };
          });
          const expected = questions.map((question) => counted(sent, question));
          expect(await answer(questions)).toEqual(expected);
        },
      ),
      { numRuns: 12 * TIMES },
    );
  });
});
