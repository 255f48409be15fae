import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { accept, find, waiting } from './decisions.ts';
import { create, createWorld, html } from './parts.ts';

const NEW = create('tag', html('New'));

/** Two of the changes are in conflict, and one of those needs the other. */
async function inConflict() {
  const { world, ids } = await waiting();
  world.container.edit('tag', '4', { notes: 'theirs' });
  world.container.put('trigger', { name: 'All', type: 'theirs' });
  await accept(world, ids);
  return { world, trigger: await find(world, 'All'), tag: await find(world, 'Leaves old') };
}

/** Somebody renews the tag, and waits for the tag manager until `goOn` is called. */
async function renewing() {
  const { world, trigger, tag } = await inConflict();
  const { api } = world.container;
  const gate = Promise.withResolvers<undefined>();
  const arrived = Promise.withResolvers<undefined>();
  const get = api.get.bind(api);
  api.get = async (...given) => {
    arrived.resolve(undefined);
    await gate.promise;
    return get(...given);
  };
  const changes = world.begin();
  const renewed = changes.renew(world.asking(), tag.id);
  await arrived.promise;
  return { world, trigger, tag, changes, renewed, goOn: () => gate.resolve(undefined) };
}

/** One of two that come at once is refused; which of them is not said. */
async function expectOneRefused(both: Promise<unknown>[], status: number): Promise<void> {
  const refused = (await Promise.allSettled(both)).filter((one) => one.status === 'rejected');
  expect(refused).toMatchObject([{ reason: { status } }]);
}

describe('several who propose at once', () => {
  it('see each other, so that one of them is refused what the other has taken', async () => {
    const world = await createWorld();
    world.shoot();
    const changes = world.begin();
    const propose = () => changes.propose(world.asking(), [NEW]);
    await expectOneRefused([propose(), propose()], 422);
  });

  it('wait for those of their own tenant alone', async () => {
    const world = await createWorld();
    world.shoot();
    const gate = Promise.withResolvers<undefined>();
    const arrived = Promise.withResolvers<undefined>();
    world.onKey = () => {
      arrived.resolve(undefined);
      return gate.promise;
    };
    const changes = world.begin();
    const installing = changes.install(world.asking());
    await arrived.promise;
    const stranger = { ...world.asking(), tenantId: randomUUID() };
    expect(await changes.propose(stranger, [NEW])).toHaveLength(1);
    gate.resolve(undefined);
    expect(await installing).not.toEqual([]);
  });

  it('do not wait for one who waits for the tag manager', async () => {
    const { world, changes, renewed, goOn } = await renewing();
    expect(await changes.propose(world.asking(), [NEW])).toHaveLength(1);
    goOn();
    expect((await renewed).status).toBe('proposed');
  });

  it('have proposed again when that was done, not when it was asked for', async () => {
    const { world, tag, changes, renewed, goOn } = await renewing();
    world.now += 180_000;
    goOn();
    const at = new Date(world.now).toISOString();
    expect(await renewed).toMatchObject({ proposed_at: at });
    expect(await changes.get(world.tenantId, tag.id)).toMatchObject({ decided_at: at });
    const said = await changes.audit(world.tenantId, { skip: 0, limit: 2 });
    expect(said).toMatchObject([
      { deed: 'proposed', at },
      { deed: 'replaced', at },
    ]);
  });

  it('may renew at once what needs each other', async () => {
    const { world, trigger, changes, renewed, goOn } = await renewing();
    const renewedTrigger = await changes.renew(world.asking(), trigger.id);
    goOn();
    const renewedTag = await renewed;
    expect(renewedTag.needs).toEqual([renewedTrigger.id]);
    const { after } = await changes.get(world.tenantId, renewedTag.id);
    expect(after).toMatchObject({ firingTriggerId: [`change:${renewedTrigger.id}`] });
  });

  it('may renew the same one once', async () => {
    const { world, tag } = await inConflict();
    const changes = world.begin();
    const renew = () => changes.renew(world.asking(), tag.id);
    await expectOneRefused([renew(), renew()], 409);
  });
});
