import { expect, it } from 'vitest';
import { FEWEST_NAMES, MOST_NAMES } from '../../server/platform/bounds.ts';
import { freshTenant } from '../helpers/tenant.ts';

const REMOVE = '/events/names/remove';
const SINCE = { first_seen_since: '2020-01-01T00:00:00Z' };

/** A tenant with a hundred names, of which all are taken. */
async function full() {
  const tenant = await freshTenant();
  await tenant.call('PATCH', '/tenants/me', { max_names: FEWEST_NAMES });
  const types = ['view', 'purchase', ...Array.from({ length: 120 }, (_, i) => `x${i}`)];
  await tenant.post(types.map((event_type) => ({ source: 'shop', event_type, data: {} })));
  const list = async <Row = string>(path: string) => (await tenant.get(path)).json<Row[]>();
  return { ...tenant, list };
}

it('lists what is counted by name as a whole or in parts, and the rest among the counts', async () => {
  const { get, list } = await full();
  const types = await list('/events/types');
  expect(types).toHaveLength(FEWEST_NAMES);
  expect(await list('/events/types?skip=98')).toEqual(types.slice(98));
  expect(await list('/events/types?skip=1&limit=2')).toEqual(types.slice(1, 3));
  expect(await list('/events/sources?limit=1')).toEqual(['shop']);
  expect(await list('/events/sources?skip=1')).toEqual([]);
  expect((await list('/events/counts')).length).toBe(FEWEST_NAMES + 1);
  expect(await list('/events/counts?limit=1')).toMatchObject([
    { source: null, event_type: null, count: 22 },
  ]);
  for (const path of ['types', 'sources', 'counts']) {
    expect((await get(`/events/${path}?limit=1001`)).statusCode).toBe(400);
  }
});

it('gives back names that were made up, but not that of a rule', async () => {
  const { call, list } = await full();
  const config = { event_type: 'view', operator: '<', value: 1, window_minutes: 60 };
  const rule = { rule_type: 'threshold', config: { ...config, severity: 'info' }, name: 'Views' };
  expect((await call('POST', '/rules', { ...rule, is_active: false })).statusCode).toBe(201);
  const body = { ...SINCE, max_events: 1 };
  const found = { names: FEWEST_NAMES - 1, events: FEWEST_NAMES - 1 };
  expect((await call('POST', REMOVE, { ...body, dry_run: true })).json()).toMatchObject(found);
  expect(await list('/events/types')).toHaveLength(FEWEST_NAMES);
  expect((await call('POST', REMOVE, body)).json()).toMatchObject(found);
  expect(await list('/events/types')).toEqual(['view']);
  expect(await list('/events?limit=1000')).toHaveLength(122);
});

it('is for those who may change things, and wants to know what was made up', async () => {
  const { call, app, url } = await full();
  for (const body of [
    {},
    SINCE,
    { ...SINCE, max_events: 0 },
    { ...SINCE, max_events: 1, all: 1 },
  ]) {
    expect((await call('POST', REMOVE, body)).statusCode).toBe(422);
  }
  const made = await call('POST', '/keys', { name: 'reader', scope: 'read' });
  const answer = await app.inject({
    ...{ method: 'POST', url: `/api/v1${REMOVE}`, payload: { ...SINCE, max_events: 1 } },
    headers: { host: new URL(url).host, 'x-api-key': made.json<{ secret: string }>().secret },
  });
  expect(answer.statusCode).toBe(403);
});

it('the bound is a setting of the tenant, within bounds of its own', async () => {
  const { call } = await full();
  for (const max_names of [FEWEST_NAMES - 1, MOST_NAMES + 1]) {
    expect((await call('PATCH', '/tenants/me', { max_names })).statusCode).toBe(422);
  }
  const changed = await call('PATCH', '/tenants/me', { max_names: MOST_NAMES });
  expect(changed.json()).toMatchObject({ max_names: MOST_NAMES });
});
