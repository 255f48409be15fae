import { describe, expect, it } from 'vitest';
import type { ContainerObject } from '../../../server/tagmanager/snapshot/schema.ts';
import { snapshotRoutes } from '../../../server/tagmanager/snapshot/routes.ts';
import { identityApp } from '../../helpers/identity-parts.ts';
import { bigContainer } from './objects.ts';
import { fault, snapshotParts } from './stand-in.ts';

const BASE = '/api/v1/tag-manager';

/** The routes for whoever asks, over the stand-in's one tenant. */
async function snapshotApp() {
  const parts = await snapshotParts();
  const app = await identityApp({}, (app, { identity }) => {
    void app.register(snapshotRoutes({ ...parts, identity }));
  });
  const tenant = app.tenants.list()[0]?.id ?? '';
  const get = <T>(path: string) =>
    app.byKey('GET', `${BASE}${path}`).then((answer) => answer.json<T>());
  const take = async () => {
    const answer = await app.byKey('POST', `${BASE}/snapshot`);
    await parts.jobs.idle(tenant);
    return answer;
  };
  return { ...parts, ...app, tenant, get, take };
}

describe('the routes of snapshots', () => {
  it('begin one, and show it', async () => {
    const { take, get } = await snapshotApp();
    expect(await get('/snapshot')).toEqual({ latest: null });
    expect(await get('/snapshot/objects')).toEqual([]);
    const begun = await take();
    expect(begun.statusCode).toBe(202);
    expect(begun.json()).toMatchObject({ kind: 'snapshot', requests: 0 });
    expect(await get('/snapshot')).toMatchObject({
      latest: { tag_count: 1, tags: [{ blocked_by: [], active: true }] },
    });
    expect(await get('/snapshot/objects?kind=tag&search=vedette')).toMatchObject([
      { id: '70', fires_on: [{ name: 'All events' }] },
    ]);
    expect(await get('/snapshot/objects/tag/70')).toMatchObject({
      definition: { tagId: '70' },
      url: expect.stringContaining('https://') as string,
    });
    expect(await get('/snapshot/differences')).toEqual([]);
    expect(await get('/verification')).toMatchObject({ complete: false, checks: [{}, {}, {}] });
  });

  it('answer 404 for what is not there, 400 for what cannot be', async () => {
    const { take, byKey } = await snapshotApp();
    await take();
    const status = async (path: string) =>
      (await byKey('GET', `${BASE}/snapshot/objects${path}`)).statusCode;
    expect(await status('/tag/71')).toBe(404);
    expect(await status('/folder/70')).toBe(400);
    expect((await byKey('GET', `${BASE}/snapshot/objects/tag/abc`)).json()).toMatchObject({
      detail: 'Wrong path: id must be a number of 20 digits or fewer',
    });
    expect(await status('?kind=folder')).toBe(400);
    expect(await status('?limit=1001')).toBe(400);
  });

  it('stop one that is under way, and refuse a second', async () => {
    const { state, jobs, tenant, byKey } = await snapshotApp();
    const gate = Promise.withResolvers<undefined>();
    state.before = () => gate.promise;
    await byKey('POST', `${BASE}/snapshot`);
    const refused = await byKey('POST', `${BASE}/snapshot`);
    expect(refused.statusCode).toBe(409);
    const stopping = byKey('DELETE', `${BASE}/snapshot/job`);
    gate.resolve(undefined);
    expect((await stopping).statusCode).toBe(204);
    expect(jobs.current(tenant)).toBeNull();
    expect(jobs.lastFailure(tenant)?.code).toBe('stopped');
    expect((await byKey('DELETE', `${BASE}/snapshot/job`)).statusCode).toBe(204);
  });

  it('do not stop what writes changes', async () => {
    const { jobs, tenant, byKey } = await snapshotApp();
    const gate = Promise.withResolvers<undefined>();
    jobs.start(tenant, 'apply', () => gate.promise);
    expect((await byKey('DELETE', `${BASE}/snapshot/job`)).statusCode).toBe(409);
    expect(jobs.current(tenant)?.kind).toBe('apply');
    gate.resolve(undefined);
  });

  it('say in words why none can be begun', async () => {
    const { connection, byKey } = await snapshotApp();
    connection.apiFor = () => {
      throw fault('grant_ended');
    };
    const refused = await byKey('POST', `${BASE}/snapshot`);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toEqual({ detail: 'It is grant_ended. Do something.' });
  });

  it('let readers read, and those who may change things begin one', async () => {
    const { byKey, browser } = await snapshotApp();
    const made = await byKey('POST', '/api/v1/keys', { name: 'Reader', scope: 'read' });
    const { secret } = made.json<{ secret: string }>();
    expect((await byKey('GET', `${BASE}/snapshot`, undefined, secret)).statusCode).toBe(200);
    expect((await byKey('GET', `${BASE}/verification`, undefined, secret)).statusCode).toBe(200);
    expect((await byKey('POST', `${BASE}/snapshot`, undefined, secret)).statusCode).toBe(403);
    expect((await byKey('DELETE', `${BASE}/snapshot/job`, undefined, secret)).statusCode).toBe(403);
    expect((await byKey('GET', `${BASE}/snapshot`, undefined, 'wrong')).statusCode).toBe(401);
    const ask = await browser();
    expect((await ask('POST', `${BASE}/snapshot`)).statusCode).toBe(202);
  });

  it('page through a whole container', async () => {
    const { state, take, get } = await snapshotApp();
    state.objects = bigContainer({ tags: 800, triggers: 400, variables: 600 });
    await take();
    const pages = await Promise.all(
      [0, 1000].map((skip) => get<ContainerObject[]>(`/snapshot/objects?limit=1000&skip=${skip}`)),
    );
    expect(pages.map(({ length }) => length)).toEqual([1000, 803]);
    expect(new Set(pages.flat().map(({ kind, id }) => `${kind}:${id}`)).size).toBe(1803);
  });
});
