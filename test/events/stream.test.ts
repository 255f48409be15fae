import { describe, expect, it } from 'vitest';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import { openStream } from '../helpers/sse.ts';
import { freshTenant } from '../helpers/tenant.ts';
import type { TestTenant } from '../helpers/tenant.ts';

const open = (vedette: Pick<TestTenant, 'url' | 'key'>, query = '', more = {}) =>
  openStream(`${vedette.url}/api/v1/events/stream${query}`, {
    ...{ 'x-api-key': vedette.key, ...more },
  });
const send = (vedette: TestTenant, ...numbers: number[]) =>
  vedette.post(
    numbers.map((n) => ({ source: n % 2 ? 'odd' : 'even', event_type: 'x', data: { n } })),
  );
const number = (message: { data: string } | undefined) =>
  (JSON.parse(message?.data ?? '{}') as { data?: { n: number } }).data?.n;

describe('GET /api/v1/events/stream', () => {
  it('shows events as they arrive, just as the list shows them', async () => {
    const vedette = await freshTenant();
    await send(vedette, 1);
    using stream = await open(vedette);
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers['content-type']).toMatch(/^text\/event-stream/);
    await vedette.post('[{"source":"a","event_type":"b","data":{"n":1.50,"text":"a\\nb"}}]');
    const message = await stream.next();
    expect(message?.event).toBe('event');
    expect(`[${String(message?.data)}]`).toBe((await vedette.get('/events?limit=1')).body);
    expect(message?.id).toBe((JSON.parse(message?.data ?? '') as { id: string }).id);
    await send(vedette, 2, 3);
    expect([number(await stream.next()), number(await stream.next())]).toEqual([2, 3]);
  });

  it('goes on behind the Last-Event-ID', async () => {
    const vedette = await freshTenant();
    await send(vedette, 1, 2, 3);
    const events = (await vedette.get('/events')).json<{ id: string; data: { n: number } }[]>();
    const first = events.find(({ data }) => data.n === 1)?.id ?? '';
    for (const more of [{ 'last-event-id': first }, {}]) {
      using stream = await open(
        vedette,
        'last-event-id' in more ? '' : `?last_event_id=${first}`,
        more,
      );
      expect([number(await stream.next()), number(await stream.next())]).toEqual([2, 3]);
      await send(vedette, 4);
      expect(number(await stream.next())).toBe(4);
      const newest = (await vedette.get('/events?limit=1')).json<{ id: string }[]>()[0]?.id ?? '';
      using later = await open(vedette, '', { 'last-event-id': newest });
      await send(vedette, 5);
      expect(number(await later.next())).toBe(5);
    }
  });

  it('misses nothing and repeats nothing while others watch and much arrives', async () => {
    const vedette = await freshTenant();
    using first = await open(vedette);
    const sent = Array.from({ length: 30 }, (_, i) => i + 1);
    const sending = (async () => {
      for (const n of sent) await send(vedette, n);
    })();
    using second = await open(vedette, '', {
      'last-event-id': '00000000-0000-7000-8000-000000000000',
    });
    const seen: (number | undefined)[] = [];
    while (seen.length < 30) seen.push(number(await second.next()));
    await sending;
    expect(seen).toEqual(sent);
    const all: (number | undefined)[] = [];
    while (all.length < 30) all.push(number(await first.next()));
    expect(all).toEqual(sent);
  });

  it('says how many it left out when more arrive than anyone can watch', async () => {
    const vedette = await freshTenant();
    using stream = await open(vedette);
    await vedette.post(
      Array.from({ length: 2500 }, (_, n) => ({ source: 'a', event_type: 'x', data: { n } })),
    );
    expect(await stream.next()).toMatchObject({ event: 'missed', data: '{"count":1500}' });
    expect(number(await stream.next())).toBe(1500);
  });

  it('tells each who watches how many of theirs were left out', async () => {
    const vedette = await freshTenant();
    using all = await open(vedette);
    using odd = await open(vedette, '?source=odd');
    using none = await open(vedette, '?source=nowhere');
    await send(vedette, ...Array.from({ length: 1200 }, (_, n) => n));
    expect(await all.next()).toMatchObject({ event: 'missed', data: '{"count":200}' });
    expect(await odd.next()).toMatchObject({ event: 'missed', data: '{"count":100}' });
    await vedette.post([{ source: 'nowhere', event_type: 'x', data: { n: 7 } }]);
    expect(number(await none.next())).toBe(7);
  });

  it('leaves out what is too large for a stream, and says so', async () => {
    const vedette = await freshTenant();
    using stream = await open(vedette);
    const data = { text: 'x'.repeat(3 << 20) };
    await vedette.post([{ source: 'a', event_type: 'x', data }]);
    expect(await stream.next()).toMatchObject({ event: 'missed', data: '{"count":1}' });
    await send(vedette, 5);
    expect(number(await stream.next())).toBe(5);
  });

  it('filters by source and type', async () => {
    const vedette = await freshTenant();
    using stream = await open(vedette, '?source=odd&event_type=x');
    await send(vedette, 2, 3, 4, 5);
    expect([number(await stream.next()), number(await stream.next())]).toEqual([3, 5]);
  });

  it('filters by text as the list does', async () => {
    const vedette = await freshTenant();
    using stream = await open(vedette, '?text=Gr%C3%BC%C3%9Fe/');
    await vedette.post(
      String.raw`[{"source":"a","event_type":"x","data":{"n":1,"v":"grüsse/"}},
        {"source":"a","event_type":"x","data":{"n":2,"v":"1 GRÜßE/"}},
        {"source":"a","event_type":"x","data":{"n":3,"v":"Gr\u00fc\u00dfe\/"}},
        {"source":"Grüße/","event_type":"x","data":{"n":4}},
        {"source":"a","event_type":"grüße/","data":{"n":5}}]`,
    );
    const pixel = { source: 'a', source_id: 'Grüße/', events: [{ type: 'x', data: { n: 6 } }] };
    await vedette.pixel(encodeURIComponent(JSON.stringify(pixel)));
    const seen = [
      await stream.next(),
      await stream.next(),
      await stream.next(),
      await stream.next(),
    ];
    expect(seen.map(number)).toEqual([2, 3, 5, 6]);
    const list = (await vedette.get('/events?text=Gr%C3%BC%C3%9Fe/')).json<
      { data: { n: number } }[]
    >();
    expect(list.map(({ data }) => data.n)).toEqual([6, 5, 3, 2]);
  });

  it('ends when the appliance closes', async () => {
    const vedette = await startAppliance();
    using stream = await open({ url: vedette.url, key: KEY });
    await vedette.close();
    expect(await stream.next()).toBeUndefined();
  });

  it('shows nothing more to a key that was revoked', async () => {
    const vedette = await freshTenant();
    const make = await vedette.call('POST', '/keys', { name: 'watcher', scope: 'read' });
    const { id, secret } = make.json<{ id: string; secret: string }>();
    using stream = await open(vedette, '', { 'x-api-key': secret });
    await send(vedette, 1);
    expect(number(await stream.next())).toBe(1);
    await vedette.call('DELETE', `/keys/${id}`);
    await send(vedette, 2);
    expect(await stream.next()).toBeUndefined();
  });

  it('answers errors like every other route', async () => {
    const vedette = await freshTenant();
    const headers = { 'x-api-key': vedette.key };
    const cases: [string, Record<string, string>, number][] = [
      ['', {}, 401],
      ['?limit=3', headers, 400],
      ['?text=', headers, 400],
      ['?last_event_id=abc', headers, 400],
      ['', { ...headers, 'last-event-id': 'abc' }, 400],
    ];
    for (const [query, given, status] of cases) {
      using stream = await openStream(`${vedette.url}/api/v1/events/stream${query}`, given);
      expect(stream.response.statusCode).toBe(status);
      expect(JSON.parse(await stream.body())).toHaveProperty('detail');
    }
  });
});
