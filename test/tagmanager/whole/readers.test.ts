import { expect, it } from 'vitest';
import type { ChangeView } from '../../../server/tagmanager/changes/schema.ts';
import type { ContainerObject } from '../../../server/tagmanager/snapshot/schema.ts';
import type { KeyView, KeyWithSecret } from '../../../server/tenants/schema.ts';
import { KEY } from '../../helpers/appliance.ts';
import { chosenContainer } from './parts.ts';
import type { World } from './parts.ts';

/** Our template and its tag in the container, one by hand beside them, and a change that waits. */
async function withKeys() {
  const world = await chosenContainer();
  const { api, place } = world;
  await world.accept(await world.tell<ChangeView[]>('POST', '/changes/install'));
  await world.settled();
  const byHand = `<img src="https://shop.example/collect?k=${encodeURIComponent(KEY)}&d=1">`;
  api.add(place, 'tag', {
    name: `Sends with ${KEY}`,
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
      ...{ name: 'Vedette', type: tag?.type, notes: `Not ${KEY} any more` },
      parameter: [{ type: 'template', key: 'apiKey', value: secret }],
    },
  });
  return { world, secret, objects, waiting };
}

/** All that a key of scope `read` may ask of the tag manager. */
const pathsOf = (objects: readonly ContainerObject[], changes: readonly ChangeView[]) => [
  ...['connection', 'snapshot', 'snapshot/objects?limit=1000', 'snapshot/differences'],
  ...['verification', 'changes?status=all&limit=1000', 'audit?limit=1000'],
  ...objects.map(({ kind, id }) => `snapshot/objects/${kind}/${id}`),
  ...changes.map(({ id }) => `changes/${id}`),
];

async function read({ url }: World, paths: readonly string[], headers: Record<string, string>) {
  const texts = await Promise.all(
    paths.map(async (path) => {
      const answer = await fetch(`${url}/api/v1/tag-manager/${path}`, { headers });
      expect(answer.status, path).toBe(200);
      return answer.text();
    }),
  );
  return texts.join('\n');
}

it('who may only read finds no key in the container to send events with', async () => {
  const { world, secret, objects, waiting } = await withKeys();
  const input = { name: 'Reader', scope: 'read' };
  const reader = (await world.ask<KeyWithSecret>('POST', '/keys', input)).body;
  const paths = pathsOf(objects, await world.changes('all'));

  const toReader = await read(world, paths, { 'x-api-key': reader.secret });
  for (const key of [secret, KEY]) {
    expect(toReader.includes(key)).toBe(false);
    expect(toReader).toContain(`••••${key.slice(-4)}`);
  }
  // Who may change the container needs it as it is.
  for (const [name, value] of [
    ['x-api-key', KEY],
    ['cookie', world.cookie],
  ] as const) {
    const whole = await read(world, paths, { [name]: value });
    expect(whole.includes(secret) && whole.includes(KEY)).toBe(true);
  }
  const { difference } = await world.change(waiting?.id ?? '');
  expect(JSON.stringify(difference)).toContain(KEY);
});
