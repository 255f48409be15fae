import { expect } from 'vitest';
import type { ChangeView } from '../../../server/tagmanager/changes/schema.ts';
import { createWorld, furnish, proposed } from './parts.ts';
import type { World } from './parts.ts';

export const ALL = { status: 'all', skip: 0, limit: 1000 } as const;
export const OPEN = { ...ALL, status: 'open' } as const;

/** A list of everything waits to be decided on, or what is picked of it. */
export async function waiting(pick?: readonly number[]) {
  const world = await createWorld();
  const all = furnish(world);
  const changes = pick ? pick.flatMap((i) => all[i] ?? []) : all;
  world.shoot();
  return { world, ids: await proposed(world, changes) };
}

export async function accept(world: World, ids: readonly string[]) {
  const changes = world.begin();
  const views = await changes.accept(world.asking('Ann'), ids);
  await changes.jobs.idle(world.tenantId);
  return { views, failure: changes.jobs.lastFailure(world.tenantId) };
}

export async function resume(world: World, who = 'Bob') {
  const changes = world.begin();
  const views = await changes.resume(world.asking(who));
  await changes.jobs.idle(world.tenantId);
  return { views, failure: changes.jobs.lastFailure(world.tenantId) };
}

/** The appliance starts, and brings what was left to its end. */
export async function restart(world: World): Promise<void> {
  const changes = world.begin();
  await changes.start();
  await changes.jobs.idle(world.tenantId);
}

export const find = async (world: World, name: string): Promise<ChangeView> =>
  (await world.begin().list(world.tenantId, ALL)).find((one) => one.name === name) as ChangeView;

export const statuses = async (world: World) =>
  new Set((await world.begin().list(world.tenantId, ALL)).map(({ status }) => status));

/** The newest first. */
export const deeds = async (world: World) =>
  (await world.begin().audit(world.tenantId, { skip: 0, limit: 1000 })).map(
    ({ deed, who, words }) => `${deed} ${who}: ${words}`,
  );

/** Starts the appliance again and again, until nothing is left to be gone on with. */
export async function settle(world: World): Promise<void> {
  for (let i = 0; i < 8; i++) {
    await restart(world);
    const open = await world.begin().list(world.tenantId, OPEN);
    if (!open.some(({ status }) => status === 'accepted')) return;
  }
  throw new Error('It never comes to an end');
}

/** What could not be taken back, and is said to be. */
export const isLeft = ({ status, problem }: ChangeView): boolean =>
  status === 'applied' && problem !== null;

/** All or nothing, and the store says which. */
export async function outcome(world: World, ids: readonly string[]): Promise<'all' | 'nothing'> {
  const list = await world.begin().list(world.tenantId, ALL);
  const own = list.filter((one) => ids.includes(one.id) && !isLeft(one));
  const states = new Set(own.map(({ status }) => status));
  if (states.size === 1 && states.has('applied')) return 'all';
  for (const state of states) expect(['proposed', 'conflict']).toContain(state);
  return 'nothing';
}
