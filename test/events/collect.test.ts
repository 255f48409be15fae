import { describe, expect, it } from 'vitest';
import { KEY, startAppliance } from '../helpers/appliance.ts';

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
    await using vedette = await startAppliance();
    const answer = await vedette.pixel(encodeURIComponent(text));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/gif',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    });
    expect(answer.rawPayload.toString('latin1')).toMatch(/^GIF89a\u0001\u0000\u0001\u0000/);
  });

  it.each([
    ['URL-encoded JSON', encodeURIComponent(text)],
    ['JSON with plus signs for blanks', encodeURIComponent(text).replaceAll('%20', '+')],
    ['base64', encodeURIComponent(Buffer.from(text).toString('base64'))],
    ['base64 whose plus signs were not encoded', Buffer.from(text).toString('base64')],
    ['base64url', Buffer.from(text).toString('base64url')],
  ])('takes the payload as %s', async (_name, d) => {
    await using vedette = await startAppliance();
    expect((await vedette.pixel(d)).statusCode).toBe(200);
    const events = (await vedette.get('/events')).json<Record<string, unknown>[]>();
    expect(events.reverse()).toMatchObject([
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
    ]);
  });

  it('keeps numbers as they were sent, in data and context', async () => {
    await using vedette = await startAppliance();
    const exact =
      '{"source":"gtm","events":[{"type":"x","data":{"n":1E5},"metadata":{"m":0.12345678901234567890}}]}';
    await vedette.pixel(encodeURIComponent(exact));
    const { body } = await vedette.get('/events');
    expect(body).toContain('"data":{"n":1E5}');
    expect(body).toContain('"metadata":{"m":0.12345678901234567890}');
  });

  it('takes the parts of the payload in any order, and leaves out what was not sent', async () => {
    await using vedette = await startAppliance();
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
    await using vedette = await startAppliance();
    const made = await vedette.app.inject({
      method: 'POST',
      url: '/api/v1/keys',
      headers: { 'x-api-key': KEY },
      payload: { name: 'web', scope: 'ingest', allowed_domains: ['shop.example'] },
    });
    const { secret } = made.json<{ secret: string }>();
    const answer = await vedette.app.inject({
      method: 'GET',
      url: `/api/v1/events/collect?k=${secret}&d=${encodeURIComponent(text)}`,
      headers: { referer: 'https://elsewhere.example/' },
    });
    expect(answer.statusCode).toBe(200);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['a broken percent-encoding', '%7B%ZZ'],
    ['bytes that are not UTF-8', '%7B%22a%22%3A%22%FF%22%7D'],
    ['base64 of something else', Buffer.from('hello, world').toString('base64url')],
    ['JSON that is cut off', encodeURIComponent(text.slice(0, -5))],
    [
      'base64 of bytes that are not UTF-8',
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]).toString('base64url'),
    ],
  ])('answers 400 with JSON when d holds %s', async (_name, d) => {
    await using vedette = await startAppliance();
    const answer = await vedette.pixel(d);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toHaveProperty('detail');
    expect((await vedette.get('/events')).json()).toEqual([]);
  });

  it.each([
    ['no source', { events: [] }, 'source'],
    ['no events', { source: 'gtm' }, 'events'],
    [
      'an event without a name',
      { source: 'gtm', events: [{ type: null, data: {} }] },
      'events[0].type',
    ],
    ['an event without data', { source: 'gtm', events: [{ type: 'x' }] }, 'events[0].data'],
    [
      'a time that is no integer',
      { source: 'gtm', events: [{ type: 'x', data: {}, timestamp: 1.5 }] },
      'events[0].timestamp',
    ],
    [
      'metadata that is a list',
      { source: 'gtm', events: [{ type: 'x', data: {}, metadata: [] }] },
      'events[0].metadata',
    ],
    ['a list', [], ''],
  ])('answers 422 to a payload with %s', async (_name, wrong, path) => {
    await using vedette = await startAppliance();
    const answer = await vedette.pixel(encodeURIComponent(JSON.stringify(wrong)));
    expect(answer.statusCode).toBe(422);
    expect(answer.json<{ errors: { path: string }[] }>().errors[0]?.path).toBe(path);
  });

  it('answers 401 without a key or with a wrong one, in the form of every error', async () => {
    await using vedette = await startAppliance();
    for (const url of [
      `?d=${encodeURIComponent(text)}`,
      `?k=wrong&d=${encodeURIComponent(text)}`,
    ]) {
      const answer = await vedette.app.inject({
        method: 'GET',
        url: `/api/v1/events/collect${url}`,
      });
      expect(answer.statusCode).toBe(401);
      expect(answer.json<{ detail: string }>().detail).toMatch(/API key/);
    }
  });

  it('answers 413 to a URL over 64 KiB', async () => {
    await using vedette = await startAppliance();
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
    await using vedette = await startAppliance();
    const answer = await vedette.app.inject({
      method: 'HEAD',
      url: `/api/v1/events/collect?k=${KEY}&d=${encodeURIComponent(text)}`,
    });
    expect(answer.statusCode).toBe(405);
    expect((await vedette.get('/events')).json()).toEqual([]);
  });
});
