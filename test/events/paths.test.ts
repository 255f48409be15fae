import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOON, openAnswers } from './answers-parts.ts';
import { rounds } from '../helpers/soak.ts';

type Row = readonly [label: string, path: string, data: string];

/** What a measure makes of each row's own event, by the label of the row. */
async function each(rows: readonly Row[], of: 'max' | 'lacking') {
  const { receive, ask } = await openAnswers();
  await receive(rows.map(([event_type, , data], ms) => ({ at: NOON + ms, event_type, data })));
  const asked = rows.map(([event_type, path]) => ({ event_type, measure: { of, path } }));
  const answers = await ask(...asked);
  return Object.fromEntries(rows.map(([label], i) => [label, answers[i]]));
}

const all = (rows: readonly Row[], value: number) =>
  Object.fromEntries(rows.map(([label]) => [label, value]));

/** Each finds 7. */
const FOUND: readonly Row[] = [
  ['a key', 'v', '{"v":7}'],
  ['a step', 'a.b', '{"a":{"b":7}}'],
  ['many steps', 'a.b.c.d', '{"a":{"b":{"c":{"d":7}}}}'],
  ['a literal key with dots', 'a.b', '{"a.b":7}'],
  ['the literal key before the steps', 'a.b', '{"a":{"b":1},"a.b":7}'],
  ['the steps where the literal key is null', 'a.b', '{"a.b":null,"a":{"b":7}}'],
  ['a place in a list', 'items.0.price', '{"items":[{"price":7},{"price":8}]}'],
  ['a later place in a list', 'items.1.price', '{"items":[{"price":8},{"price":7}]}'],
  ['a list in a list', 'm.1.0', '{"m":[[1],[7]]}'],
  ['a key that is a number', 'items.0', '{"items":{"0":7}}'],
  ['a key with a slash', 'a/b', '{"a/b":7,"a":{"b":1}}'],
  ['a step with a slash', 'a.b/c', '{"a":{"b/c":7}}'],
  ['a key with a tilde', 'a~b', '{"a~b":7}'],
  ['a key like an escaped slash', 'a~1b', '{"a~1b":7,"a/b":1}'],
  ['a key like an escaped tilde', 'a~0b', '{"a~0b":7,"a~b":1}'],
  ['a key with a quote', "it's", `{"it's":7}`],
  ['a key with double quotes', 'a"b', '{"a\\"b":7}'],
  ['a key with a backslash', 'a\\b', '{"a\\\\b":7}'],
  [
    'a key that would end a statement',
    "'; DROP TABLE events; --",
    `{"'; DROP TABLE events; --":7}`,
  ],
  ['a dollar', '$', '{"$":7}'],
  ['a dollar before a step', '$.v', '{"$":{"v":7},"v":1}'],
  ['a key like a value of a statement', '$1', '{"$1":7}'],
  ['a star', '*', '{"*":7,"v":1}'],
  ['a step that is a star', 'a.*', '{"a":{"*":7,"b":1}}'],
  ['a key with brackets', 'a[0]', '{"a[0]":7,"a":[1]}'],
  ['an empty step', 'a..b', '{"a":{"":{"b":7},"b":1}}'],
  ['an empty last step', 'a.', '{"a":{"":7}}'],
  ['an empty first step', '.a', '{"":{"a":7},"a":1}'],
  ['nothing but a dot', '.', '{"":{"":7}}'],
  ['a blank', ' ', '{" ":7}'],
  ['a key with a byte order mark', '\ufeffk', '{"\\ufeffk":7,"k":1}'],
  ['a key beyond ASCII', 'größe.😀', '{"größe":{"😀":7}}'],
  ['a key written with escapes', 'key', '{"\\u006bey":7}'],
];

const LACKING: readonly Row[] = [
  ['a key of another case', 'V', '{"v":7}'],
  ['a key further in', 'v', '{"a":{"v":7}}'],
  ['a part of a text', 'a.0', '{"a":"7"}'],
  ['a step into a number', 'v.v', '{"v":7}'],
  ['a place beyond the list', 'items.2', '{"items":[7,7]}'],
  ['a place before the list', 'items.-1', '{"items":[7,7]}'],
  ['the end of a list', 'items.-', '{"items":[7,7]}'],
  ['a place with a zero in front', 'items.01', '{"items":[7,7]}'],
  ['a huge place', 'items.18446744073709551616', '{"items":[7,7]}'],
  ['the length of a list', 'items.length', '{"items":[7,7]}'],
  ['a place in brackets', 'items[0]', '{"items":[7,7]}'],
  ['any key', 'a.*', '{"a":{"b":7}}'],
  ['any depth', '**.v', '{"v":7}'],
  ['the root', '$.v', '{"v":7}'],
  ['what every object has', 'constructor.name.length', '{"v":7}'],
  ['a literal key within a step', 'a.b.c', '{"a":{"b.c":7}}'],
];

describe('a path', () => {
  it('finds its place', async () => {
    expect(await each(FOUND, 'max')).toEqual(all(FOUND, 7));
  });

  it('finds nothing in another place', async () => {
    expect(await each(LACKING, 'lacking')).toEqual(all(LACKING, 1));
  });

  it('looks into each event by itself', async () => {
    const { receive, ask } = await openAnswers();
    const data = ['{"a.b":1}', '{"a":{"b":7}}', '{"a":[]}', '{}'];
    await receive(data.map((one, ms) => ({ at: NOON + ms, data: one })));
    const sum = { of: 'sum', path: 'a.b' } as const;
    expect(await ask({ measure: sum }, { measure: { ...sum, of: 'lacking' } })).toEqual([8, 2]);
  });

  it('of many paths each finds its own', async () => {
    const { receive, ask } = await openAnswers();
    await receive([{ at: NOON, data: '{"a":{"b":1},"a.b":2,"c":3,"d":{"e.f":4,"e":{"f":5}}}' }]);
    const paths = ['c', 'a.b', 'a', 'nothing', 'd.e.f', 'd'];
    const sums = paths.map((path) => ({ measure: { of: 'sum', path } as const }));
    expect(await ask(...sums)).toEqual([3, 2, null, null, 5, null]);
  });

  it('finds any literal key, and any key of an object', async () => {
    const { receive, ask } = await openAnswers();
    // As the schema of rules lets them through: not empty, and without control characters.
    const key = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((text) => !/[\0-\x1f]/.test(text) && text !== '__proto__');
    let types = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(key, key), { maxLength: 60 }), async (pairs) => {
        const named = pairs.map(([outer, inner]) => ({ outer, inner, event_type: `t${++types}` }));
        await receive(
          named.map(({ outer, inner, event_type }) => ({
            ...{ at: NOON, event_type, data: JSON.stringify({ [outer]: { [inner]: 7 } }) },
          })),
        );
        const asked = named.flatMap(({ outer, inner, event_type }) => {
          const paths = [outer, ...(`${outer}${inner}`.includes('.') ? [] : [`${outer}.${inner}`])];
          return paths.map((path) => ({ event_type, measure: { of: 'lacking', path } as const }));
        });
        expect(await ask(...asked)).toEqual(asked.map(() => 0));
      }),
      { numRuns: rounds(4, 100) },
    );
  });
});
