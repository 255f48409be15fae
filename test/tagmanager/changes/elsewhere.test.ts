import { describe, expect, it } from 'vitest';
import { createMortal, createWorld, furnish, proposed } from './parts.ts';
import type { World } from './parts.ts';

const ALL = { status: 'all', skip: 0, limit: 100 } as const;

async function waiting() {
  const world = await createWorld();
  const changes = furnish(world);
  world.shoot();
  return { world, ids: await proposed(world, changes) };
}

/** Accepted, and cut short by the death of the process in the middle of writing. */
async function cutShort() {
  const made = await waiting();
  const changes = made.world.begin(createMortal(24));
  await changes.accept(made.world.asking(), made.ids).catch(() => undefined);
  await changes.jobs.idle(made.world.tenantId);
  expect(made.world.standIn.written.length).toBeGreaterThan(0);
  expect(made.world.standIn.written.length).toBeLessThan(8);
  return made;
}

/** As it is stored when a crash comes before anybody could be told of the choice. */
function choose(world: World, other: object): void {
  const { chosen } = world;
  world.chosen = () => ({ ...chosen(), ...other });
}

const statuses = async (world: World) =>
  new Set((await world.begin().list(world.tenantId, ALL)).map(({ status }) => status));

const OTHERS: [string, object][] = [
  ['workspace', { workspace_id: '999', workspace_name: 'Other' }],
  ['container', { container_id: '21' }],
];

describe.each(OTHERS)('once another %s is chosen, even if a crash came in between', (_, other) => {
  it('a batch is not gone on with at the next start, and what stays is said', async () => {
    const { world } = await cutShort();
    const { length } = world.standIn.written;
    choose(world, other);
    const changes = world.begin();
    await changes.start();
    await changes.jobs.idle(world.tenantId);
    expect(world.standIn.written).toHaveLength(length);
    expect(await statuses(world)).toEqual(new Set(['applied', 'withdrawn']));
    const said = await changes.audit(world.tenantId, { skip: 0, limit: 100 });
    expect(said.map(({ words }) => words).join()).toMatch(/Was written and stays: /);
    expect(await changes.resume(world.asking())).toEqual([]);
  });

  it('nothing that was proposed before is listed as open, or written', async () => {
    const { world, ids } = await waiting();
    choose(world, other);
    await expect(world.begin().accept(world.asking(), ids)).rejects.toMatchObject({ status: 409 });
    expect(await statuses(world)).toEqual(new Set(['withdrawn']));
    expect(world.standIn.calls).toEqual([]);
  });

  it('resuming ends what was cut short, so that new changes can be accepted', async () => {
    const { world } = await cutShort();
    choose(world, other);
    expect(await world.begin().resume(world.asking())).toEqual([]);
    world.shoot();
    const body = { name: 'Next', type: 'html' };
    const next = await proposed(world, [{ action: 'create', kind: 'tag', body }]);
    const changes = world.begin();
    expect(await changes.accept(world.asking(), next)).toHaveLength(1);
    await changes.jobs.idle(world.tenantId);
  });
});

describe('the workspace that is chosen', () => {
  it('is the same after it was published, or renamed', async () => {
    for (const other of [{ workspace_id: '2' }, { workspace_name: 'Renamed' }]) {
      const { world, ids } = await waiting();
      choose(world, other);
      await world.begin().tidy(world.tenantId);
      expect(await statuses(world)).toEqual(new Set(['proposed']));
      expect(ids).toHaveLength(8);
    }
  });
});

it('disconnecting leaves nothing of the container in what is kept of batches', async () => {
  const { world, ids } = await waiting();
  const { standIn } = world;
  standIn.fate = (verb) => {
    if (verb !== 'update') return;
    standIn.fate = () => undefined;
    standIn.edit('variable', '1', { notes: 'of the container' });
    return { code: 'conflict' };
  };
  const changes = world.begin();
  await changes.accept(world.asking(), ids);
  await changes.jobs.idle(world.tenantId);
  await changes.forget(world.tenantId, 'It was disconnected.');
  const kept = await world.database.read((sql) => sql.rows('SELECT * FROM tag_manager_batches'));
  expect(kept).toHaveLength(1);
  expect(JSON.stringify(kept)).not.toContain('of the container');
});
