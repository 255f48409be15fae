import type { NewChange } from '../../../server/tagmanager/changes/schema.ts';
import { createWorld } from './parts.ts';
import type { World } from './parts.ts';

export const html = (name: string, more: object = {}) => ({ name, type: 'html', ...more });
export const create = (
  kind: NewChange['kind'],
  body: Record<string, unknown>,
  ref?: string,
): NewChange => ({
  ...{ action: 'create', kind, body },
  ...(ref ? { ref } : {}),
});

/** Tags that stand on a trigger and a variable, and a trigger that nothing stands on. */
export async function furnished() {
  const world = await createWorld();
  world.standIn.put('trigger', { name: 'Clicks', type: 'click' }, '2');
  world.standIn.put('trigger', { name: 'Unused', type: 'click' }, '3');
  world.standIn.put('variable', { name: 'Price', type: 'v' }, '5');
  world.standIn.put('tag', html('Shop', { firingTriggerId: ['2'], notes: '{{Price}}' }), '7');
  world.standIn.put('tag', html('Blocked', { blockingTriggerId: ['2'] }), '8');
  world.shoot();
  return world;
}

export const propose = (world: World, ...changes: NewChange[]) =>
  world.begin().propose(world.asking(), changes);
