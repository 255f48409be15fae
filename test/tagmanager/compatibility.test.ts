import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import type { TestAppliance } from '../helpers/appliance.ts';
import { freshTenant } from '../helpers/tenant.ts';

const PAGE = '/tag-manager/template';
const SETTINGS = 'settings.json';
const COPY = 'settings.last-good.json';

interface Key {
  id: string;
  name: string;
}

interface Settings {
  keys: Record<string, unknown>[];
}

const textIn = (dir: string, name: string) => readFileSync(path.join(dir, name), 'utf8');

/** The key for the tag, as this caller is told of it. */
async function keyOf(appliance: TestAppliance, secret = KEY): Promise<Key | null> {
  const answer = await appliance.get(PAGE, { 'x-api-key': secret });
  expect(answer.statusCode).toBe(200);
  return answer.json<{ key: Key | null }>().key;
}

const makeKey = (appliance: TestAppliance, secret = KEY) =>
  appliance.app.inject({
    ...{ method: 'POST', url: `/api/v1${PAGE}`, headers: { 'x-api-key': secret } },
  });

const rotate = (appliance: TestAppliance, key: Key | null, secret: string) =>
  appliance.app.inject({
    ...{ method: 'POST', url: `/api/v1/keys/${key?.id}/rotate` },
    headers: { 'x-api-key': secret },
  });

/** The settings as they were written before keys were made for anything. */
function asBefore(dir: string): void {
  for (const name of [SETTINGS, COPY]) {
    const settings = JSON.parse(textIn(dir, name)) as Settings;
    expect(settings.keys.length).toBeGreaterThan(0);
    for (const key of settings.keys) delete key['made_for'];
    writeFileSync(path.join(dir, name), JSON.stringify(settings));
  }
}

it('settings from before there was a template open, and its key is made beside theirs', async () => {
  const first = await startAppliance();
  const { dataDir } = first;
  const known = (await first.get('/keys')).json<Key[]>();
  await first.close();
  asBefore(dataDir);
  expect(textIn(dataDir, SETTINGS)).not.toContain('made_for');

  await using appliance = await startAppliance({ dataDir });
  expect(appliance.notices).toEqual([]);
  expect((await appliance.get('/keys')).json()).toMatchObject(known.map(({ id }) => ({ id })));
  expect(await keyOf(appliance)).toBeNull();
  await makeKey(appliance);
  const made = await keyOf(appliance);
  expect(known.map(({ id }) => id)).not.toContain(made?.id);
  expect((await appliance.get('/keys')).json()).toHaveLength(known.length + 1);
});

it('a tenant’s key for the tag is its own: another is not told of it, and makes another', async () => {
  const first = await freshTenant();
  const { appliance } = first;
  const other = (await freshTenant()).key;
  await makeKey(appliance, first.key);
  const key = await keyOf(appliance, first.key);
  expect(key).not.toBeNull();

  const headers = { 'x-api-key': other };
  expect(await keyOf(appliance, other)).toBeNull();
  const listed = (await appliance.get('/keys', headers)).json<Key[]>();
  expect(listed.map(({ id }) => id)).not.toContain(key?.id);
  expect((await rotate(appliance, key, other)).statusCode).toBe(404);

  await makeKey(appliance, other);
  const others = await keyOf(appliance, other);
  expect(others).toMatchObject({ name: 'Tag manager' });
  expect(others?.id).not.toBe(key?.id);
  expect(await keyOf(appliance, first.key)).toEqual(key);
});

it('what the tag sends is its tenant’s alone', async () => {
  const { appliance, key, get, pixel } = await freshTenant();
  await makeKey(appliance, key);
  const rotated = await rotate(appliance, await keyOf(appliance, key), key);
  const { secret } = rotated.json<{ secret: string }>();
  const sent = { source: 'gtm', source_id: 'GTM-1', events: [{ type: 'purchase', data: {} }] };
  const answer = await pixel(encodeURIComponent(JSON.stringify(sent)), secret);
  expect(answer.statusCode).toBe(200);
  const seen = async () => (await get('/events')).json<object[]>();
  await expect.poll(seen).toMatchObject([{ event_type: 'purchase' }]);
  expect((await (await freshTenant()).get('/events')).json()).toEqual([]);
});

it('settings that cannot be saved leave no key, and the next request makes it', async () => {
  await using appliance = await startAppliance();
  const { dataDir } = appliance;
  const before = [textIn(dataDir, SETTINGS), textIn(dataDir, COPY), readdirSync(dataDir)];
  // A directory in its place cannot be written over, not even by root.
  rmSync(path.join(dataDir, COPY));
  mkdirSync(path.join(dataDir, COPY));
  for (let attempt = 0; attempt < 2; attempt++) {
    const refused = await makeKey(appliance);
    expect(refused.statusCode).toBe(503);
    expect(refused.json()).toMatchObject({
      detail: 'The settings cannot be written to disk right now; nothing was changed',
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await keyOf(appliance)).toBeNull();
    expect((await appliance.get('/keys')).json()).toHaveLength(1);
  }
  rmSync(path.join(dataDir, COPY), { recursive: true });
  writeFileSync(path.join(dataDir, COPY), String(before[1]));
  expect([textIn(dataDir, SETTINGS), textIn(dataDir, COPY), readdirSync(dataDir)]).toEqual(before);

  expect((await makeKey(appliance)).statusCode).toBe(200);
  expect(await keyOf(appliance)).toMatchObject({ name: 'Tag manager' });
  expect((await appliance.get('/keys')).json()).toHaveLength(2);
});
