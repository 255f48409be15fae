import { describe, expect, it } from 'vitest';
import { changeRoutes } from '../../../server/tagmanager/changes/routes.ts';
import type { ChangeView } from '../../../server/tagmanager/changes/schema.ts';
import { FIRST_KEY, identityApp } from '../../helpers/identity-parts.ts';
import { create, createWorld, html } from './parts.ts';
import type { World } from './parts.ts';

const BASE = '/api/v1/tag-manager';
const NEW = { changes: [create('tag', html('New'))] };

/** The routes over a container, asked by a key and by a browser. */
async function served() {
  const world = await createWorld();
  world.shoot();
  const changes = world.begin();
  let tenantId = '';
  const parts = await identityApp({}, (app, { identity, clock, tenants }) => {
    tenantId = tenants.first().id;
    const whoIs = ({ via }: { via: string }) => `A ${via}`;
    void app.register(changeRoutes({ changes, identity, clock, whoIs }));
  });
  return { ...parts, world, changes, tenantId, ask: await parts.browser() };
}

type Served = Awaited<ReturnType<typeof served>>;

const propose = async ({ byKey }: Served): Promise<ChangeView> => {
  const answer = await byKey('POST', `${BASE}/changes`, NEW);
  expect(answer.statusCode).toBe(201);
  return answer.json<ChangeView[]>()[0] as ChangeView;
};

const named = (world: World, name: string) => world.container.find('tag', name);

describe('the routes of changes', () => {
  it('let a key propose, and a person decide', async () => {
    const it = await served();
    const { id } = await propose(it);
    for (const verb of ['accept', 'reject']) {
      const refused = await it.byKey('POST', `${BASE}/changes/${verb}`, { ids: [id] });
      expect(refused.statusCode, verb).toBe(403);
    }
    expect(named(it.world, 'New')).toBeUndefined();
    const accepted = await it.ask('POST', `${BASE}/changes/accept`, { ids: [id] });
    expect(accepted.statusCode).toBe(202);
    expect(accepted.json()).toMatchObject([{ id, status: 'accepted', decided_by: 'A session' }]);
    await it.changes.jobs.idle(it.tenantId);
    expect(named(it.world, 'New')).toBeDefined();
  });

  it('refuse a body that could not be kept as it is', async () => {
    const it = await served();
    const nested = Array.from({ length: 3000 }).reduce<object>((inner) => ({ inner }), {});
    for (const [odd, words] of [
      [{ notes: 'half \ud83d' }, 'half a character'],
      [{ notes: 'a\0b' }, 'NUL'],
      [{ 'a\ud83d': 'in a name' }, 'half a character'],
      [{ parameter: [{ key: 'k', list: [{ value: '\udc00' }] }] }, 'half a character'],
      [{ notes: nested }, 'nested deeper than 50 levels'],
      [{ notes: 'long'.repeat(125_000) }, '500,000 characters or fewer'],
    ] as const) {
      const changes = [create('tag', { name: 'Odd', ...odd })];
      const refused = await it.byKey('POST', `${BASE}/changes`, { changes });
      expect(refused.statusCode, words).toBe(422);
      expect(refused.json()).toMatchObject({
        errors: [{ path: 'changes[0].body', message: expect.stringContaining(words) as string }],
      });
    }
    const whole = create('tag', html('Whole 😀', { notes: '\u2028' }));
    const taken = await it.byKey('POST', `${BASE}/changes`, { changes: [whole] });
    expect(taken.statusCode).toBe(201);
  });

  it('list what is open or closed, and show one whole', async () => {
    const it = await served();
    const { id } = await propose(it);
    const list = async (query: string) =>
      (await it.ask('GET', `${BASE}/changes${query}`)).json<ChangeView[]>().map((one) => one.id);
    expect(await list('')).toEqual([id]);
    expect(await list('?status=closed')).toEqual([]);
    const one = await it.ask('GET', `${BASE}/changes/${id}`);
    expect(one.json()).toMatchObject({ id, after: { name: 'New' }, before: null, current: null });
    const rejected = await it.ask('POST', `${BASE}/changes/reject`, { ids: [id] });
    expect(rejected.json()).toMatchObject([{ id, status: 'rejected' }]);
    expect(await list('?status=closed')).toEqual([id]);
    expect((await it.ask('GET', `${BASE}/changes/${it.tenantId}`)).statusCode).toBe(404);
  });

  it('propose the installation, and go on with what is left of earlier days', async () => {
    const it = await served();
    const installed = await it.byKey('POST', `${BASE}/changes/install`);
    expect(installed.statusCode).toBe(201);
    expect(installed.json()).toHaveLength(3);
    const resumed = await it.ask('POST', `${BASE}/changes/resume`);
    expect([resumed.statusCode, resumed.json()]).toEqual([202, []]);
  });

  it('propose again what is in conflict', async () => {
    const it = await served();
    const { id } = await propose(it);
    it.world.container.put('tag', { name: 'New', type: 'img' });
    await it.ask('POST', `${BASE}/changes/accept`, { ids: [id] });
    await it.changes.jobs.idle(it.tenantId);
    const renewed = await it.ask('POST', `${BASE}/changes/${id}/renew`);
    expect(renewed.statusCode).toBe(201);
    expect(renewed.json()).toMatchObject({ action: 'update', status: 'proposed' });
  });

  it('show the audit trail page by page, the newest first', async () => {
    const it = await served();
    const { id } = await propose(it);
    await it.ask('POST', `${BASE}/changes/reject`, { ids: [id] });
    const page = async (query: string) =>
      (await it.byKey('GET', `${BASE}/audit${query}`)).json<{ deed: string; who: string }[]>();
    expect(await page('')).toMatchObject([
      { deed: 'rejected', who: 'A session', change_id: id, words: 'Create tag "New"' },
      { deed: 'proposed', who: 'A key' },
    ]);
    expect(await page('?skip=1&limit=1')).toMatchObject([{ deed: 'proposed' }]);
  });

  it('keep tenants apart, and refuse what has the wrong shape', async () => {
    const it = await served();
    const { id } = await propose(it);
    expect(await it.changes.list('another', { status: 'all', skip: 0, limit: 9 })).toEqual([]);
    await expect(it.changes.get('another', id)).rejects.toMatchObject({ status: 404 });
    const wrong = await it.byKey('POST', `${BASE}/changes`, { changes: [{ action: 'publish' }] });
    expect(wrong.statusCode).toBe(422);
    expect((await it.byKey('GET', `${BASE}/changes`, undefined, `${FIRST_KEY}x`)).statusCode).toBe(
      401,
    );
  });
});
