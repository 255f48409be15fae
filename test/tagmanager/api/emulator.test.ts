import { describe, expect, it, onTestFinished } from 'vitest';
import { EDIT_SCOPE, READ_SCOPE } from '../../helpers/tag-manager-api/routes.ts';
import { startTagManagerApi } from '../../helpers/tag-manager-api/start.ts';
import type { TagManagerApiOptions } from '../../helpers/tag-manager-api/start.ts';
import { officialClient, refusalOf } from './official.ts';

async function start(options?: TagManagerApiOptions) {
  const api = await startTagManagerApi(options);
  onTestFinished(api.close);
  const place = api.container();
  const parent = `accounts/${place.accountId}/containers/${place.containerId}`;
  const client = officialClient(api.url).accounts.containers;
  return {
    api,
    place,
    container: parent,
    parent: `${parent}/workspaces/${place.workspaceId}`,
    client,
  };
}

const PAGEVIEW = { name: 'Shop pages', type: 'pageview' };
const html = (name: string, more: object = {}) => ({
  ...{ name, type: 'html', parameter: [{ type: 'template', key: 'html', value: '<b></b>' }] },
  ...more,
});

describe('the emulator of the tag manager, asked by the official client', () => {
  it('replaces the whole of an object', async () => {
    const { api, parent, client, place } = await start();
    const more = { notes: 'mine', firingTriggerId: ['2147479553'] };
    const path = `${parent}/tags/${api.add(place, 'tag', html('One', more))}`;
    const { tags } = client.workspaces;
    const { data: changed } = await tags.update({ path, requestBody: html('Two') });
    expect(changed).not.toHaveProperty('notes');
    expect(changed).not.toHaveProperty('firingTriggerId');
    expect((await tags.get({ path })).data).toEqual(changed);
    expect((await tags.delete({ path })).status).toBe(204);
    expect(await refusalOf(tags.get({ path }))).toEqual({
      ...{ status: 404, message: 'Not found or permission denied.' },
    });
  });

  it('refuses what is no object', async () => {
    const { api, place, parent, client } = await start();
    api.enable(place, { pageUrl: 'Page URL' });
    const taken = api.add(place, 'trigger', PAGEVIEW);
    const { tags, triggers, variables } = client.workspaces;
    const refusal = async (work: Promise<unknown>) => (await refusalOf(work)).message;
    expect(await refusal(triggers.create({ parent, requestBody: PAGEVIEW }))).toBe(
      'Found entity with duplicate name.',
    );
    const url = { name: 'Page URL', type: 'u' };
    expect(await refusal(variables.create({ parent, requestBody: url }))).toBe(
      'Found entity with duplicate name.',
    );
    const custom = { name: 'All events', type: 'customEvent' };
    expect(await refusal(triggers.create({ parent, requestBody: custom }))).toMatch(
      /exactly one custom-event filter/,
    );
    const odd = { ...html('Odd'), unheardOf: true };
    expect(await refusal(tags.create({ parent, requestBody: odd }))).toMatch(/Unknown name/);
    for (const requestBody of [
      html('A', { firingTriggerId: ['99'] }),
      html('B', { parentFolderId: '99' }),
      html('C', { parameter: [{ type: 'template', key: 'html', value: '{{Nowhere}}' }] }),
      html('D', { type: `cvt_${place.containerId}_99` }),
      html('E', { setupTag: [{ tagName: 'Nowhere' }] }),
    ]) {
      expect(await refusal(tags.create({ parent, requestBody }))).toMatch(/Unknown/);
    }
    await tags.create({ parent, requestBody: html('F', { firingTriggerId: [taken] }) });
    expect(await refusalOf(triggers.delete({ path: `${parent}/triggers/${taken}` }))).toEqual({
      ...{ status: 400, message: 'Returned an error response for your request.' },
    });
  });

  it('tells what is unpublished, and what was published meanwhile', async () => {
    const { api, place, parent, client } = await start();
    const kept = api.add(place, 'tag', html('Kept'));
    const gone = api.add(place, 'tag', html('Gone'));
    const here = api.publish(place);
    const other = api.workspace(place, 'Other');
    expect(here).not.toEqual(place);
    expect(await refusalOf(client.workspaces.get({ path: parent }))).toMatchObject({ status: 404 });

    api.edit(here, 'tag', kept, { notes: 'ours' });
    api.remove(here, 'tag', gone);
    const fresh = api.add(here, 'trigger', PAGEVIEW);
    api.edit(other, 'tag', kept, { notes: 'theirs' });
    api.publish(other);
    const path = parent.replace(/\d+$/, here.workspaceId);
    const { data } = await client.workspaces.getStatus({ path });
    const told = (data.workspaceChange ?? []).map(({ changeStatus, tag, trigger }) => {
      return [changeStatus, tag?.tagId ?? trigger?.triggerId];
    });
    expect(told).toEqual([
      ['updated', kept],
      ['deleted', gone],
      ['added', fresh],
    ]);
    expect(data.mergeConflict).toHaveLength(1);
    expect(data.mergeConflict?.[0]?.entityInBaseVersion?.tag?.notes).toBe('theirs');
  });

  it('publishes for who may, so that a test which forbids it means something', async () => {
    const scope = 'https://www.googleapis.com/auth/tagmanager.';
    const all = [EDIT_SCOPE, `${scope}edit.containerversions`, `${scope}publish`];
    const { api, parent, client } = await start({
      tokens: (token) => ({ user: 'a', scopes: token === 'all' ? all : [READ_SCOPE, EDIT_SCOPE] }),
    });
    expect(await refusalOf(client.workspaces.create_version({ path: parent }))).toMatchObject({
      status: 403,
    });
    const publisher = officialClient(api.url, 'all').accounts.containers;
    const { data } = await publisher.workspaces.create_version({ path: parent });
    const path = data.containerVersion?.path ?? '';
    await publisher.versions.publish({ path });
    expect((await publisher.versions.get({ path })).data.containerVersionId).toBe('1');
    const paths = api.publishing().map(({ path }) => path.replace(/.*\/accounts\/[^a-z]*/, ''));
    expect(paths).toHaveLength(4);
  });

  it('shows to each only what they may see', async () => {
    const { api, place, parent, client } = await start({
      tokens: (token) => ({
        user: token,
        scopes: token === 'reader' ? [READ_SCOPE] : [READ_SCOPE, EDIT_SCOPE],
      }),
    });
    api.account({ name: 'Private', users: ['boss'] });
    const accounts = async (token: string) =>
      (await officialClient(api.url, token).accounts.list()).data.account?.length;
    expect([await accounts('boss'), await accounts('official')]).toEqual([2, 1]);

    const requestBody = html('One');
    const as = (token: string) =>
      officialClient(api.url, token).accounts.containers.workspaces.tags;
    expect(await refusalOf(as('reader').create({ parent, requestBody }))).toMatchObject({
      message: 'Request had insufficient authentication scopes.',
    });
    api.permit(place, 'official', 'read');
    expect(await refusalOf(client.workspaces.tags.create({ parent, requestBody }))).toEqual({
      ...{ status: 403, message: 'The caller does not have permission' },
    });
    expect((await client.workspaces.tags.list({ parent })).status).toBe(200);
    api.permit(place, 'official', 'noAccess');
    expect(await refusalOf(client.workspaces.tags.list({ parent }))).toMatchObject({ status: 404 });
    expect((await client.list({ parent: `accounts/${place.accountId}` })).data).toEqual({});
  });

  it('counts requests against its quota', async () => {
    let at = 0;
    const quota = { requests: 2, withinMs: 1000, perDay: 3 };
    const { parent, client } = await start({ quota, now: () => at });
    const statuses: unknown[] = [];
    for (at of [0, 500, 999, 1000, 2000]) {
      statuses.push((await refusalOf(client.workspaces.get({ path: parent }))).status);
    }
    expect(statuses).toEqual([200, 200, 429, 200, 429]);
  });
});
