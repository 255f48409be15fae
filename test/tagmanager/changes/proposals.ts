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

/** As ids 1 to 5: tags that stand on a trigger and a variable, and a trigger that nothing stands on. */
export async function furnished() {
  const world = await createWorld();
  world.container.put('trigger', { name: 'Clicks', type: 'click' });
  world.container.put('trigger', { name: 'Unused', type: 'click' });
  world.container.put('variable', { name: 'Price', type: 'v' });
  world.container.put('tag', html('Shop', { firingTriggerId: ['1'], notes: '{{Price}}' }));
  world.container.put('tag', html('Blocked', { blockingTriggerId: ['1'] }));
  world.shoot();
  return world;
}

export const propose = (world: World, ...changes: NewChange[]) =>
  world.begin().propose(world.asking(), changes);
