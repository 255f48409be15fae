import { describe, expect, it } from 'vitest';
import { accept, deeds, restart, resume, statuses, waiting } from './decisions.ts';
import { create, createMortal, html, proposed } from './parts.ts';
import type { World } from './parts.ts';

/** Accepted, and cut short by the death of the process in the middle of writing. */
async function cutShort() {
  const made = await waiting();
  const changes = made.world.begin(createMortal(24));
  await changes.accept(made.world.asking(), made.ids).catch(() => undefined);
  await changes.jobs.idle(made.world.tenantId);
  expect(made.world.container.written.length).toBeGreaterThan(0);
  expect(made.world.container.written.length).toBeLessThan(8);
  return made;
}

/** As it is stored when a crash comes before anybody could be told of the choice. */
function choose(world: World, other: object): void {
  const { chosen } = world;
  world.chosen = () => ({ ...chosen(), ...other });
}

const OTHERS: [string, object][] = [
  ['workspace', { workspace_id: '999', workspace_name: 'Other' }],
  ['container', { container_id: '21' }],
];

describe.each(OTHERS)('once another %s is chosen, even if a crash came in between', (_, other) => {
  it('a batch is not gone on with at the next start, and what stays is said', async () => {
    const { world } = await cutShort();
    const { length } = world.container.written;
    choose(world, other);
    await restart(world);
    expect(world.container.written).toHaveLength(length);
    expect(await statuses(world)).toEqual(new Set(['applied', 'withdrawn']));
    expect((await deeds(world)).join()).toMatch(/Was written and stays: /);
    expect((await resume(world)).views).toEqual([]);
  });

  it('nothing that was proposed before is listed as open, or written', async () => {
    const { world, ids } = await waiting();
    choose(world, other);
    await expect(accept(world, ids)).rejects.toMatchObject({ status: 409 });
    expect(await statuses(world)).toEqual(new Set(['withdrawn']));
    expect(world.container.calls).toEqual([]);
  });

  it('resuming ends what was cut short, so that new changes can be accepted', async () => {
    const { world } = await cutShort();
    choose(world, other);
    expect((await resume(world)).views).toEqual([]);
    world.shoot();
    const next = await proposed(world, [create('tag', html('Next'))]);
    expect((await accept(world, next)).views).toHaveLength(1);
  });
});

it.each([{ workspace_id: '3' }, { workspace_name: 'Renamed' }])(
  'the workspace is the same after it was published, or renamed: %o',
  async (other) => {
    const { world, ids } = await waiting();
    choose(world, other);
    await world.begin().tidy(world.tenantId);
    expect(await statuses(world)).toEqual(new Set(['proposed']));
    expect(ids).toHaveLength(8);
  },
);

it('disconnecting leaves nothing of the container in what is kept of batches', async () => {
  const { world, ids } = await waiting();
  const { container } = world;
  container.fate = (verb) => {
    if (verb !== 'update') return;
    container.fate = () => undefined;
    container.edit('variable', '1', { notes: 'of the container' });
    return { code: 'conflict' };
  };
  await accept(world, ids);
  await world.begin().forget(world.tenantId, 'It was disconnected.');
  const kept = await world.database.read((sql) => sql.rows('SELECT * FROM tag_manager_batches'));
  expect(kept).toHaveLength(1);
  const steps = await world.database.read((sql) => sql.rows('SELECT * FROM tag_manager_steps'));
  expect(steps).toEqual([]);
  expect(JSON.stringify(kept)).not.toContain('of the container');
});
