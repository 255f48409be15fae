import { describe, expect, it } from 'vitest';
import type { Usual } from '../../server/events/schema.ts';
import { freshTenant } from '../helpers/tenant.ts';
import { openStream } from '../helpers/sse.ts';

describe('two tenants', () => {
  it('do not see each other’s events, types, counts or rejected items', async () => {
    const vedette = await freshTenant();
    const other = { 'x-api-key': (await freshTenant()).key };
    await vedette.post([{ source: 'mine', event_type: 'my_type', data: {} }]);
    await vedette.post('my mistake');
    await vedette.post([{ source: 'theirs', event_type: 'their_type', data: {} }], other);
    await vedette.post('their mistake', other);
    for (const [headers, own, foreign] of [
      [undefined, 'my', 'their'],
      [other, 'their', 'my'],
    ] as const) {
      for (const path of ['/events', '/events/types', '/events/counts', '/events/rejected']) {
        const { body } = await vedette.get(path, headers);
        expect(body).toContain(own);
        expect(body).not.toContain(foreign);
      }
      const points = (await vedette.get('/events/activity?time_range=1h', headers)).json<
        { count: number }[]
      >();
      expect(points.reduce((sum, { count }) => sum + count, 0)).toBe(1);
    }
  });

  it('do not find each other’s events by text, id, field or what is usual', async () => {
    const vedette = await freshTenant();
    const other = { 'x-api-key': (await freshTenant()).key };
    await vedette.post([{ source: 's', event_type: 'x', data: { mine: 'word' } }]);
    await vedette.post([{ source: 's', event_type: 'x', data: { theirs: 'word' } }], other);
    for (const [headers, own, foreign] of [
      [undefined, 'mine', 'theirs'],
      [other, 'theirs', 'mine'],
    ] as const) {
      for (const path of [
        '/events?text=word',
        '/events?missing=none',
        '/events/fields?event_type=x',
      ]) {
        const { body } = await vedette.get(path, headers);
        expect(body).toContain(own);
        expect(body).not.toContain(foreign);
      }
      const usual = (await vedette.get('/events/usual', headers)).json<Usual>();
      expect(usual.points.at(-1)?.count).toBe(1);
    }
    const [{ id } = { id: '' }] = (await vedette.get('/events', other)).json<{ id: string }[]>();
    expect((await vedette.get(`/events/${id}`, other)).statusCode).toBe(200);
    expect((await vedette.get(`/events/${id}`)).statusCode).toBe(404);
  });

  it('do not see each other’s live tail, nor what an id of the other would lead to', async () => {
    const vedette = await freshTenant();
    const other = { 'x-api-key': (await freshTenant()).key };
    await vedette.post([{ source: 'theirs', event_type: 'x', data: {} }], other);
    const [{ id } = { id: '' }] = (await vedette.get('/events', other)).json<{ id: string }[]>();
    await vedette.post([{ source: 'theirs', event_type: 'x', data: {} }], other);
    using stream = await openStream(`${vedette.url}/api/v1/events/stream`, {
      'x-api-key': vedette.key,
      'last-event-id': id,
    });
    await vedette.post([{ source: 'theirs', event_type: 'x', data: {} }], other);
    await vedette.post([{ source: 'mine', event_type: 'x', data: {} }]);
    expect((await stream.next())?.data).toContain('"mine"');
  });
});
