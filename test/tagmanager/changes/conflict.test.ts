import { describe, expect, it } from 'vitest';
import { accept, deeds, find, OPEN, waiting } from './decisions.ts';

describe('a conflict', () => {
  it('is seen before anything is written, with both versions', async () => {
    const { world, ids } = await waiting();
    world.container.edit('variable', '1', { notes: 'theirs' });
    world.container.put('trigger', { name: 'All', type: 'theirs' });
    const { failure } = await accept(world, ids);
    expect(world.container.written).toEqual([]);
    expect(failure).toMatchObject({ code: 'conflict' });
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
    expect((await deeds(world)).join('\n')).not.toMatch(/^(interrupted|resumed) /m);
    await expect.poll(() => world.begun).toBe(1);
  });

  it('in the middle takes back what is ours, and leaves what is theirs', async () => {
    const { world, ids } = await waiting();
    const { container } = world;
    container.fate = (verb) => {
      if (verb !== 'delete') return;
      container.fate = () => undefined;
      container.edit('tag', '4', { notes: 'theirs, after ours' });
      return { code: 'conflict' };
    };
    await accept(world, ids);
    expect(container.find('tag', 'Leaves old')).toMatchObject({ notes: 'theirs, after ours' });
    expect(container.find('variable', 'Currency')).toMatchObject({ type: 'v' });
    expect(container.find('template', 'T')).toBeUndefined();
    expect(await find(world, 'Leaves old')).toMatchObject({
      problem: expect.stringContaining(
        'was changed by somebody else after it was written',
      ) as string,
    });
    expect((await deeds(world)).join('\n')).toContain('Not taken back: Tag "Leaves old"');
  });

  it('can be proposed again over what is there now, for those too that need it', async () => {
    const { world, ids } = await waiting();
    world.container.edit('variable', '1', { notes: 'theirs' });
    const theirs = world.container.put('trigger', { name: 'All', type: 'theirs' });
    await accept(world, ids);
    for (const name of ['Currency', 'All']) {
      await world.begin().renew(world.asking('Bob'), (await find(world, name)).id);
    }
    expect(await deeds(world)).toContain(
      'replaced Bob: Update variable "Currency": Proposed again by Bob, over what is there now.',
    );
    expect(await find(world, 'All')).toMatchObject({ action: 'update', object_id: theirs });
    const open = await world.begin().list(world.tenantId, OPEN);
    await accept(
      world,
      open.map(({ id }) => id),
    );
    expect(world.container.find('tag', 'Ours')).toMatchObject({ firingTriggerId: [theirs] });
    expect(world.container.find('trigger', 'All')).toMatchObject({ type: 'pageview' });
  });

  it('over a name that is taken warns that it replaces what somebody else made', async () => {
    const { world, ids } = await waiting();
    const theirs = world.container.put('trigger', { name: 'All', type: 'theirs' });
    world.container.put('tag', { name: 'Theirs', type: 'html', firingTriggerId: [theirs] });
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
    world.container.edit('trigger', theirs, { notes: 'theirs, again' });
    await accept(world, [again.id]);
    const third = await world.begin().renew(world.asking(), again.id);
    expect(third.warnings).toEqual(warnings);
    const other = (await find(world, 'Currency')).id;
    expect((await world.begin().get(world.tenantId, other)).warnings).toEqual([]);
  });

  it('over what is gone cannot be proposed again', async () => {
    const { world, ids } = await waiting();
    world.container.remove('variable', '1');
    await accept(world, ids);
    const { id } = await find(world, 'Currency');
    await expect(world.begin().renew(world.asking(), id)).rejects.toMatchObject({ status: 409 });
    const { id: other } = await find(world, 'Ours');
    await expect(world.begin().renew(world.asking(), other)).rejects.toMatchObject({ status: 409 });
  });
});
