import { describe, expect, it } from 'vitest';
import { fingerprintOf, idOf, nameOf } from '../../../server/tagmanager/api/api.ts';
import { createApi } from '../../../server/tagmanager/api/client.ts';
import { kinds } from '../../../server/tagmanager/api/schema.ts';
import { container, HTML, start, TEMPLATE } from './parts.ts';

describe('the client of the tag manager', () => {
  it('finds accounts, containers and workspaces', async () => {
    const { api, google, place } = await start();
    google.workspace(place, 'Redesign', 'The new shop');
    const { accountId, containerId } = place;
    expect(await api.accounts()).toEqual([{ accountId, name: 'Shop' }]);
    expect(await api.containers(accountId)).toEqual([
      {
        ...{ accountId, containerId, name: 'www.shop.example', usageContext: ['web'] },
        publicId: expect.stringMatching(/^GTM-/) as string,
      },
    ]);
    const all = await api.workspaces(container(place));
    expect(all.map(({ name, description }) => [name, description])).toEqual([
      ['Default Workspace', null],
      ['Redesign', 'The new shop'],
    ]);
    expect(await api.workspace(place)).toEqual(all[0]);
  });

  it('finds the API wherever it is said to be', async () => {
    const { google, pacer } = await start();
    const asked: string[] = [];
    const api = createApi({
      ...{ endpoint: 'https://proxy.example/google/', project: 'p', pacer },
      accessToken: () => Promise.resolve('t'),
      fetch: async (url, init) => {
        asked.push(url as string);
        return fetch(`${google.url}/tagmanager/v2/accounts`, init);
      },
    });
    await api.accounts();
    expect(asked).toEqual(['https://proxy.example/google/tagmanager/v2/accounts']);
  });

  it('reads a large container whole, page by page', async () => {
    const { api, google, place } = await start({ emulator: { pageSize: 10 } });
    google.fillContainer(place, { tags: 80, triggers: 40, variables: 60 });
    google.add(place, 'template', TEMPLATE);
    let asked = 0;
    const call = { asking: () => (asked += 1) };
    for (const kind of kinds) {
      const list = await api.list(place, kind, call);
      expect(list).toEqual(google.list(place, kind));
    }
    expect(asked).toBe(1 + 6 + 4 + 8);
    expect(google.requests).toHaveLength(asked);
    const builtIn = await api.builtInVariables(place);
    expect(builtIn.map(nameOf)).toContain('Page URL');
  });

  it('reads on over what is unpublished in a way that is not said', async () => {
    const workspaceChange = [
      { tag: { tagId: '1' } },
      { changeStatus: 'added', tag: { tagId: '2' } },
    ];
    const { api, place } = await start({ fetch: async () => Response.json({ workspaceChange }) });
    expect((await api.status(place)).changes).toEqual([{ kind: 'tag', id: '2', status: 'added' }]);
  });

  it('says what is unpublished', async () => {
    const { api, google, place } = await start();
    const tag = google.add(place, 'tag', HTML);
    google.settle(place);
    expect(await api.status(place)).toEqual({ changes: [], conflicts: 0 });
    google.edit(place, 'tag', tag, { paused: true });
    const template = google.add(place, 'template', TEMPLATE);
    const folder = google.add(place, 'folder', { name: 'Shop' });
    expect(await api.status(place)).toEqual({
      changes: [
        { kind: 'tag', id: tag, status: 'updated' },
        { kind: 'template', id: template, status: 'added' },
        { kind: 'other', id: folder, status: 'added' },
      ],
      conflicts: 0,
    });
  });

  it('says what is live, which may be nothing', async () => {
    const { api, google, place } = await start();
    expect(await api.live(container(place))).toBeUndefined();
    google.add(place, 'tag', HTML);
    google.add(place, 'template', TEMPLATE);
    google.publish(place, 'First');
    const live = await api.live(container(place));
    expect(live).toMatchObject({ versionId: '1', name: 'First' });
    expect(
      Object.entries(live?.objects ?? {}).map(([kind, all]) => [kind, all.map(nameOf)]),
    ).toEqual([
      ['tag', ['Banner']],
      ['trigger', []],
      ['variable', []],
      ['template', ['Pixel']],
    ]);
  });

  it('makes, changes and deletes objects', async () => {
    const { api, google, place } = await start();
    const made = await api.create(place, 'tag', HTML);
    const id = idOf('tag', made);
    expect(made).toEqual(google.get(place, 'tag', id));
    const paused = { ...HTML, paused: true };
    const changed = await api.update(place, 'tag', id, paused, fingerprintOf(made));
    expect(changed).toMatchObject({ paused: true });
    expect(await api.get(place, 'tag', id)).toEqual(changed);
    await api.delete(place, 'tag', id);
    await expect(api.get(place, 'tag', id)).rejects.toMatchObject({ code: 'not_found' });
    expect(google.publishing()).toEqual([]);
  });

  it.each([
    { status: 400, message: 'fingerprint: The fingerprint does not match.' },
    { status: 400, message: 'Returned an error response for your request.' },
    { status: 409, message: 'Conflict' },
    { status: 412, message: 'Precondition Failed' },
  ] as const)(
    'says that somebody else was there, however that is answered: $status $message',
    async (mismatch) => {
      const { api, google, place } = await start({ emulator: { mismatch } });
      const before = await api.create(place, 'tag', HTML);
      const id = idOf('tag', before);
      google.edit(place, 'tag', id, { notes: 'theirs' });
      const update = api.update(place, 'tag', id, HTML, fingerprintOf(before));
      await expect(update).rejects.toMatchObject({ code: 'conflict' });
      expect(google.get(place, 'tag', id).notes).toBe('theirs');
    },
  );

  it('changes nothing without a fingerprint', async () => {
    const { api, google, place } = await start();
    const id = google.add(place, 'tag', HTML);
    const before = google.requests.length;
    const update = api.update(place, 'tag', id, { ...HTML, paused: true }, '');
    await expect(update).rejects.toMatchObject({ code: 'conflict' });
    expect(google.requests).toHaveLength(before);
  });

  it('tells in its own words what was refused', async () => {
    const { api, google, place } = await start();
    google.add(place, 'tag', HTML);
    await expect(api.create(place, 'tag', HTML)).rejects.toMatchObject({
      code: 'refused',
      message: 'The tag manager refused it: Found entity with duplicate name.',
    });
    const [id = ''] = google.list(place, 'tag').map(({ tagId }) => tagId ?? '');
    const fingerprint = google.get(place, 'tag', id).fingerprint ?? '';
    const untyped = api.update(place, 'tag', id, { name: 'x' }, fingerprint);
    await expect(untyped).rejects.toMatchObject({ code: 'refused' });
  });

  it('keeps to the quota, whatever it is asked', async () => {
    const quota = { requests: 25, withinMs: 100_000, perDay: 10_000 };
    const { api, google, place, time, pacer } = await start({
      quota,
      emulator: { quota, pageSize: 1 },
    });
    google.fillContainer(place, { tags: 80, triggers: 40, variables: 60 });
    const seconds = pacer.secondsFor('1234', 180);
    await time.run(Promise.all(kinds.map(async (kind) => api.list(place, kind))));
    expect(google.requests).toHaveLength(1 + 60 + 40 + 80);
    // Nothing was asked in vain, so none was asked twice.
    expect(time.real()).toBe(700_000);
    expect(seconds).toBe(700);
  });
});
