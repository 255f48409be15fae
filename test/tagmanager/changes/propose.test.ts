import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../server/platform/errors.ts';
import type { NewChange } from '../../../server/tagmanager/changes/schema.ts';
import { create, furnished, html, propose, remove, update } from './parts.ts';
import type { World } from './parts.ts';

async function refusal(world: World, ...changes: NewChange[]) {
  const error = await propose(world, ...changes).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HttpError);
  const { status, errors, message } = error as HttpError;
  return { status, message, errors: errors?.map(({ path, message: words }) => `${path} ${words}`) };
}

describe('a proposal', () => {
  it('keeps the object as the snapshot has it, and ignores what is not ours to say', async () => {
    const world = await furnished();
    const own = { tagId: '99', fingerprint: 'x', path: 'y', accountId: '1', workspaceId: '3' };
    const [view] = await propose(world, update('tag', '4', html('Shop', { notes: 'n', ...own })));
    const detail = await world.begin().get(world.tenantId, view?.id ?? '');
    expect(detail.after).toEqual(html('Shop', { notes: 'n' }));
    expect(detail.before).toEqual(world.container.find('tag', 'Shop'));
    expect(detail).toMatchObject({ status: 'proposed', object_id: '4', name: 'Shop' });
    const [entry] = await world.begin().audit(world.tenantId, { skip: 0, limit: 10 });
    expect(entry).toMatchObject({
      deed: 'proposed',
      words: 'Update tag "Shop"',
      change_id: view?.id,
    });
  });

  it('is refused for what is not there', async () => {
    const world = await furnished();
    const gone = await refusal(world, remove('tag', '70'));
    expect(gone).toMatchObject({ status: 404, message: 'Tag 70 does not exist' });
  });

  it('is refused without a name, or with one that is taken', async () => {
    const world = await furnished();
    await propose(world, create('trigger', { name: 'Soon', type: 'click' }));
    const { status, errors } = await refusal(
      world,
      create('tag', { type: 'html' }),
      create('tag', html('Shop')),
      create('trigger', { name: 'Soon', type: 'click' }),
      create('tag', html('Twice')),
      create('tag', html('Twice')),
      update('trigger', '2', { name: 'Clicks', type: 'click' }),
    );
    expect(status).toBe(422);
    expect(errors).toEqual([
      'changes[0].body.name is required',
      'changes[1].body.name is taken by another tag, or by an open proposal',
      'changes[2].body.name is taken by another trigger, or by an open proposal',
      'changes[4].body.name is taken by another tag, or by an open proposal',
      'changes[5].body.name is taken by another trigger, or by an open proposal',
    ]);
  });

  it('is refused when it changes nothing, or the same object twice', async () => {
    const world = await furnished();
    const same = world.container.find('trigger', 'Unused') ?? {};
    expect(
      await refusal(world, update('trigger', '2', same), remove('trigger', '2')),
    ).toMatchObject({
      errors: ['changes[0].body changes nothing', 'changes[1] is changed twice in this list'],
    });
    await propose(world, remove('trigger', '2'));
    const second = await refusal(world, remove('trigger', '2'));
    expect(second).toMatchObject({
      status: 409,
      message: expect.stringContaining('Unused') as string,
    });
  });

  it('needs what it calls for, by name of the change or by name of the object', async () => {
    const world = await furnished();
    const [tag, trigger, variable] = await propose(
      world,
      create('tag', html('New', { firingTriggerId: ['change:t'], notes: '{{Total}}' })),
      create('trigger', { name: 'T', type: 'click' }, 't'),
      create('variable', { name: 'Total', type: 'v' }),
    );
    expect(tag?.needs).toEqual([trigger?.id, variable?.id]);
    const detail = await world.begin().get(world.tenantId, tag?.id ?? '');
    expect(detail.after?.['firingTriggerId']).toEqual([`change:${trigger?.id}`]);
  });

  it('is refused when what it calls for is unknown, of the wrong kind, or needs it in turn', async () => {
    const world = await furnished();
    const { status, errors } = await refusal(
      world,
      create('tag', html('A', { firingTriggerId: ['change:nobody'] })),
      create('tag', html('B', { firingTriggerId: ['change:b'] }), 'b'),
      create('variable', { name: 'C', type: 'v', notes: '{{D}}' }),
      create('variable', { name: 'D', type: 'v', notes: '{{C}}' }),
    );
    expect(status).toBe(422);
    expect(errors).toEqual([
      'changes[0].body change:nobody is no change of this list',
      'changes[1].body change:b has to be a trigger there',
      'changes[2] needs changes that need it in turn',
      'changes[3] needs changes that need it in turn',
    ]);
  });

  it('does not stand on what is to be deleted', async () => {
    const world = await furnished();
    await propose(world, remove('trigger', '2'));
    const late = await refusal(world, create('tag', html('Late', { firingTriggerId: ['2'] })));
    expect(late.errors).toEqual([
      'changes[0].body stands on trigger "Unused", which is to be deleted',
    ]);
    await propose(world, create('tag', html('Uses', { notes: '{{Price}}' })));
    const used = await refusal(world, remove('variable', '3'));
    expect(used.errors).toEqual(['changes[0] is used in an open proposal for tag "Uses"']);
  });

  it('is refused without what the tag manager never does without', async () => {
    const world = await furnished();
    const { status, errors } = await refusal(
      world,
      create('tag', { name: 'No type' }),
      create('trigger', { name: 'No type', type: ' ' }),
      update('variable', '3', { name: 'Price' }),
      create('template', { name: 'No code', templateData: '' }),
      create('tag', html('By name', { firingTriggerId: ['All Pages'] })),
      create('tag', html('By number', { blockingTriggerId: [2] })),
    );
    expect(status).toBe(422);
    const ids = 'must be a list of ids of triggers: digits, or change:REF';
    expect(errors).toEqual([
      'changes[0].body.type is required',
      'changes[1].body.type is required',
      'changes[2].body.type is required',
      'changes[3].body.templateData is required',
      `changes[4].body.firingTriggerId ${ids}`,
      `changes[5].body.blockingTriggerId ${ids}`,
    ]);
  });

  it('waits for a snapshot of what is chosen, and of how it is now', async () => {
    const world = await furnished();
    world.newest = undefined;
    expect(await refusal(world, create('tag', html('A')))).toMatchObject({ status: 409 });
  });
});
