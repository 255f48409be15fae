import type { ChangeView } from '../../../server/tagmanager/changes/schema.ts';
import { createWorld, furnish, proposed } from './parts.ts';
import type { World } from './parts.ts';

export const ALL = { status: 'all', skip: 0, limit: 100 } as const;

/** A list of everything waits to be decided on. */
export async function waiting() {
  const world = await createWorld();
  const changes = furnish(world);
  world.shoot();
  return { world, ids: await proposed(world, changes) };
}

export const find = async (world: World, name: string): Promise<ChangeView> =>
  (await world.begin().list(world.tenantId, ALL)).find((one) => one.name === name) as ChangeView;

export async function accept(world: World, ids: readonly string[]) {
  const changes = world.begin();
  const views = await changes.accept(world.asking('Ann'), ids);
  await changes.jobs.idle(world.tenantId);
  return { views, failures: changes.jobs.failures };
}

/** The newest first. */
export const deeds = async (world: World) =>
  (await world.begin().audit(world.tenantId, { skip: 0, limit: 1000 })).map(
    ({ deed, who, words }) => `${deed} ${who}: ${words}`,
  );
