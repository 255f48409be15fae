import { describe, expect, it } from 'vitest';
import { accept, deeds, find, waiting } from './decisions.ts';

describe('accepting', () => {
  it('is told who did it, and marks what is being written', async () => {
    const { world, ids } = await waiting();
    const { views } = await accept(world, ids);
    expect(views.map(({ status }) => status)).toEqual(ids.map(() => 'accepted'));
    expect(await find(world, 'Ours')).toMatchObject({ decided_by: 'Ann', status: 'applied' });
    const said = await deeds(world);
    expect(said.filter((one) => one.startsWith('accepted Ann'))).toHaveLength(8);
    expect(said).toContain('applied Ann: Created trigger "All"');
  });

  it('takes what is needed along, or is refused', async () => {
    const { world } = await waiting();
    const { id } = await find(world, 'Ours');
    await expect(accept(world, [id])).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('Create trigger "All", Create template "T"') as string,
    });
    expect(await find(world, 'Ours')).toMatchObject({ status: 'proposed' });
    const needs = [(await find(world, 'All')).id, (await find(world, 'T')).id];
    await accept(world, needs);
    await accept(world, [id]);
    const firing = [world.container.find('trigger', 'All')?.['triggerId']];
    expect(world.container.find('tag', 'Ours')).toMatchObject({ firingTriggerId: firing });
  });

  it('needs the right to edit, a connection, and nothing else under way', async () => {
    const { world, ids } = await waiting();
    world.mayEdit = false;
    await expect(accept(world, ids)).rejects.toMatchObject({ status: 409, code: 'missing_scope' });
    world.mayEdit = true;
    world.connected = false;
    await expect(accept(world, ids)).rejects.toMatchObject({ code: 'not_connected' });
    world.connected = true;
    const changes = world.begin();
    // Which of two that come at once is first is not said.
    const both = [changes.accept(world.asking(), ids), changes.accept(world.asking(), ids)];
    const refused = (await Promise.allSettled(both)).filter((one) => one.status === 'rejected');
    expect(refused).toMatchObject([{ reason: { status: 409 } }]);
    await changes.jobs.idle(world.tenantId);
    await expect(accept(world, ids)).rejects.toMatchObject({ status: 409 });
    await expect(accept(world, [world.tenantId])).rejects.toMatchObject({ status: 404 });
  });

  it('follows a workspace that was published meanwhile', async () => {
    const { world, ids } = await waiting();
    world.container.fate = (verb) => {
      if (verb !== 'update') return;
      world.container.publish();
      world.container.fate = () => undefined;
    };
    await accept(world, ids);
    expect((await find(world, 'Ours')).status).toBe('applied');
    expect(world.container.written).toHaveLength(8);
  });
});
