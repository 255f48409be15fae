import type { tagmanager_v2 } from '@googleapis/tagmanager';
import { describe, expect, it } from 'vitest';
import type { Api, Place } from '../../../server/tagmanager/api/api.ts';
import { kinds } from '../../../server/tagmanager/api/schema.ts';
import type { Kind } from '../../../server/tagmanager/api/schema.ts';
import type { TagManagerApi } from '../../helpers/tag-manager-api/start.ts';
import { officialClient } from './official.ts';
import { container, HTML, start, TEMPLATE } from './parts.ts';

interface Page {
  data: tagmanager_v2.Schema$ListTagsResponse;
}
type Official = tagmanager_v2.Resource$Accounts$Containers$Workspaces;

const BODIES: Record<Kind, { name: string }> = {
  tag: HTML,
  trigger: { name: 'Shop pages', ...{ type: 'pageview' } },
  variable: {
    name: 'Two',
    ...{ type: 'c', parameter: [{ type: 'template', key: 'value', value: '2' }] },
  },
  template: TEMPLATE,
};

/** The same verbs, whatever they are called there. */
function collectionOf(workspaces: Official, kind: Kind) {
  return workspaces[`${kind}s`] as unknown as Official['tags'];
}

const pathOf = ({ accountId, containerId, workspaceId }: Place) =>
  `accounts/${accountId}/containers/${containerId}/workspaces/${workspaceId}`;

/** Every request that the work makes, but for the token. */
async function requestsOf(google: TagManagerApi, work: () => Promise<unknown>) {
  const before = google.requests.length;
  await work();
  return google.requests.slice(before).map(({ method, path, query, body }) => ({
    ...{ method, path, query, body },
  }));
}

async function compare(
  google: TagManagerApi,
  ours: () => Promise<unknown>,
  theirs: () => Promise<unknown>,
): Promise<void> {
  const [mine, official] = [await requestsOf(google, ours), await requestsOf(google, theirs)];
  expect(mine.length).toBeGreaterThan(0);
  expect(mine).toEqual(official);
}

describe('our client asks what the official one asks', () => {
  it('when it looks for a workspace', async () => {
    const { api, google, place } = await start();
    const { accounts } = officialClient(google.url);
    const { accountId } = place;
    const parent = pathOf(place).replace(/\/workspaces.*/, '');
    const { containers } = accounts;
    const each: [(api: Api) => Promise<unknown>, () => Promise<unknown>][] = [
      [(api) => api.accounts(), () => accounts.list()],
      [
        (api) => api.containers(accountId),
        () => containers.list({ parent: `accounts/${accountId}` }),
      ],
      [(api) => api.workspaces(container(place)), () => containers.workspaces.list({ parent })],
      [(api) => api.workspace(place), () => containers.workspaces.get({ path: pathOf(place) })],
      [(api) => api.status(place), () => containers.workspaces.getStatus({ path: pathOf(place) })],
      [
        (api) => api.builtInVariables(place),
        () => containers.workspaces.built_in_variables.list({ parent: pathOf(place) }),
      ],
    ];
    for (const [ours, theirs] of each) await compare(google, () => ours(api), theirs);
    google.publish(place);
    await compare(
      google,
      () => api.live(container(place)),
      () => containers.versions.live({ parent }),
    );
  });

  it.each(kinds)('when it reads, makes, changes and deletes a %s', async (kind) => {
    const { api, google, place } = await start();
    const { workspaces } = officialClient(google.url).accounts.containers;
    const theirs = collectionOf(workspaces, kind);
    const parent = pathOf(place);
    const body = BODIES[kind];
    const other = { ...body, name: 'Other' };
    await compare(
      google,
      // The name is taken the second time, which makes no difference to the request.
      () => api.create(place, kind, body),
      () => theirs.create({ parent, requestBody: body }).catch(() => undefined),
    );
    const id = google.add(place, kind, other);
    const path = `${parent}/${kind}s/${id}`;
    const { fingerprint } = google.get(place, kind, id) as { fingerprint: string };
    await compare(
      google,
      () => api.list(place, kind),
      () => theirs.list({ parent }),
    );
    await compare(
      google,
      () => api.get(place, kind, id),
      () => theirs.get({ path }),
    );
    await compare(
      google,
      () => api.update(place, kind, id, other, fingerprint),
      () => theirs.update({ path, fingerprint, requestBody: other }).catch(() => undefined),
    );
    await compare(
      google,
      () => api.delete(place, kind, id),
      () => theirs.delete({ path }).catch(() => undefined),
    );
  });

  it('when a list has pages', async () => {
    const { api, google, place } = await start({ emulator: { pageSize: 5 } });
    google.fillContainer(place, { tags: 12 });
    const { tags } = officialClient(google.url).accounts.containers.workspaces;
    const parent = pathOf(place);
    await compare(
      google,
      () => api.list(place, 'tag'),
      async () => {
        for (let pageToken: string | null | undefined = ''; pageToken !== undefined;) {
          const { data }: Page = await tags.list({ parent, ...(pageToken && { pageToken }) });
          pageToken = data.nextPageToken;
        }
      },
    );
  });
});
