import { describe, expect, it } from 'vitest';
import { NAME_CHARS } from '../../server/platform/bounds.ts';
import { startAppliance } from '../helpers/appliance.ts';
import { freshTenant, sharedAppliance, strangeAddress } from '../helpers/tenant.ts';

const purchase = {
  source: 'backend',
  event_type: 'purchase',
  data: { order_id: 'A-1', value: 49.9 },
};
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('POST /api/v1/events', () => {
  it('answers 201 with the count of events taken', async () => {
    const vedette = await freshTenant();
    const answer = await vedette.post([purchase, purchase, purchase]);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({ ingested: 3 });
    const none = await vedette.post([]);
    expect([none.statusCode, none.json()]).toEqual([201, { ingested: 0 }]);
  });

  it('stores source, event_type and data, and gives each event an id and a time of receipt', async () => {
    const now = Date.UTC(2026, 0, 31, 12, 0, 0, 7);
    await using vedette = await startAppliance({ clock: { now: () => now } });
    await vedette.post([purchase]);
    const [event] = (await vedette.get('/events')).json<Record<string, unknown>[]>();
    expect(event).toEqual({
      ...purchase,
      id: expect.stringMatching(UUID_V7) as string,
      created_at: '2026-01-31T12:00:00.007Z',
    });
  });

  it('takes any text as source and event_type', async () => {
    const vedette = await freshTenant();
    const texts = [
      '',
      ' ',
      '\u0000',
      '\ufeffx',
      'é😀',
      "'; DROP TABLE events; --",
      'a'.repeat(200),
      'a'.repeat(5000),
      '"\\',
    ];
    await vedette.post(texts.map((text) => ({ source: text, event_type: text, data: {} })));
    const events = (await vedette.get('/events')).json<{ source: string; event_type: string }[]>();
    expect(events.map(({ source }) => source).reverse()).toEqual(texts);
    expect(events.map(({ event_type: type }) => type).reverse()).toEqual(texts);
    expect(new Set((await vedette.get('/events/types')).json<string[]>())).toEqual(
      new Set(texts.filter(({ length }) => length <= NAME_CHARS)),
    );
  });

  it('does not keep further keys of an item', async () => {
    const vedette = await freshTenant();
    await vedette.post([
      { ...purchase, id: 'mine', created_at: 'never', context: { a: 1 }, SOURCE: 'x' },
    ]);
    const [event] = (await vedette.get('/events')).json<Record<string, unknown>[]>();
    expect(Object.keys(event ?? {}).sort()).toEqual([
      'created_at',
      'data',
      'event_type',
      'id',
      'source',
    ]);
    expect(event?.['source']).toBe('backend');
  });

  it('works with and without a trailing slash', async () => {
    const vedette = await freshTenant();
    const answer = await vedette.app.inject({
      method: 'POST',
      url: '/api/v1/events/',
      headers: { 'x-api-key': vedette.key, 'content-type': 'application/json' },
      payload: JSON.stringify([purchase]),
    });
    expect(answer.statusCode).toBe(201);
    expect((await vedette.get('/events/')).json()).toHaveLength(1);
    expect((await vedette.get('/events')).json()).toHaveLength(1);
  });

  it('answers 400 to a body that is not JSON', async () => {
    const vedette = await freshTenant();
    for (const [what, body] of [
      ['nothing', ''],
      ['cut off', '[{"source":"a"'],
      ['two values', '[] []'],
      ['single quotes', "[{'source':'a'}]"],
      ['a trailing comma', '[1,]'],
      ['a bare word', '[undefined]'],
      ['a leading zero', '[01]'],
      ['a raw control character', '["\u0001"]'],
      ['bytes that are not UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0xfe, 0x22, 0x5d])],
      ['a NUL byte behind the text', '[]\u0000'],
      ['a byte order mark', '\ufeff[]'],
    ] as const) {
      const answer = await vedette.post(body);
      expect(answer.statusCode, what).toBe(400);
      expect(answer.json<{ detail: string }>().detail, what).toMatch(/JSON/);
    }
  });

  it('names the index and field of every bad item, and keeps none of the batch', async () => {
    const vedette = await freshTenant();
    const answer = await vedette.post([
      purchase,
      { source: 'backend', data: {} },
      { source: 7, event_type: null, data: [] },
      'text',
      purchase,
    ]);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toEqual({
      detail: expect.stringContaining('[1].event_type: is required') as string,
      errors: [
        { path: '[1].event_type', message: 'is required' },
        { path: '[2].source', message: 'must be a string' },
        { path: '[2].event_type', message: 'must be a string' },
        { path: '[2].data', message: 'must be an object' },
        { path: '[3]', message: 'must be an object' },
      ],
    });
    expect((await vedette.get('/events')).json()).toEqual([]);
  });

  it('answers 422 to JSON of the wrong shape, or that could not come back unchanged', async () => {
    const vedette = await freshTenant();
    const item = (rest: string) => `[{"source":"a","event_type":"b",${rest}}]`;
    for (const [what, body, path] of [
      ['a single event', JSON.stringify(purchase), ''],
      ['text', '"hello"', ''],
      ['null', 'null', ''],
      ['data that is null', item('"data":null'), '[0].data'],
      ['data that is a list', item('"data":[1]'), '[0].data'],
      ['data that is text', item('"data":"{}"'), '[0].data'],
      ['a key of an item given twice', item('"data":{},"source":"c"'), '[0].source'],
      ['half of a surrogate pair', item(String.raw`"data":{"x":"\ud800"}`), '[0].data.x'],
      [
        'a payload nested 10,000 deep',
        item(`"data":{"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`),
        '[0].data',
      ],
    ] as const) {
      const answer = await vedette.post(body);
      expect(answer.statusCode, what).toBe(422);
      expect(answer.json<{ errors: { path: string }[] }>().errors[0]?.path, what).toBe(path);
    }
    expect((await vedette.get('/events')).json()).toEqual([]);
  });

  it('gives back a payload as it was sent', async () => {
    const vedette = await freshTenant();
    const numbersIn = (text: string) => text.match(/-?\d+(\.\d+)?([eE][-+]?\d+)?(?=[,}])/g);
    for (const data of [
      '{"n":"\\u0000","\\u0000":1}',
      '{"__proto__":{"polluted":true},"constructor":{"prototype":1}}',
      '{"twice":1,"twice":2}',
      '{"a":0.1234567890123456789012345,"b":1e400,"c":-1e-400,"d":-0,"e":1E5}',
      '{"a":12345678901234567890123456789,"b":-9223372036854775809,"c":18446744073709551616}',
      '{"emoji":"\\ud83d\\ude00","raw":"😀","text":"\\"\\\\\\/\\b\\f\\n\\r\\t"}',
    ]) {
      const sent = await vedette.post(`[{"source":"a","event_type":"b","data":${data}}]`);
      expect(sent.statusCode, data).toBe(201);
      const text = (await vedette.get('/events?limit=1')).body;
      const stored = text.slice(text.indexOf('"data":') + 7, text.lastIndexOf(',"created_at"'));
      // Escapes may be spelled otherwise; numbers and doubled keys may not.
      expect(JSON.parse(stored), data).toEqual(JSON.parse(data));
      expect(numbersIn(stored), data).toEqual(numbersIn(data));
    }
  });

  it('takes a body with line breaks', async () => {
    const vedette = await freshTenant();
    expect((await vedette.post(JSON.stringify([purchase], null, 2))).statusCode).toBe(201);
    expect((await vedette.post(`\r\n[${JSON.stringify(purchase)}\r\n]\n`)).statusCode).toBe(201);
    expect((await vedette.get('/events')).json()).toHaveLength(2);
  });

  it('answers 415 to another content type or encoding', async () => {
    const vedette = await sharedAppliance();
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-encoding': 'gzip' },
    ]) {
      const answer = await vedette.post([purchase], headers);
      expect(answer.statusCode).toBe(415);
      expect(answer.json()).toHaveProperty('detail');
    }
    for (const charset of ['charset=utf-8', 'charset="UTF-8"', 'charset= utf8 ; q=1']) {
      const headers = { 'content-type': `application/json; ${charset}` };
      expect((await vedette.post([], headers)).statusCode, charset).toBe(201);
    }
  });

  it('answers 413 to a body over 16 MiB or a batch over 50,000 events', async () => {
    const vedette = await freshTenant();
    expect((await vedette.post(Buffer.alloc(16 * 1024 * 1024 + 1, 0x20))).statusCode).toBe(413);
    const small = '{"source":"a","event_type":"b","data":{}}';
    expect((await vedette.post(`[${Array(50_001).fill(small).join(',')}]`)).statusCode).toBe(413);
    expect((await vedette.post(`[${Array(50_000).fill(small).join(',')}]`)).json()).toEqual({
      ingested: 50_000,
    });
  });

  it('takes payloads of almost 16 MiB that need much memory, several at once, and gives them back', async () => {
    const vedette = await freshTenant();
    const numbers = `{"a":[${'1,'.repeat(8_388_000)}1]}`;
    const body = `[{"source":"s","event_type":"t","data":${numbers}}]`;
    const answers = await Promise.all([1, 2, 3].map(() => vedette.post(body)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201]);
    expect((await vedette.get('/events/counts')).json()).toMatchObject([{ count: 3 }]);
    const { body: listed } = await vedette.get('/events?limit=1');
    expect(listed.includes(`"data":${numbers},"created_at"`)).toBe(true);
  });

  it('answers nonsense of 16 MiB without much ado', async () => {
    const vedette = await sharedAppliance();
    const half = 8 << 20;
    const nonsense: [string, number][] = [
      [`[${'1,'.repeat(half - 1)}1]`, 413],
      ['['.repeat(16 << 20), 422],
      [`[${'{},'.repeat(49_999)}{}]`, 422],
      [`[{"source":"a","event_type":"b","data":{"a":${'['.repeat(half)}`, 422],
    ];
    for (const [body, status] of nonsense) {
      const answer = await vedette.post(body);
      expect(answer.statusCode).toBe(status);
      expect(answer.body.length).toBeLessThan(200_000);
    }
  });

  it('answers 401 without a key, and with a wrong one', async () => {
    const { app } = await sharedAppliance();
    for (const key of ['', 'wrong', 'x'.repeat(10_000)]) {
      const answer = await app.inject({
        ...{ method: 'POST', url: '/api/v1/events', remoteAddress: strangeAddress() },
        ...{ headers: { 'x-api-key': key }, payload: [purchase] },
      });
      expect(answer.statusCode).toBe(401);
      expect(answer.json<{ detail: string }>().detail).toMatch(/API key is (missing|invalid)/);
    }
  });

  it('answers 405 with the methods that the path takes', async () => {
    const vedette = await sharedAppliance();
    const answer = await vedette.app.inject({ method: 'DELETE', url: '/api/v1/events' });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe('GET, HEAD, POST');
    expect(answer.json()).toHaveProperty('detail');
  });

  it('counts requests per key, and answers 429 with Retry-After above the limit', async () => {
    let now = Date.UTC(2026, 0, 1);
    await using vedette = await startAppliance({ rateLimitEvents: 3, clock: { now: () => now } });
    for (let i = 0; i < 3; i++) expect((await vedette.post([purchase])).statusCode).toBe(201);
    now += 20_000;
    const answer = await vedette.post([purchase]);
    expect(answer.statusCode).toBe(429);
    expect(answer.headers['retry-after']).toBe('40');
    expect(answer.json<{ detail: string }>().detail).toMatch(/limit exceeded/i);
    now += 40_000;
    expect((await vedette.post([purchase])).statusCode).toBe(201);
  });

  it('can be called from pages of any site', async () => {
    const vedette = await sharedAppliance();
    const preflight = await vedette.app.inject({
      method: 'OPTIONS',
      url: '/api/v1/events',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-api-key,content-type',
        'access-control-request-private-network': 'true',
      },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'X-API-Key, Content-Type',
      'access-control-allow-private-network': 'true',
    });
    for (const body of [[purchase], 'broken']) {
      const answer = await vedette.post(body, { origin: 'https://shop.example' });
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    }
  });
});
