import { expect, it } from 'vitest';
import type { ChangeView } from '../../../server/tagmanager/changes/schema.ts';
import type { ContainerObject } from '../../../server/tagmanager/snapshot/schema.ts';
import type { KeyView, KeyWithSecret } from '../../../server/tenants/schema.ts';
import { KEY } from '../../helpers/appliance.ts';
import { chosenContainer } from './parts.ts';
import type { World } from './parts.ts';

/** Our template and its tag in the container, one by hand beside them, and a change that waits. */
async function withKeys() {
  // An appliance of its own has a key that was made by hand.
  const world = await chosenContainer({ options: {} });
  const { api, place, key } = world;
  await world.accept(await world.tell<ChangeView[]>('POST', '/changes/install'));
  // What is written is followed by a snapshot of its own.
  await expect.poll(async () => (await world.snapshot())?.template_present).toBe(true);
  await world.settled();
  const byHand = `<img src="https://shop.example/collect?k=${encodeURIComponent(key)}&d=1">`;
  api.add(place, 'tag', {
    name: `Sends with ${key}`,
    type: 'html',
    parameter: [{ type: 'template', key: 'html', value: byHand }],
  });
  await world.takeSnapshot();

  const keys = (await world.ask<KeyView[]>('GET', '/keys')).body;
  const ingest = keys.find(({ scope }) => scope === 'ingest');
  const shown = await world.ask<{ secret: string }>('GET', `/keys/${ingest?.id}/secret`);
  const { secret } = shown.body;
  const objects = await world.get<ContainerObject[]>('/snapshot/objects?limit=1000');
  const tag = objects.find(({ ours, kind }) => ours && kind === 'tag');
  const [waiting] = await world.propose({
    ...{ action: 'update', kind: 'tag', id: tag?.id },
    body: {
      ...{ name: 'Vedette', type: tag?.type, notes: `Not ${key} any more` },
      parameter: [{ type: 'template', key: 'apiKey', value: secret }],
    },
  });
  return { world, secret, waiting };
}

/** Of what the tag manager answers, what only who may change it gets. */
const ONLY_FULL = ['accounts', 'containers', 'template', 'template.tpl', 'workspaces'];

interface Document {
  paths: Record<string, { get?: { parameters?: { name: string; in: string }[] } }>;
}

/** Every question about the tag manager that there is, in all its ways. */
async function questions({ appliance, get, changes }: World): Promise<string[]> {
  const objects = await get<ContainerObject[]>('/snapshot/objects?limit=1000');
  const known: Record<string, { [name: string]: string }[]> = {
    'snapshot/objects/{kind}/{id}': objects.map(({ kind, id }) => ({ kind, id })),
    'changes/{id}': (await changes('all')).map(({ id }) => ({ id })),
  };
  const { paths } = (await appliance.get('/openapi.json')).json<Document>();
  return Object.entries(paths).flatMap(([whole, { get: question }]) => {
    const [, path] = whole.split('/api/v1/tag-manager/');
    if (path === undefined || question === undefined) return [];
    const all = new URLSearchParams();
    for (const { name, in: place } of question.parameters ?? []) {
      if (place === 'query' && name === 'limit') all.set(name, '1000');
      if (place === 'query' && name === 'status') all.set(name, 'all');
    }
    const given = path.includes('{') ? (known[path] ?? []) : [{}];
    expect(given, `what ${path} is to be asked with`).not.toEqual([]);
    return given.map((values) => {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
      return all.size > 0 ? `${filled}?${all}` : filled;
    });
  });
}

/** Whatever is answered, and the paths where nothing is. */
async function read(
  { url, appliance }: World,
  paths: readonly string[],
  given: Record<string, string>,
) {
  const headers = { host: new URL(url).host, ...given };
  const answers = await Promise.all(
    paths.map(async (path) => {
      const { statusCode, body } = await appliance.get(`/tag-manager/${path}`, headers);
      return { path, status: statusCode, text: body };
    }),
  );
  return {
    text: answers.map(({ text }) => text).join('\n'),
    refused: answers.filter(({ status }) => status !== 200),
  };
}

const readerOf = async ({ ask }: World): Promise<{ 'x-api-key': string }> => {
  const input = { name: 'Reader', scope: 'read' };
  return { 'x-api-key': (await ask<KeyWithSecret>('POST', '/keys', input)).body.secret };
};

it('who may only read finds no key in the container to send events with', async () => {
  const { world, secret, waiting } = await withKeys();
  const paths = await questions(world);
  expect(paths.length).toBeGreaterThan(20);

  const { text, refused } = await read(world, paths, await readerOf(world));
  for (const key of [secret, world.key]) {
    expect(text.includes(key)).toBe(false);
    expect(text).toContain(`••••${key.slice(-4)}`);
  }
  const names = refused.map(({ path, status }) => `${path.replace(/\?.*/, '')} ${status}`);
  expect(names.sort()).toEqual(ONLY_FULL.map((path) => `${path} 403`));

  // Who may change the container needs it as it is.
  for (const [name, value] of [
    ['x-api-key', world.key],
    ['cookie', world.cookie],
  ] as const) {
    const whole = await read(world, paths, { [name]: value });
    expect(whole.text.includes(secret) && whole.text.includes(world.key)).toBe(true);
  }
  const { difference } = await world.change(waiting?.id ?? '');
  expect(JSON.stringify(difference)).toContain(world.key);
});

it('who may only read cannot guess a key by searching for more and more of it', async () => {
  const world = await chosenContainer({
    options: {},
    fill: (api, place) => api.add(place, 'variable', { name: `Sends with ${KEY}`, type: 'c' }),
  });
  const { key } = world;
  const [reader, full] = [await readerOf(world), { 'x-api-key': key }];
  const found = async (search: string, headers: Record<string, string>) => {
    const path = `snapshot/objects?search=${encodeURIComponent(search)}`;
    const { text } = await read(world, [path], headers);
    return (JSON.parse(text) as ContainerObject[]).length;
  };
  for (const part of ['Sends with', `Sends with ${key.slice(0, 1)}`, key.slice(0, 4), key]) {
    expect(await found(part, full), part).toBe(1);
    expect(await found(part, reader), part).toBe(part === 'Sends with' ? 1 : 0);
  }
});
