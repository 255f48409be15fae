import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../server/events/fields.ts';
import type { EventFields } from '../../server/events/schema.ts';
import { startAppliance } from '../helpers/appliance.ts';
import { freshTenant } from '../helpers/tenant.ts';
import type { TestTenant } from '../helpers/tenant.ts';

const walked = (...data: unknown[]) => fieldsOf(data.map((one) => JSON.stringify(one)));
const field = (
  path: string,
  filled: number,
  types: object,
  examples: string[] = [],
  more = {},
) => ({
  ...{ path, in_list: false, filled, null: 0, types, examples, ...more },
});

describe('the fields of events', () => {
  it('are counted once for each event, the commonest first', async () => {
    expect(
      await walked({ b: 1, a: 'x' }, { b: 2, a: null }, { b: 'two' }, { b: 2, c: true }),
    ).toEqual([
      field('b', 4, { number: 3, string: 1 }, ['1', '2', 'two']),
      field('a', 1, { string: 1 }, ['x'], { null: 1 }),
      field('c', 1, { boolean: 1 }, ['true']),
    ]);
  });

  it('go along dots into objects and with [] into lists', async () => {
    expect(
      await walked(
        { cart: { items: [{ price: 1 }, { price: null }, { price: 'free' }], note: '' } },
        { cart: { items: [{ price: null }] } },
        { cart: { items: [] } },
      ),
    ).toEqual([
      field('cart', 3, { object: 3 }),
      field('cart.items', 3, { array: 3 }),
      field('cart.items[].price', 1, { number: 1, string: 1 }, ['1', 'free'], {
        in_list: true,
        null: 1,
      }),
      field('cart.note', 1, { string: 1 }, ['']),
    ]);
  });

  it('have the paths that rules read: the literal key before the steps', async () => {
    expect(await walked({ a: { b: 1 }, 'a.b': 'literal' })).toEqual([
      field('a', 1, { object: 1 }),
      field('a.b', 1, { string: 1 }, ['literal']),
    ]);
    expect(await walked({ 'a.b': null, a: { b: 1 } })).toContainEqual(
      field('a.b', 1, { number: 1 }, ['1']),
    );
    const paths = (
      await walked({ a: { 'b.c': 1, 'x\u0001': 1 }, '': 1, ['k'.repeat(501)]: 1 })
    ).map(({ path }) => path);
    expect(paths).toEqual(['a']);
  });

  it('end five levels down, and in lists of lists', async () => {
    const paths = async (data: unknown) => (await walked(data)).map(({ path }) => path);
    expect(await paths({ a: { b: { c: { d: { e: { f: 1 } } } } } })).toEqual([
      ...['a', 'a.b', 'a.b.c', 'a.b.c.d', 'a.b.c.d.e'],
    ]);
    expect(await paths({ m: [[{ x: 1 }]] })).toEqual(['m', 'm[][].x']);
    const deep = `{"m":${'['.repeat(900)}${']'.repeat(900)}}`;
    expect((await fieldsOf([deep])).map(({ path }) => path)).toEqual(['m']);
  });

  it('are 300 at most, and examples short', async () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`k${1000 + n}`, n]));
    const fields = await walked(
      many,
      { z: '😀'.repeat(40) },
      { z: `x${'😀'.repeat(40)}` },
      { z: 1 },
    );
    expect(fields).toHaveLength(300);
    expect(fields[0]?.examples).toEqual(['😀'.repeat(30), `x${'😀'.repeat(29)}`, '1']);
    expect(fields[1]?.path).toBe('k1000');
    expect(fields.at(-1)?.path).toBe('k1298');
  });

  it('take any name for a name', async () => {
    const fields = await fieldsOf([
      '{"__proto__":{"polluted":1},"constructor":2,"toString":{"__proto__":3},"hasOwnProperty":[]}',
    ]);
    expect(fields.map(({ path }) => path)).toEqual([
      ...['__proto__', '__proto__.polluted', 'constructor', 'hasOwnProperty'],
      ...['toString', 'toString.__proto__'],
    ]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('never count more than the events there are, whatever they hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), async (events) => {
        const fields = await walked(...events);
        const names = fields.map(({ path, in_list: inList }) => `${inList} ${path}`);
        expect(new Set(names).size).toBe(names.length);
        for (const { filled, null: nulls, types, examples } of fields) {
          expect(filled + nulls).toBeGreaterThan(0);
          expect(filled + nulls).toBeLessThanOrEqual(events.length);
          for (const count of Object.values(types)) expect(count).toBeLessThanOrEqual(filled);
          expect(new Set(examples).size).toBe(examples.length);
          for (const example of examples) expect(example.length).toBeLessThanOrEqual(60);
        }
        for (const [key, value] of Object.entries(Object.assign({}, ...events) as object)) {
          const isNamed = key !== '' && !/[\0-\x1f]/.test(key);
          if (isNamed && value !== null && fields.length < 300) {
            expect(names).toContain(`false ${key}`);
          }
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('GET /api/v1/events/fields', () => {
  const ask = async (vedette: Pick<TestTenant, 'get'>, query: string) =>
    (await vedette.get(`/events/fields?${query}`)).json<EventFields>();

  it('looks at the newest 1,000 events of one type', async () => {
    let now = Date.UTC(2026, 0, 1);
    await using vedette = await startAppliance({ clock: { now: () => now } });
    const send = (count: number, data: object, source = 'shop', event_type = 'purchase') =>
      vedette.post(Array(count).fill({ source, event_type, data }));
    await send(300, { old: 1 });
    now += 1000;
    await send(600, { id: 'A-1' });
    await send(5, { other: 1 }, 'shop', 'refund');
    now += 1000;
    await send(300, { id: null }, 'app');
    const purchase = await ask(vedette, 'event_type=purchase');
    expect(purchase).toEqual({
      event_type: 'purchase',
      sampled: 1000,
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-01T00:00:02.000Z',
      fields: [
        field('id', 600, { string: 600 }, ['A-1'], { null: 300 }),
        field('old', 100, { number: 100 }, ['1']),
      ],
    });
    expect(await ask(vedette, 'event_type=purchase&source=app')).toMatchObject({
      sampled: 300,
      fields: [{ path: 'id', filled: 0, null: 300 }],
    });
    expect(await ask(vedette, 'event_type=unknown')).toEqual({
      ...{ event_type: 'unknown', sampled: 0, from: null, to: null, fields: [] },
    });
  });

  it('looks at no more text than it can without holding up others', async () => {
    const vedette = await freshTenant();
    const large = (length: number) => ({
      source: 'a',
      event_type: 'b',
      data: { v: 'x'.repeat(length) },
    });
    await vedette.post([large(3 << 20)]);
    for (let n = 0; n < 3; n++) await vedette.post(Array(5).fill(large(900_000)));
    expect((await ask(vedette, 'event_type=b')).sampled).toBe(9);
  });

  it('needs a type', async () => {
    const vedette = await freshTenant();
    const answer = await vedette.get('/events/fields');
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ detail: string }>().detail).toBe('Wrong query: event_type is required');
  });
});
