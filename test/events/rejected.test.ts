import { describe, expect, it } from 'vitest';
import { problems } from '../../server/platform/errors.ts';
import { startAppliance } from '../helpers/appliance.ts';
import { sharedStore, textOf } from '../helpers/event-store.ts';
import { freshTenant } from '../helpers/tenant.ts';

interface Rejected {
  endpoint: string;
  status: number;
  detail: string;
  errors: unknown[];
  payload: string;
  created_at: string;
}

describe('GET /api/v1/events/rejected', () => {
  it('shows what a known key was refused, with reason and payload, newest first', async () => {
    await using vedette = await startAppliance({ clock: { now: () => Date.UTC(2026, 0, 1) } });
    await vedette.post('not json');
    await vedette.post([{ source: 'a', data: {} }]);
    await vedette.pixel(encodeURIComponent('{"source":1}'));
    const items = (await vedette.get('/events/rejected')).json<Rejected[]>();
    expect(items).toMatchObject([
      { endpoint: 'collect', status: 422, payload: encodeURIComponent('{"source":1}') },
      {
        endpoint: 'events',
        status: 422,
        detail: '[0].event_type: is required',
        errors: [{ path: '[0].event_type', message: 'is required' }],
        payload: '[{"source":"a","data":{}}]',
        created_at: '2026-01-01T00:00:00.000Z',
      },
      { endpoint: 'events', status: 400, payload: 'not json', errors: [] },
    ]);
    expect((await vedette.get('/events/rejected?skip=1&limit=1')).json()).toEqual([items[1]]);
    expect((await vedette.get('/events')).json()).toEqual([]);
    expect((await vedette.get('/events/types')).json()).toEqual([]);
  });

  it('shows refusals for domain and scope', async () => {
    const vedette = await freshTenant();
    const make = async (body: object) =>
      (await vedette.call('POST', '/keys', body)).json<{ secret: string }>().secret;
    const web = await make({
      name: 'web',
      scope: 'ingest',
      allowed_domains: ['shop.example', '*.shop.example'],
    });
    const read = await make({ name: 'report', scope: 'read' });
    const event = [{ source: 'a', event_type: 'b', data: {} }];
    const elsewhere = await vedette.post(event, {
      'x-api-key': web,
      origin: 'https://evil.example',
    });
    expect(elsewhere.statusCode).toBe(403);
    expect(elsewhere.json<{ detail: string }>().detail).toMatch(
      /domain is not allowed.*evil\.example/i,
    );
    for (const origin of ['https://shop.example', 'https://www.shop.example:8443']) {
      expect((await vedette.post(event, { 'x-api-key': web, origin })).statusCode).toBe(201);
    }
    expect((await vedette.post(event, { 'x-api-key': web })).statusCode).toBe(201);
    expect(
      (await vedette.post(event, { 'x-api-key': web, referer: 'https://evil.example/x' }))
        .statusCode,
    ).toBe(403);
    expect((await vedette.post(event, { 'x-api-key': read })).statusCode).toBe(403);
    const statuses = (await vedette.get('/events/rejected'))
      .json<Rejected[]>()
      .map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 403]);
    expect((await vedette.get('/events')).json()).toHaveLength(3);
  });

  it('keeps nothing of requests without a valid key, too fast or too large', async () => {
    await using vedette = await startAppliance({ rateLimitEvents: 2 });
    await vedette.post('broken', { 'x-api-key': 'wrong' });
    await vedette.post(Buffer.alloc(17 << 20, 0x20));
    await vedette.post([]);
    expect((await vedette.post('broken')).statusCode).toBe(429);
    expect((await vedette.get('/events/rejected')).json()).toEqual([]);
  });

  it('shows payloads that are no text, and cuts long ones', async () => {
    const vedette = await freshTenant();
    await vedette.post(Buffer.from([0x5b, 0xff, 0x00, 0x22, 0x5c]));
    await vedette.post(`"${'é'.repeat(100_000)}`);
    const items = (await vedette.get('/events/rejected')).json<Rejected[]>();
    expect(items[0]?.payload).toMatch(/^"é{30000,32768}\ufffd?$/);
    expect(items[1]?.payload).toBe('[\ufffd\u0000"\\');
  });

  it('keeps the newest 10,000', async () => {
    const { clock, tenant, intake, flusher, store } = await sharedStore();
    clock.time = Date.UTC(2026, 0, 1);
    const refuse = (n: number) =>
      intake.refused(tenant, 'events', problems.badKey(), Buffer.from(`#${n}`));
    await Promise.all(Array.from({ length: 10_050 }, (_, n) => refuse(n)));
    await flusher.flush();
    const page = async (skip: number) =>
      JSON.parse(await textOf(await store.refused(tenant, { skip, limit: 1000 }))) as Rejected[];
    expect(await page(9_999)).toMatchObject([{ payload: '#50' }]);
    expect(await page(10_000)).toEqual([]);
    expect((await page(0))[0]).toMatchObject({ payload: '#10049' });
  });
});
