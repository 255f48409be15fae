import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import { freshTenant } from '../helpers/tenant.ts';
import { rounds } from '../helpers/soak.ts';

interface Listed {
  id: string;
  source: string;
  event_type: string;
  data: unknown;
}

// Each run takes a flush, so that much in few runs is looked at sooner than little in many.
const TIMES = rounds(1, 20);

/** -0 is written as 0 by JSON.stringify itself. */
const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

describe('an accepted event', () => {
  it('comes back equal, whatever JSON is in it', async () => {
    const vedette = await freshTenant();
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    const item = fc.record({
      source: text,
      event_type: text,
      data: fc.dictionary(text, fc.jsonValue({ maxDepth: 5, stringUnit: 'grapheme' }), {
        maxKeys: 6,
      }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 150 }), async (items) => {
        const answer = await vedette.post(items);
        expect(answer.statusCode).toBe(201);
        const events = (await vedette.get(`/events?limit=${items.length}`)).json<Listed[]>();
        const stored = events
          .reverse()
          .map(({ source, event_type, data }) => ({ source, event_type, data }));
        expect(stored).toEqual(json(items));
      }),
      { numRuns: 20 * TIMES },
    );
  });

  it('keeps every digit of every number', async () => {
    const vedette = await freshTenant();
    const digits = fc.string({
      unit: fc.integer({ min: 0, max: 9 }).map(String),
      minLength: 1,
      maxLength: 30,
    });
    const number = fc
      .tuple(
        fc.constantFrom('', '-'),
        digits,
        fc.option(digits),
        fc.option(fc.integer({ min: -500, max: 500 })),
      )
      .map(([sign, whole, fraction, exponent]) =>
        [
          sign,
          whole.replace(/^0+(?=\d)/, ''),
          fraction === null ? '' : `.${fraction}`,
          exponent === null ? '' : `e${exponent}`,
        ].join(''),
      );
    await fc.assert(
      fc.asyncProperty(fc.array(number, { minLength: 1, maxLength: 300 }), async (numbers) => {
        await vedette.post(`[{"source":"a","event_type":"n","data":{"n":[${numbers.join(',')}]}}]`);
        const { body } = await vedette.get('/events?limit=1');
        const stored = /"n":\[([^\]]*)\]/.exec(body)?.[1]?.split(',') ?? [];
        expect(stored.map(decimal)).toEqual(numbers.map(decimal));
      }),
      { numRuns: 10 * TIMES },
    );
  });
});

/** A decimal number in one spelling: sign, digits without zeros at either end, power of ten. */
function decimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const all = whole + fraction;
  const digits = all.replace(/^0+/, '').replace(/0+$/, '');
  if (digits === '') return `${sign}0`;
  const trailing = all.length - all.replace(/0+$/, '').length;
  return `${sign}${digits}e${Number(exponent) - fraction.length + trailing}`;
}

describe('any sequence of requests', () => {
  it('ends in no 5xx, and stores just what was acknowledged', async () => {
    // They may take anything of it away, also keys.
    await using vedette = await startAppliance();
    const good = { source: 'a', event_type: 'b', data: { x: 1 } };
    const path = fc.constantFrom(
      ...['', '/', '/types', '/collect', '/rejected', '/activity', '/%'].map(
        (end) => `/api/v1/events${end}`,
      ),
      ...['/keys', '/keys/x/secret', '/session', '/settings', '/tenants/me'].map(
        (end) => `/api/v1${end}`,
      ),
      ...['/health', '/metrics', '/docs', '/nope', '/%zz', '//'],
    );
    const request = fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
      url: fc
        .tuple(path, fc.option(fc.webQueryParameters()))
        .map(([at, query]) => at + (query ? `?${query}` : '')),
      key: fc.constantFrom(KEY, 'wrong', ''),
      type: fc.constantFrom(
        'application/json',
        'text/plain',
        'application/json; charset=x',
        'nonsense',
        '',
      ),
      body: fc.oneof(
        fc.constant(JSON.stringify([good])),
        fc.json(),
        fc.string(),
        fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      ),
    });
    let acknowledged = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 50 }), async (requests) => {
        for (const { method, url, key, type, body } of requests) {
          const answer = await vedette.app.inject({
            method: method as 'GET',
            url,
            headers: { ...(key && { 'x-api-key': key }), ...(type && { 'content-type': type }) },
            ...(method !== 'GET' && method !== 'HEAD' && { payload: body }),
          });
          expect(answer.statusCode).toBeLessThan(500);
          if (answer.statusCode >= 400 && method !== 'HEAD')
            expect(answer.json()).toHaveProperty('detail');
          if (answer.statusCode === 201 && url.startsWith('/api/v1/events')) {
            acknowledged += answer.json<{ ingested: number }>().ingested;
          }
        }
        const counts = (await vedette.get('/events/counts')).json<{ count: number }[]>();
        expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(acknowledged);
      }),
      { numRuns: 12 * TIMES },
    );
  });
});
