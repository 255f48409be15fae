import { describe, expect, it } from 'vitest';
import { accept, deeds, find, waiting } from './decisions.ts';

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
    const { standIn } = world;
    standIn.fate = (verb) => (verb === 'delete' ? { code: 'grant_ended' } : undefined);
    const { failures } = await accept(world, ids);
    expect(failures).toMatchObject([{ code: 'grant_ended' }]);
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
    world.standIn.fate = (verb) => (verb === 'delete' ? { code: 'grant_ended' } : undefined);
    await accept(world, ids);
    world.standIn.fate = () => undefined;
    const changes = world.begin();
    expect(await changes.resume(world.asking())).toHaveLength(8);
    await changes.jobs.idle(world.tenantId);
    expect((await find(world, 'Goes')).status).toBe('applied');
    expect(world.standIn.written).toHaveLength(8);
  });

  it('stops between two writes when told to, and goes on at the next start', async () => {
    const { world, ids } = await waiting();
    const changes = world.begin();
    world.standIn.fate = (verb) => {
      if (verb === 'update') void changes.jobs.stop(world.tenantId);
    };
    await changes.accept(world.asking(), ids);
    await changes.jobs.idle(world.tenantId);
    const written = world.standIn.written.length;
    expect(written).toBeLessThan(8);
    expect(changes.jobs.failures).toMatchObject([{ code: 'stopped' }]);
    world.standIn.fate = () => undefined;
    const next = world.begin();
    await next.start();
    await next.jobs.idle(world.tenantId);
    expect((await find(world, 'Ours')).status).toBe('applied');
    expect(world.standIn.written).toHaveLength(8);
  });
});
