import { describe, expect, it } from 'vitest';
import { accept, deeds, restart, resume, waiting } from './decisions.ts';
import type { World } from './parts.ts';

/** The oldest first. */
const said = async (world: World, ...meant: string[]) =>
  (await deeds(world)).filter((one) => meant.includes(one.split(' ')[0] ?? '')).reverse();

describe('the audit trail', () => {
  it('says that writing was interrupted, how far it was and why, and who went on', async () => {
    const { world, ids } = await waiting();
    world.container.fate = (verb) => (verb === 'delete' ? { code: 'grant_ended' } : undefined);
    await accept(world, ids);
    await resume(world, 'Bob');
    world.container.fate = () => undefined;
    await restart(world);
    expect(await said(world, 'interrupted', 'resumed', 'failed')).toEqual([
      'interrupted Vedette: With 5 of 8 changes written: It is grant_ended.',
      'resumed Bob: 8 changes accepted by Ann',
      'interrupted Vedette: With 5 of 8 changes written: It is grant_ended.',
      'resumed Vedette: 8 changes accepted by Ann, after a restart',
    ]);
    expect(await said(world, 'applied')).toHaveLength(8);
  });

  it('says so too when it failed for reasons of our own', async () => {
    const { world, ids } = await waiting();
    world.container.api.update = () => Promise.reject(new Error('a mistake'));
    await accept(world, ids);
    expect(await said(world, 'interrupted')).toEqual([
      'interrupted Vedette: With 1 of 8 changes written: Something went wrong here; it is in the log.',
    ]);
  });

  it('says so although nothing could be remembered of the connection', async () => {
    const { world, ids } = await waiting();
    world.container.fate = (verb) => (verb === 'delete' ? { code: 'grant_ended' } : undefined);
    world.report = () => Promise.reject(new Error('The disk is full'));
    await accept(world, ids);
    expect(await said(world, 'interrupted')).toEqual([
      'interrupted Vedette: With 5 of 8 changes written: It is grant_ended.',
    ]);
  });

  it('names each object that was put back, when that was done, and its new id', async () => {
    const { world, ids } = await waiting();
    let deletes = 0;
    world.container.fate = (verb) =>
      verb === 'delete' && ++deletes === 3 ? { code: 'refused' } : undefined;
    await accept(world, ids);
    const back = await said(world, 'undone');
    expect(back).toHaveLength(7);
    expect(back).toContain('undone Ann: Taken back: Create trigger "All"');
    expect(back).toContain('undone Ann: Taken back: Update variable "Currency"');
    expect(back.join('\n')).toMatch(/Taken back: Delete tag "Goes", which has the id \d+ now/);
  });

  it('names what was put back before taking back was interrupted and given up', async () => {
    const { world, ids } = await waiting();
    let deletes = 0;
    world.container.fate = (verb) => {
      if (verb !== 'delete') return undefined;
      return { code: ++deletes === 1 ? 'refused' : 'no_permission' };
    };
    await accept(world, ids);
    await world.begin().reject(world.asking('Bob'), ids);
    expect(await said(world, 'undone')).toEqual([
      'undone Ann: Taken back: Update tag "Leaves old"',
    ]);
    expect(await said(world, 'interrupted')).toEqual([
      'interrupted Vedette: With 4 of 8 changes still to be taken back: It is no_permission.',
    ]);
  });
});
