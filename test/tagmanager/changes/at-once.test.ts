import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ChangeView, NewChange } from '../../../server/tagmanager/changes/schema.ts';
import { createWorld, furnish, proposed } from './parts.ts';
import type { World } from './parts.ts';

const ALL = { status: 'all', skip: 0, limit: 100 } as const;
const NEW: NewChange = { action: 'create', kind: 'tag', body: { name: 'New', type: 'html' } };

/** Two of the changes are in conflict, and one of those needs the other. */
async function inConflict() {
  const world = await createWorld();
  const changes = furnish(world);
  world.shoot();
  const ids = await proposed(world, changes);
  world.standIn.edit('tag', '4', { notes: 'theirs' });
  world.standIn.put('trigger', { name: 'All', type: 'theirs' }, '77');
  const running = world.begin();
  await running.accept(world.asking(), ids);
  await running.jobs.idle(world.tenantId);
  const list = await running.list(world.tenantId, ALL);
  const find = (name: string) => list.find((one) => one.name === name) as ChangeView;
  return { world, trigger: find('All'), tag: find('Leaves old') };
}

/** Whoever asks for one object waits, until what comes back is called. */
function holdBack({ standIn: { api } }: World) {
  const gate = Promise.withResolvers<undefined>();
  const arrived = Promise.withResolvers<undefined>();
  const get = api.get.bind(api);
  api.get = async (...given) => {
    arrived.resolve(undefined);
    await gate.promise;
    return get(...given);
  };
  return { arrived: arrived.promise, goOn: () => gate.resolve(undefined) };
}

describe('several who propose at once', () => {
  it('see each other, so that one of them is refused what the other has taken', async () => {
    const world = await createWorld();
    world.shoot();
    const changes = world.begin();
    const both = [changes.propose(world.asking(), [NEW]), changes.propose(world.asking(), [NEW])];
    const refused = (await Promise.allSettled(both)).filter((one) => one.status === 'rejected');
    expect(refused).toMatchObject([{ reason: { status: 422 } }]);
  });

  it('wait for those of their own tenant alone', async () => {
    const world = await createWorld();
    world.shoot();
    const gate = Promise.withResolvers<undefined>();
    const arrived = Promise.withResolvers<undefined>();
    world.onDownload = () => {
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
    const { world, tag } = await inConflict();
    const { arrived, goOn } = holdBack(world);
    const changes = world.begin();
    const renewing = changes.renew(world.asking(), tag.id);
    await arrived;
    expect(await changes.propose(world.asking(), [NEW])).toHaveLength(1);
    goOn();
    expect((await renewing).status).toBe('proposed');
  });

  it('have proposed again when that was done, not when it was asked for', async () => {
    const { world, tag } = await inConflict();
    const { arrived, goOn } = holdBack(world);
    const changes = world.begin();
    const renewing = changes.renew(world.asking(), tag.id);
    await arrived;
    world.now += 180_000;
    goOn();
    const at = new Date(world.now).toISOString();
    expect(await renewing).toMatchObject({ proposed_at: at });
    expect(await changes.get(world.tenantId, tag.id)).toMatchObject({ decided_at: at });
    const said = await changes.audit(world.tenantId, { skip: 0, limit: 2 });
    expect(said).toMatchObject([
      { deed: 'proposed', at },
      { deed: 'replaced', at },
    ]);
  });

  it('may renew at once what needs each other', async () => {
    const { world, trigger, tag } = await inConflict();
    const { arrived, goOn } = holdBack(world);
    const changes = world.begin();
    const renewing = changes.renew(world.asking(), tag.id);
    await arrived;
    const renewedTrigger = await changes.renew(world.asking(), trigger.id);
    goOn();
    const renewedTag = await renewing;
    expect(renewedTag.needs).toEqual([renewedTrigger.id]);
    const { after } = await changes.get(world.tenantId, renewedTag.id);
    expect(after).toMatchObject({ firingTriggerId: [`change:${renewedTrigger.id}`] });
  });

  it('may renew the same one once', async () => {
    const { world, tag } = await inConflict();
    const changes = world.begin();
    const both = [changes.renew(world.asking(), tag.id), changes.renew(world.asking(), tag.id)];
    const refused = (await Promise.allSettled(both)).filter((one) => one.status === 'rejected');
    expect(refused).toMatchObject([{ reason: { status: 409 } }]);
  });
});
