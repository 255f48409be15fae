import { describe, expect, it } from 'vitest';
import { startAppliance } from '../helpers/appliance.ts';
import { freshTenant, sharedAppliance, strangeAddress } from '../helpers/tenant.ts';

const payload = {
  source: 'gtm',
  source_id: 'GTM-ABC123',
  events: [
    {
      type: 'page_view',
      timestamp: 1_763_640_000_000,
      data: { page: '/', title: 'Über 100% + mehr' },
      metadata: { container_version: '7', environment: 'live', page_url: 'https://shop.example/' },
    },
    { type: 'purchase', timestamp: 1_763_640_000_005, data: { value: 49.9 }, metadata: {} },
  ],
};
const text = JSON.stringify(payload);

describe('GET /api/v1/events/collect', () => {
  it('answers with a transparent image of one pixel that nobody may cache', async () => {
    const vedette = await freshTenant();
    const answer = await vedette.pixel(encodeURIComponent(text));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/gif',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    });
    expect(answer.rawPayload.toString('latin1')).toMatch(/^GIF89a\u0001\u0000\u0001\u0000/);
  });

  it('takes the payload as JSON or base64, encoded as any sender may', async () => {
    const vedette = await freshTenant();
    const stored = [
      {
        source: 'gtm',
        event_type: 'page_view',
        data: payload.events[0]?.data,
        context: {
          source_id: 'GTM-ABC123',
          timestamp: 1_763_640_000_000,
          metadata: payload.events[0]?.metadata,
        },
      },
      { source: 'gtm', event_type: 'purchase', data: { value: 49.9 } },
    ];
    for (const [what, d] of [
      ['URL-encoded JSON', encodeURIComponent(text)],
      ['JSON with plus signs for blanks', encodeURIComponent(text).replaceAll('%20', '+')],
      ['base64', encodeURIComponent(Buffer.from(text).toString('base64'))],
      ['base64 whose plus signs were not encoded', Buffer.from(text).toString('base64')],
      ['base64url', Buffer.from(text).toString('base64url')],
    ] as const) {
      expect((await vedette.pixel(d)).statusCode, what).toBe(200);
      const events = (await vedette.get('/events?limit=2')).json<Record<string, unknown>[]>();
      expect(events.reverse(), what).toMatchObject(stored);
    }
    expect((await vedette.get('/events')).json()).toHaveLength(10);
  });

  it('keeps numbers as they were sent, in data and context', async () => {
    const vedette = await freshTenant();
    const exact =
      '{"source":"gtm","events":[{"type":"x","data":{"n":1E5},"metadata":{"m":0.12345678901234567890}}]}';
    await vedette.pixel(encodeURIComponent(exact));
    const { body } = await vedette.get('/events');
    expect(body).toContain('"data":{"n":1E5}');
    expect(body).toContain('"metadata":{"m":0.12345678901234567890}');
  });

  it('takes the parts of the payload in any order, and leaves out what was not sent', async () => {
    const vedette = await freshTenant();
    const d =
      '{"events":[{"data":{"a":1},"type":"late"},{"type":"x","data":{},"timestamp":null}],"source":"gtm"}';
    expect((await vedette.pixel(encodeURIComponent(d))).statusCode).toBe(200);
    const events = (await vedette.get('/events')).json<Record<string, unknown>[]>();
    expect(events[1]).toMatchObject({
      event_type: 'late',
      source: 'gtm',
      data: { a: 1 },
      context: {},
    });
  });

  it('takes events from any domain, whatever the key allows', async () => {
    const vedette = await freshTenant();
    const key = { name: 'web', scope: 'ingest', allowed_domains: ['shop.example'] };
    const made = await vedette.call('POST', '/keys', key);
    const { secret } = made.json<{ secret: string }>();
    const answer = await vedette.app.inject({
      method: 'GET',
      url: `/api/v1/events/collect?k=${secret}&d=${encodeURIComponent(text)}`,
      headers: { referer: 'https://elsewhere.example/' },
    });
    expect(answer.statusCode).toBe(200);
  });

  it('answers 400 with JSON when d holds no payload', async () => {
    const vedette = await freshTenant();
    const notUtf8 = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);
    for (const [what, d] of [
      ['nothing', ''],
      ['no JSON', 'hello'],
      ['a broken percent-encoding', '%7B%ZZ'],
      ['bytes that are not UTF-8', '%7B%22a%22%3A%22%FF%22%7D'],
      ['base64 of something else', Buffer.from('hello, world').toString('base64url')],
      ['JSON that is cut off', encodeURIComponent(text.slice(0, -5))],
      ['base64 of bytes that are not UTF-8', notUtf8.toString('base64url')],
    ] as const) {
      const answer = await vedette.pixel(d);
      expect(answer.statusCode, what).toBe(400);
      expect(answer.json(), what).toHaveProperty('detail');
    }
    expect((await vedette.get('/events')).json()).toEqual([]);
  });

  it('answers 422 to a payload of another shape, and says where', async () => {
    const vedette = await freshTenant();
    const gtm = (event: object) => ({ source: 'gtm', events: [event] });
    for (const [wrong, path] of [
      [{ events: [] }, 'source'],
      [{ source: 'gtm' }, 'events'],
      [gtm({ type: null, data: {} }), 'events[0].type'],
      [gtm({ type: 'x' }), 'events[0].data'],
      [gtm({ type: 'x', data: {}, timestamp: 1.5 }), 'events[0].timestamp'],
      [gtm({ type: 'x', data: {}, metadata: [] }), 'events[0].metadata'],
      [[], ''],
    ] as const) {
      const answer = await vedette.pixel(encodeURIComponent(JSON.stringify(wrong)));
      expect(answer.statusCode, path).toBe(422);
      expect(answer.json<{ errors: { path: string }[] }>().errors[0]?.path).toBe(path);
    }
  });

  it('answers 401 without a key or with a wrong one, in the form of every error', async () => {
    const { app } = await sharedAppliance();
    for (const key of ['', 'k=wrong&']) {
      const url = `/api/v1/events/collect?${key}d=${encodeURIComponent(text)}`;
      const answer = await app.inject({ method: 'GET', url, remoteAddress: strangeAddress() });
      expect(answer.statusCode).toBe(401);
      expect(answer.json<{ detail: string }>().detail).toMatch(/API key/);
    }
  });

  it('answers 413 to a URL over 64 KiB', async () => {
    const vedette = await freshTenant();
    const events = [{ type: 'x', data: { text: 'y'.repeat(66_000) } }];
    const answer = await vedette.pixel(
      encodeURIComponent(JSON.stringify({ source: 'gtm', events })),
    );
    expect(answer.statusCode).toBe(413);
  });

  it('counts requests per key, apart from POST, and answers 429 with Retry-After', async () => {
    await using vedette = await startAppliance({
      rateLimitCollect: 2,
      clock: { now: () => Date.UTC(2026, 0, 1) },
    });
    const d = encodeURIComponent(text);
    expect((await vedette.pixel(d)).statusCode).toBe(200);
    expect((await vedette.pixel(d)).statusCode).toBe(200);
    const answer = await vedette.pixel(d);
    expect(answer.statusCode).toBe(429);
    expect(answer.headers['retry-after']).toBe('60');
    expect((await vedette.post([])).statusCode).toBe(201);
  });

  it('does not answer HEAD, which would store events nobody meant to send', async () => {
    const vedette = await freshTenant();
    const answer = await vedette.app.inject({
      method: 'HEAD',
      url: `/api/v1/events/collect?k=${vedette.key}&d=${encodeURIComponent(text)}`,
    });
    expect(answer.statusCode).toBe(405);
    expect((await vedette.get('/events')).json()).toEqual([]);
  });
});
