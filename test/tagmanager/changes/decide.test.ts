import { describe, expect, it } from 'vitest';
import { accept, deeds, find, restart, resume, waiting } from './decisions.ts';

describe('rejecting', () => {
  it('takes those along that need it', async () => {
    const { world } = await waiting();
    const rejected = await world
      .begin()
      .reject(world.asking('Ann'), [(await find(world, 'All')).id]);
    expect(rejected.map(({ name }) => name).sort()).toEqual(['All', 'Leaves old', 'Ours']);
    expect(await find(world, 'Ours')).toMatchObject({
      problem: 'It needs trigger "All", which was rejected.',
    });
    expect(await deeds(world)).toContain('rejected Ann: Create trigger "All"');
    await expect(
      world.begin().reject(world.asking(), [(await find(world, 'All')).id]),
    ).rejects.toMatchObject({ status: 409 });
  });
});

describe('disconnecting', () => {
  it('withdraws what is open, says what was left half done, and keeps the trail', async () => {
    const { world, ids } = await waiting();
    const { container } = world;
    container.fate = (verb) => (verb === 'delete' ? { code: 'grant_ended' } : undefined);
    const { failure } = await accept(world, ids);
    expect(failure).toMatchObject({ code: 'grant_ended' });
    expect(world.reported).toEqual(['grant_ended']);
    expect(await find(world, 'Ours')).toMatchObject({
      ...{ status: 'accepted', problem: expect.stringContaining('Interrupted') as string },
    });
    await expect(accept(world, ids)).rejects.toMatchObject({ status: 409 });
    const before = await deeds(world);
    await world.begin().forget(world.tenantId, 'It was disconnected.', 'Ann');
    const said = await deeds(world);
    expect(said.slice(-before.length)).toEqual(before);
    expect(said.join('\n')).toMatch(/Was written and stays: .*create trigger "All"/);
    expect(said.join('\n')).toContain('May have been written or taken back: delete tag "Goes"');
    const { id } = await find(world, 'Ours');
    expect(await world.begin().get(world.tenantId, id)).toMatchObject({
      ...{ status: 'applied', after: null, before: null, name: 'Ours' },
      problem: 'It was disconnected. It was written, and stays.',
    });
    expect(said).toContain(
      'applied Ann: Created tag "Ours": It was disconnected. It was written, and stays.',
    );
    expect(await find(world, 'Old')).toMatchObject({ status: 'withdrawn' });
    expect(await world.begin().resume(world.asking())).toEqual([]);
  });
});

describe('going on', () => {
  it('is done by whoever asks, once the way is free', async () => {
    const { world, ids } = await waiting();
    world.container.fate = (verb) => (verb === 'delete' ? { code: 'grant_ended' } : undefined);
    await accept(world, ids);
    world.container.fate = () => undefined;
    expect((await resume(world)).views).toHaveLength(8);
    expect((await find(world, 'Goes')).status).toBe('applied');
    expect(world.container.written).toHaveLength(8);
  });

  it('stops between two writes when told to, which is said, and goes on at the next start', async () => {
    const { world, ids } = await waiting();
    const { container, tenantId } = world;
    const changes = world.begin();
    container.onWritten = () => void changes.jobs.stop(tenantId);
    await changes.accept(world.asking(), ids);
    await changes.jobs.idle(tenantId);
    expect(container.written).toHaveLength(1);
    expect(changes.jobs.lastFailure(tenantId)).toMatchObject({ code: 'stopped' });
    expect(await deeds(world)).toContain(
      'interrupted Vedette: With 1 of 8 changes written: It was stopped.',
    );
    await restart(world);
    expect((await find(world, 'Ours')).status).toBe('applied');
    expect(container.written).toHaveLength(8);
  });
});
