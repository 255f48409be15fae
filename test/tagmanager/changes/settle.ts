import { expect } from 'vitest';
import type { ChangeView } from '../../../server/tagmanager/changes/schema.ts';
import type { World } from './parts.ts';

/** Starts the appliance again and again, until nothing is left to be gone on with. */
export async function settle(world: World): Promise<void> {
  for (let i = 0; i < 8; i++) {
    const changes = world.begin();
    await changes.start();
    await changes.jobs.idle(world.tenantId);
    const open = await changes.list(world.tenantId, { status: 'open', skip: 0, limit: 1000 });
    if (!open.some(({ status }) => status === 'accepted')) return;
  }
  throw new Error('It never comes to an end');
}

/** What could not be taken back, and is said to be. */
export const isLeft = ({ status, problem }: ChangeView): boolean =>
  status === 'applied' && problem !== null;

/** All or nothing, and the store says which. */
export async function outcome(world: World, ids: readonly string[]): Promise<'all' | 'nothing'> {
  const list = await world.begin().list(world.tenantId, { status: 'all', skip: 0, limit: 1000 });
  const own = list.filter((one) => ids.includes(one.id) && !isLeft(one));
  const states = new Set(own.map(({ status }) => status));
  if (states.size === 1 && states.has('applied')) return 'all';
  for (const state of states) expect(['proposed', 'conflict']).toContain(state);
  return 'nothing';
}
