import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Disconnected } from '../../../server/tagmanager/connection/schema.ts';
import { freshTenant } from '../../helpers/tenant.ts';
import { chosenContainer, connect, heldAt, isWrite, selectionOf } from './parts.ts';
import type { World } from './parts.ts';

const LEFT = {
  ...{ state: 'not_connected', chosen: null, problem: null, job: null, waiting: null },
  ...{ connected_at: null, may_edit: false },
};

interface Kept {
  tag_managers: { tokens: unknown; chosen: unknown }[];
}

function settingsOf({ appliance }: World): Kept {
  const file = path.join(appliance.dataDir, 'settings.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Kept;
}

/** Nothing of the container or the tokens is left here, but that it was. */
async function expectNothingKept(world: World): Promise<void> {
  expect(await world.view()).toMatchObject(LEFT);
  expect(await world.snapshot()).toBeNull();
  expect(await world.get('/snapshot/objects')).toEqual([]);
  expect(await world.get('/snapshot/differences')).toEqual([]);
  expect(await world.changes()).toEqual([]);
  const kept = settingsOf(world).tag_managers.flatMap(({ tokens, chosen }) => [tokens, chosen]);
  expect(new Set(kept)).toEqual(new Set([null]));
  for (const path of ['/accounts', `/containers?account_id=${world.place.accountId}`]) {
    expect((await world.ask('GET', `/tag-manager${path}`)).status).toBe(409);
  }
}

async function expectConnectsAgain(world: World): Promise<void> {
  await connect(world.person, world.google);
  await world.tell('PUT', '/selection', selectionOf(world.place));
  expect(await world.settled()).toMatchObject({
    ...{ state: 'connected', problem: null, last_failure: null },
  });
  expect(await world.snapshot()).toMatchObject({ difference_count: 0 });
}

describe('disconnecting', () => {
  it('takes the grant back, and removes what was known of the container', async () => {
    const world = await chosenContainer();
    await world.tell('POST', '/changes/install');
    const { revoked } = await world.tell<Disconnected>('DELETE', '/connection');
    expect(revoked).toBe(true);
    expect(world.identity.grants()).toBe(0);
    await expectNothingKept(world);
    for (const { id, status } of await world.changes('closed')) {
      expect(status).toBe('withdrawn');
      expect(await world.change(id)).toMatchObject({ before: null, after: null, current: null });
    }
    const deeds = (await world.audit()).map(({ deed }) => deed);
    expect(deeds.slice(0, 4)).toEqual(['disconnected', ...Array<string>(3).fill('withdrawn')]);
    await expectConnectsAgain(world);
  });

  it('is done here even when the revocation cannot be reached, and says what is left to do', async () => {
    const world = await chosenContainer();
    world.identity.switches.revocationDown = true;
    const { revoked, detail } = await world.tell<Disconnected>('DELETE', '/connection');
    expect(revoked).toBe(false);
    expect(detail).toMatch(
      /could not be reached, .* remove it under https:\/\/myaccount\.google\.com/,
    );
    expect(world.identity.grants()).toBe(1);
    await expectNothingKept(world);
    world.identity.switches.revocationDown = false;
    await expectConnectsAgain(world);
  });

  it('in the middle of a snapshot ends it', async () => {
    const world = await chosenContainer();
    const held = heldAt(world.api, 5);
    await world.tell('POST', '/snapshot');
    const goOn = await held;
    const asked = world.api.requests.length;
    const { revoked } = await world.tell<Disconnected>('DELETE', '/connection');
    expect(revoked).toBe(true);
    await expectNothingKept(world);
    goOn();
    await expectConnectsAgain(world);
    expect(world.api.requests.length).toBeGreaterThan(asked);
  });

  it('in the middle of writing ends it, and says what was written of it and stays', async () => {
    const world = await chosenContainer();
    const { api, place } = world;
    const changes = await world.tell<{ id: string }[]>('POST', '/changes/install');
    const held = heldAt(api, 2, isWrite);
    await world.ask('POST', '/tag-manager/changes/accept', { ids: changes.map(({ id }) => id) });
    const goOn = await held;
    await world.tell('POST', '/connection/consent');
    const disconnecting = world.tell<Disconnected>('DELETE', '/connection');
    // What is asked of Google goes first, so that shows that it has begun.
    await expect.poll(async () => (await world.view()).waiting).toBeNull();
    // The write that has been sent is waited for, and no other is sent.
    goOn();
    expect((await disconnecting).revoked).toBe(true);
    await expectNothingKept(world);
    expect(world.requests().filter(isWrite)).toHaveLength(2);
    expect(api.list(place, 'tag')).toHaveLength(6);
    const ended = await world.changes('closed');
    expect(ended.map(({ status }) => status).sort()).toEqual(['applied', 'applied', 'withdrawn']);
    for (const { problem } of ended) expect(problem).toContain('The tag manager was disconnected.');
    expect((await world.audit()).map(({ words }) => words).join('\n')).toContain(
      'Was written and stays: create t',
    );
    await expectConnectsAgain(world);
  });
});

it('a second tenant sees nothing of the first, and can do nothing to it', async () => {
  const world = await chosenContainer();
  const [change] = await world.tell<{ id: string }[]>('POST', '/changes/install');
  const [tag] = world.api.list(world.place, 'tag');
  const key = (await freshTenant(world.appliance)).key;
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${world.url}/api/v1/tag-manager${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect(text).not.toMatch(/GTM-SMALL1|Small site|Shop Ltd|4711-public/);
    return { status: response.status, body: text && (JSON.parse(text) as unknown) };
  };

  const client = { id: null, has_secret: false };
  expect((await ask('GET', '/connection')).body).toMatchObject({ ...LEFT, client });
  expect((await ask('GET', '/snapshot')).body).toEqual({ latest: null });
  for (const path of [
    '/snapshot/objects',
    '/snapshot/differences',
    '/changes?status=all',
    '/audit',
  ]) {
    expect(await ask('GET', path)).toEqual({ status: 200, body: [] });
  }
  expect((await ask('GET', '/verification')).body).toMatchObject({ complete: false });
  for (const [method, path, status] of [
    ['GET', '/accounts', 409],
    ['POST', '/snapshot', 409],
    ['POST', '/changes/install', 409],
    ['GET', `/snapshot/objects/tag/${tag?.tagId}`, 404],
    ['GET', `/changes/${change?.id}`, 404],
    ['POST', `/changes/${change?.id}/renew`, 404],
  ] as const) {
    expect({ path, ...(await ask(method, path)) }).toMatchObject({ path, status });
  }
  expect((await ask('DELETE', '/connection')).status).toBeLessThan(500);
  expect((await world.view()).state).toBe('connected');
  expect(await world.changes()).toHaveLength(3);
});
