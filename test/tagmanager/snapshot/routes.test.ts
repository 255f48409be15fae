import { describe, expect, it } from 'vitest';
import type { ContainerObject } from '../../../server/tagmanager/snapshot/schema.ts';
import { snapshotRoutes } from '../../../server/tagmanager/snapshot/routes.ts';
import { identityApp } from '../../helpers/identity-parts.ts';
import { installedParts } from './parts.ts';

const BASE = '/api/v1/tag-manager';

/** The routes for whoever asks, over the one tenant that there is. */
async function snapshotApp() {
  const parts = await installedParts();
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
    const { ours, take, get } = await snapshotApp();
    expect(await get('/snapshot')).toEqual({ latest: null });
    expect(await get('/snapshot/objects')).toEqual([]);
    const begun = await take();
    expect(begun.statusCode).toBe(202);
    expect(begun.json()).toMatchObject({ kind: 'snapshot', requests: 0 });
    expect(await get('/snapshot')).toMatchObject({
      latest: { tag_count: 1, tags: [{ blocked_by: [], active: true }] },
    });
    expect(await get('/snapshot/objects?kind=tag&search=vedette')).toMatchObject([
      { id: ours.tag, fires_on: [{ name: 'All events' }] },
    ]);
    expect(await get(`/snapshot/objects/tag/${ours.tag}`)).toMatchObject({
      definition: { tagId: ours.tag },
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
    expect(await status('/tag/99')).toBe(404);
    expect(await status('/folder/1')).toBe(400);
    expect((await byKey('GET', `${BASE}/snapshot/objects/tag/abc`)).json()).toMatchObject({
      detail: 'Wrong path: id must be a number of 20 digits or fewer',
    });
    expect(await status('?kind=folder')).toBe(400);
    expect(await status('?limit=1001')).toBe(400);
  });

  it('stop one that is under way, and refuse a second', async () => {
    const { gate, jobs, tenant, byKey } = await snapshotApp();
    const held = Promise.withResolvers<undefined>();
    gate.before = () => held.promise;
    await byKey('POST', `${BASE}/snapshot`);
    const refused = await byKey('POST', `${BASE}/snapshot`);
    expect(refused.statusCode).toBe(409);
    const stopping = byKey('DELETE', `${BASE}/snapshot/job`);
    held.resolve(undefined);
    expect((await stopping).statusCode).toBe(204);
    expect(jobs.current(tenant)).toBeNull();
    expect(jobs.lastFailure(tenant)?.code).toBe('stopped');
    expect((await byKey('DELETE', `${BASE}/snapshot/job`)).statusCode).toBe(204);
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
    const { google, place, take, get } = await snapshotApp();
    google.fillContainer(place, { tags: 8, triggers: 4, variables: 6 });
    await take();
    const pages = await Promise.all(
      [0, 10, 20].map((skip) => get<ContainerObject[]>(`/snapshot/objects?limit=10&skip=${skip}`)),
    );
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 1]);
    expect(new Set(pages.flat().map(({ kind, id }) => `${kind}:${id}`)).size).toBe(21);
  });
});
