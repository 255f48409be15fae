import { describe, expect, it } from 'vitest';
import type { ChangeView } from '../../../server/tagmanager/changes/schema.ts';
import { createWorld, furnish, proposed } from './parts.ts';
import type { World } from './parts.ts';

const ALL = { status: 'all', skip: 0, limit: 100 } as const;

async function waiting() {
  const world = await createWorld();
  const changes = furnish(world);
  world.shoot();
  return { world, ids: await proposed(world, changes) };
}

const find = async (world: World, name: string): Promise<ChangeView> =>
  (await world.begin().list(world.tenantId, ALL)).find((one) => one.name === name) as ChangeView;

async function accept(world: World, ids: readonly string[]) {
  const changes = world.begin();
  const views = await changes.accept(world.asking('Ann'), ids);
  await changes.jobs.idle(world.tenantId);
  return { views, failures: changes.jobs.failures };
}

const deeds = async (world: World) =>
  (await world.begin().audit(world.tenantId, { skip: 0, limit: 1000 })).map(
    ({ deed, who, words }) => `${deed} ${who}: ${words}`,
  );

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
    const firing = [world.standIn.find('trigger', 'All')?.['triggerId']];
    expect(world.standIn.find('tag', 'Ours')).toMatchObject({ firingTriggerId: firing });
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
    world.standIn.fate = (verb) => {
      if (verb !== 'update') return;
      world.standIn.publish();
      world.standIn.fate = () => undefined;
    };
    await accept(world, ids);
    expect((await find(world, 'Ours')).status).toBe('applied');
    expect(world.standIn.written).toHaveLength(8);
  });
});

describe('a conflict', () => {
  it('is seen before anything is written, with both versions', async () => {
    const { world, ids } = await waiting();
    world.standIn.edit('variable', '1', { notes: 'theirs' });
    world.standIn.put('trigger', { name: 'All', type: 'theirs' });
    const { failures } = await accept(world, ids);
    expect(world.standIn.written).toEqual([]);
    expect(failures).toMatchObject([{ code: 'conflict' }]);
    const change = await find(world, 'Currency');
    expect(change).toMatchObject({
      status: 'conflict',
      problem: expect.stringMatching(/else/) as string,
    });
    expect(change.theirs?.[0]?.after).toContain('theirs');
    expect((await find(world, 'All')).status).toBe('conflict');
    expect(await find(world, 'Ours')).toMatchObject({
      ...{ status: 'proposed', decided_by: null },
      problem: expect.stringContaining('Nothing was written') as string,
    });
    expect(world.begun).toBe(1);
  });

  it('in the middle takes back what is ours, and leaves what is theirs', async () => {
    const { world, ids } = await waiting();
    const { standIn } = world;
    standIn.fate = (verb) => {
      if (verb !== 'delete') return;
      standIn.fate = () => undefined;
      standIn.edit('tag', '4', { notes: 'theirs, after ours' });
      return { code: 'conflict' };
    };
    await accept(world, ids);
    expect(standIn.find('tag', 'Leaves old')).toMatchObject({ notes: 'theirs, after ours' });
    expect(standIn.find('variable', 'Currency')).toMatchObject({ type: 'v' });
    expect(standIn.find('template', 'T')).toBeUndefined();
    expect(await find(world, 'Leaves old')).toMatchObject({
      problem: expect.stringContaining(
        'was changed by somebody else after it was written',
      ) as string,
    });
    expect((await deeds(world)).join('\n')).toContain('Not taken back: Tag "Leaves old"');
  });

  it('can be proposed again over what is there now, for those too that need it', async () => {
    const { world, ids } = await waiting();
    world.standIn.edit('variable', '1', { notes: 'theirs' });
    world.standIn.put('trigger', { name: 'All', type: 'theirs' }, '77');
    await accept(world, ids);
    for (const name of ['Currency', 'All']) {
      await world.begin().renew(world.asking(), (await find(world, name)).id);
    }
    expect(await find(world, 'All')).toMatchObject({ action: 'update', object_id: '77' });
    const open = await world.begin().list(world.tenantId, { ...ALL, status: 'open' });
    await accept(
      world,
      open.map(({ id }) => id),
    );
    expect(world.standIn.find('tag', 'Ours')).toMatchObject({ firingTriggerId: ['77'] });
    expect(world.standIn.find('trigger', 'All')).toMatchObject({ type: 'customEvent' });
  });

  it('over a name that is taken warns that it replaces what somebody else made', async () => {
    const { world, ids } = await waiting();
    world.standIn.put('trigger', { name: 'All', type: 'theirs' }, '77');
    world.standIn.put('tag', { name: 'Theirs', type: 'html', firingTriggerId: ['77'] });
    await accept(world, ids);
    const again = await world.begin().renew(world.asking(), (await find(world, 'All')).id);
    const warnings = [
      'This replaces trigger "All" that somebody else made',
      '1 tag fires on this trigger',
    ];
    expect(again.warnings).toEqual(warnings);
    expect(await deeds(world)).toContain(
      'proposed Dashboard, Firefox on Linux, 127.0.0.1: Update trigger "All", in place of what somebody else made',
    );
    // Once more in conflict, and proposed once more, it is still theirs.
    world.standIn.edit('trigger', '77', { notes: 'theirs, again' });
    await accept(world, [again.id]);
    const third = await world.begin().renew(world.asking(), again.id);
    expect(third.warnings).toEqual(warnings);
    const other = (await find(world, 'Currency')).id;
    expect((await world.begin().get(world.tenantId, other)).warnings).toEqual([]);
  });

  it('over what is gone cannot be proposed again', async () => {
    const { world, ids } = await waiting();
    world.standIn.remove('variable', '1');
    await accept(world, ids);
    const { id } = await find(world, 'Currency');
    await expect(world.begin().renew(world.asking(), id)).rejects.toMatchObject({ status: 409 });
    const { id: other } = await find(world, 'Ours');
    await expect(world.begin().renew(world.asking(), other)).rejects.toMatchObject({ status: 409 });
  });
});

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
