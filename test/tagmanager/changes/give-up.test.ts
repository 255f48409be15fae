import { describe, expect, it } from 'vitest';
import { ALL, accept, deeds, statuses, waiting } from './decisions.ts';

/** Cut short before the first delete, by a permission that does not come back. */
async function interrupted() {
  const made = await waiting();
  let isGone = false;
  made.world.container.fate = (verb) => {
    isGone ||= verb === 'delete';
    return isGone && verb !== 'get' && verb !== 'list' ? { code: 'no_permission' } : undefined;
  };
  await accept(made.world, made.ids);
  return made;
}

describe('a batch that was interrupted', () => {
  it('can be given up: what was written stays and is said to, the rest is rejected', async () => {
    const { world, ids } = await interrupted();
    expect(await statuses(world)).toEqual(new Set(['accepted']));
    const changes = world.begin();
    for (const { problem } of await changes.list(world.tenantId, ALL)) {
      expect(problem).toMatch(/^Interrupted while it was taken back: /);
    }
    const views = await changes.reject(world.asking('Ann'), ids.slice(0, 1));
    expect(
      Object.fromEntries(views.map(({ action, name, status }) => [`${action} ${name}`, status])),
    ).toEqual({
      ...{ 'create T': 'applied', 'update Currency': 'applied', 'create All': 'applied' },
      // It is not known whether it was taken back.
      ...{ 'create Ours': 'applied', 'update Leaves old': 'rejected' },
      ...{ 'delete Goes': 'rejected', 'delete Old': 'rejected', 'delete Older': 'rejected' },
    });
    expect(views.find(({ name }) => name === 'Ours')).toMatchObject({
      object_id: expect.stringMatching(/^\d+$/) as string,
      problem: 'It was given up after an interruption. It was written, and stays.',
    });
    expect(views.find(({ name }) => name === 'Leaves old')?.problem).toContain(
      'It may have been written: look at it in the tag manager.',
    );
    expect(await deeds(world)).toContain(
      'applied Ann: Created tag "Ours": It was given up after an interruption. It was written, and stays.',
    );
    await changes.jobs.idle(world.tenantId);
    expect(await changes.resume(world.asking())).toEqual([]);
  });

  it('cannot be given up while it is gone on with', async () => {
    const { world, ids } = await interrupted();
    world.container.fate = () => undefined;
    const changes = world.begin();
    await changes.resume(world.asking());
    await expect(changes.reject(world.asking(), ids)).rejects.toMatchObject({ status: 409 });
    await changes.jobs.idle(world.tenantId);
    expect(await statuses(world)).not.toContain('rejected');
  });
});
