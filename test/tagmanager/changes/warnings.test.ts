import { describe, expect, it } from 'vitest';
import type { NewChange } from '../../../server/tagmanager/changes/schema.ts';
import { create, furnished, html, propose, remove, update } from './parts.ts';

describe('a proposal', () => {
  it('warns of what would break', async () => {
    const world = await furnished();
    const warnings = async (...changes: NewChange[]) =>
      (await propose(world, ...changes)).map((view) => view.warnings);
    expect(
      await warnings(
        remove('trigger', '1'),
        remove('variable', '3'),
        create('tag', html('Idle', { paused: true })),
      ),
    ).toEqual([
      ['1 tag fires on this trigger', '1 tag is blocked by this trigger'],
      ['1 object uses this variable'],
      ['It has no trigger, so it never fires by itself', 'It is paused, so it does not fire'],
    ]);
    // With the tag gone too, nothing is left that would break.
    await propose(world, remove('tag', '4'));
    const list = await world.begin().list(world.tenantId, { status: 'open', skip: 0, limit: 9 });
    expect(list.find(({ name }) => name === 'Price')?.warnings).toEqual([]);
  });

  it('warns of what triggers switch on and off in the container of an app', async () => {
    const world = await furnished();
    const app = { type: 'vc', enablingTriggerId: ['2'], disablingTriggerId: ['1', '2'] };
    world.container.put('variable', { name: 'App', ...app });
    world.shoot();
    const views = await propose(
      world,
      remove('trigger', '2'),
      remove('trigger', '1'),
      create('variable', { name: 'Other', type: 'vc', disablingTriggerId: ['99'] }),
    );
    expect(views.map(({ warnings }) => warnings)).toEqual([
      ['1 variable is switched on or off by it'],
      [
        '1 tag fires on this trigger',
        '1 tag is blocked by this trigger',
        '1 variable is switched on or off by it',
      ],
      [expect.stringMatching(/^It is switched on or off by trigger 99, which the newest/)],
    ]);
  });

  it('warns of triggers that nobody knows, until a snapshot has them', async () => {
    const world = await furnished();
    const [, tag] = await propose(
      world,
      create('trigger', { name: 'T', type: 'click' }, 't'),
      create('tag', {
        ...html('Fires', { firingTriggerId: ['1', '6', 'change:t', '2147479553'] }),
        blockingTriggerId: ['99'],
      }),
    );
    const unknown = 'which the newest snapshot lacks: unless that was made since, writing fails';
    expect(tag?.warnings).toEqual([
      `It fires on trigger 6, ${unknown}`,
      `It is blocked by trigger 99, ${unknown}`,
    ]);
    expect(world.container.put('trigger', { name: 'Made since', type: 'click' })).toBe('6');
    world.shoot();
    const { warnings } = await world.begin().get(world.tenantId, tag?.id ?? '');
    expect(warnings).toEqual([`It is blocked by trigger 99, ${unknown}`]);
  });

  it('warns of names that read otherwise than they are, also of those that it calls', async () => {
    const world = await furnished();
    world.container.put('variable', { name: 'Pri\u200bce', type: 'v' });
    world.shoot();
    const words = 'has characters that cannot be seen, or that turn what is read around';
    const views = await propose(
      world,
      create('variable', { name: 'gpj.\u202etxt', type: 'v' }),
      create('variable', { name: 'Bell\u0007', type: 'v' }),
      create('variable', { name: 'Total', type: 'v', notes: '{{Pri\u2066ce}} {{Tax\u200b}}' }),
      update('trigger', '2', { name: 'Un\u00adused', type: 'click' }),
      remove('variable', '6'),
    );
    expect(views.map(({ warnings }) => warnings)).toEqual([
      [`Its name ${words}`],
      [`Its name ${words}`],
      [`It calls something by a name that ${words}`],
      [`Its name ${words}`],
      [`Its name ${words}`],
    ]);
  });

  it('does not warn of what emoji and scripts are made of, nor of code', async () => {
    const world = await furnished();
    const views = await propose(
      world,
      create('variable', { name: '❤\ufe0f\u200d🔥 1\ufe0f\u20e3', type: 'v' }),
      create('variable', { name: 'می\u200cخواهم क्\u200dष', type: 'v' }),
      create('variable', { name: 'Code', type: 'jsm', notes: 'if (a) {{\n\tb();\r\n}}' }),
    );
    expect(views.flatMap(({ warnings }) => warnings)).toEqual([]);
  });
});
