import { describe, expect, it } from 'vitest';
import { accept, resume } from './decisions.ts';
import { create, createWorld, html, NOW, proposed } from './parts.ts';
import type { World } from './parts.ts';

const YEAR = 365 * 24 * 3600 * 1000;

let names = 0;
const propose = (world: World) => proposed(world, [create('tag', html(`New ${++names}`))]);

/** With a snapshot that nothing renews by itself. */
async function withoutSnapshots() {
  const world = await createWorld();
  world.shoot();
  const shoot = world.shoot.bind(world);
  world.shoot = () => undefined;
  return { world, shoot };
}

/** After the first of two that were to be made. */
async function interrupted() {
  const { world, shoot } = await withoutSnapshots();
  const ids = [...(await propose(world)), ...(await propose(world))];
  let writes = 0;
  world.container.fate = (verb) =>
    verb === 'create' && ++writes === 2 ? { code: 'grant_ended' } : undefined;
  await accept(world, ids);
  return { world, shoot };
}

describe('what is known of the container', () => {
  it('is out of date once something was written, until the next snapshot', async () => {
    const { world, shoot } = await withoutSnapshots();
    const [first, second] = [await propose(world), await propose(world)];
    await accept(world, first);
    await expect(propose(world)).rejects.toMatchObject({ status: 409 });
    shoot();
    const third = await propose(world);
    await accept(world, [...second, ...third]);
    await expect(propose(world)).rejects.toMatchObject({ status: 409 });
  });

  it.each([
    ['after', 'idle' as const],
    ['while', 'writing' as const],
  ])(
    'is renewed and judged by although the clock was set back %s something was written',
    async (_, when) => {
      const world = await createWorld();
      world.now = NOW + YEAR;
      world.shoot();
      const ids = await propose(world);
      world.container.onWritten = () => {
        if (when === 'writing') world.now = NOW;
      };
      const shoot = world.shoot.bind(world);
      world.shoot = () => {
        world.now = NOW;
        shoot();
      };
      await accept(world, ids);
      await expect.poll(() => world.begun).toBe(1);
      expect(await propose(world)).toHaveLength(1);
    },
  );

  it('is out of date by what was written before batches remembered their snapshot', async () => {
    const { world, shoot } = await withoutSnapshots();
    const ids = await propose(world);
    world.now += 1000;
    await accept(world, ids);
    await world.database.write((sql) => sql.run('UPDATE tag_manager_batches SET snapshot = NULL'));
    await expect(propose(world)).rejects.toMatchObject({ status: 409 });
    world.now += 1000;
    shoot();
    expect(await propose(world)).toHaveLength(1);
  });

  it('stays as it is while writing is interrupted, for it is judged at the end', async () => {
    const { world } = await interrupted();
    expect(await propose(world)).toHaveLength(1);
    expect(world.begun).toBe(0);
  });

  it('is out of date again once what was interrupted before it is gone on with', async () => {
    const { world, shoot } = await interrupted();
    shoot();
    await resume(world);
    await expect(propose(world)).rejects.toMatchObject({ status: 409 });
    shoot();
    expect(await propose(world)).toHaveLength(1);
  });
});
