import { describe, expect, it } from 'vitest';
import type { Answer } from '../../server/events/questions.ts';
import { MINUTE, NOON, openAnswers } from './answers-parts.ts';

const KINDS = ['lacking', 'unique', 'sum', 'avg', 'min', 'max'] as const;

/** What every measure makes of each list of values of `v`, sent as JSON. */
async function measuredEach(lists: readonly (readonly string[])[]) {
  const { receive, ask } = await openAnswers();
  const events = lists.flatMap((values, list) =>
    values.map((value) => ({ at: NOON, event_type: `${list}`, data: `{"v":${value}}` })),
  );
  await receive(events);
  const answers = await ask(
    ...lists.flatMap((_, list) =>
      KINDS.map((of) => ({ event_type: `${list}`, measure: { of, path: 'v' } })),
    ),
  );
  return lists.map((_, list) =>
    Object.fromEntries(KINDS.map((kind, i) => [kind, answers[list * KINDS.length + i] as Answer])),
  );
}

const measured = async (values: readonly string[]) => (await measuredEach([values]))[0] ?? {};

/** By the value, so that a difference shows which it is of. */
async function measuredApart(values: readonly string[]) {
  const found = await measuredEach(values.map((value) => [value]));
  return Object.fromEntries(values.map((value, i) => [value, found[i]]));
}

const number = (value: number) => ({
  ...{ lacking: 0, unique: 1 },
  ...{ sum: value, avg: value, min: value, max: value },
});
const noNumber = { lacking: 0, unique: 1, sum: null, avg: null, min: null, max: null };
const nothing = { ...noNumber, lacking: 1, unique: 0 };

const NUMBERS: readonly [text: string, value: number][] = [
  ['5', 5],
  ['-0.25', -0.25],
  ['1e2', 100],
  ['1.5E-3', 0.0015],
  ['0', 0],
  ['"5"', 5],
  ['"-12.75"', -12.75],
  ['"1e3"', 1000],
  ['" 7 "', 7],
  ['12345678901234567890123', 12345678901234567890123],
  ['1.7976931348623157e308', Number.MAX_VALUE],
  ['1e-400', 0],
];

const NO_NUMBERS = [
  ...['true', 'false', '"true"', '""', '" "', '"abc"', '"1,5"', '"0x10"', '"12 EUR"', '"€5"'],
  ...['[]', '[5]', '{}', '{"v":5}', '1e400', '-1e400', '"1e400"'],
  ...['"NaN"', '"inf"', '"Infinity"', '"null"', '"undefined"', '"2026-01-31"'],
  ...[`"it's"`, '"\\"q\\""', '"😀"', '"\\ufeff"', '"\\ufeff5"', '"\\u0000"', '"a\\nb"', '"\\\\"'],
];

describe('a value', () => {
  it('is a number, also as text', async () => {
    const texts = NUMBERS.map(([text]) => text);
    const expected = NUMBERS.map(([text, value]) => [text, number(value)]);
    expect(await measuredApart(texts)).toEqual(Object.fromEntries(expected));
  });

  it('is there and no number', async () => {
    const expected = NO_NUMBERS.map((text) => [text, noNumber]);
    expect(await measuredApart(NO_NUMBERS)).toEqual(Object.fromEntries(expected));
  });

  it('null is nothing', async () => {
    expect(await measured(['null'])).toEqual(nothing);
  });

  it('that is no number leaves the sum of the others alone', async () => {
    const values = ['1', '"2.5"', 'null', '"x"', 'true', '1e400', '[9]', '-6'];
    expect(await measured(values)).toEqual({
      ...{ lacking: 1, unique: 7 },
      ...{ sum: -2.5, avg: -2.5 / 3, min: -6, max: 2.5 },
    });
  });

  it('counts as another when it is written otherwise, and as the same when quoted', async () => {
    const { unique } = await measured(['1', '"1"', '"01"', '2', '2', '" 2"', '"a"', '"A"', '"ä"']);
    expect(unique).toBe(7);
  });

  it('that no character tells from another is the same', async () => {
    const values = ['"\\u0041"', '"A"', '"\\ufeffA"', '"\\u00e4"', '"a\\u0308"', '"ä"'];
    expect((await measured(values))['unique']).toBe(4);
  });

  it('as large as can be adds up to no number without spoiling what else is asked', async () => {
    const answers = await measured(['1e308', '1e308']);
    expect(answers).toMatchObject({ lacking: 0, unique: 1, min: 1e308, max: 1e308 });
    expect(answers['sum']).not.toBeInstanceOf(Error);
  });
});

/** What lies within another is counted in a way of its own, which random questions leave out. */
describe('distinct values of nested windows', () => {
  const at = (minute: number) => NOON + minute * MINUTE;
  const measure = { of: 'unique', path: 'v' } as const;

  it('are of each window', async () => {
    const { receive, ask } = await openAnswers();
    await receive([{ at: at(35), data: '{"v":1}' }]);
    const windows = [
      { from: at(0), to: at(60) },
      { from: at(10), to: at(20) },
      { from: at(30), to: at(40) },
      { from: at(15), to: at(35) },
      { from: at(0), to: at(60) },
    ];
    expect(await ask(...windows.map((w) => ({ ...w, measure })))).toEqual([1, 0, 1, 0, 1]);
  });

  it('are of each window where they end at one time', async () => {
    const { receive, ask } = await openAnswers();
    const events = [5, 12, 17, 32, 37, 59].map((minute) => ({
      at: at(minute) + 1,
      data: minute === 17 ? '{"v":null}' : `{"v":${minute % 5}}`,
    }));
    await receive(events);
    // The values at those minutes are 0, 2, null, 2, 2 and 4.
    const nested = [60, 45, 30, 15, 1].map((minutes) => ({ from: at(60 - minutes), to: at(60) }));
    expect(await ask(...nested.map((w) => ({ ...w, measure })))).toEqual([3, 2, 2, 1, 1]);
  });
});
