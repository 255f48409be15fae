import { describe, expect, it } from 'vitest';
import { createWorld, furnish, proposed } from './parts.ts';
import type { World } from './parts.ts';

async function waiting() {
  const world = await createWorld();
  const changes = furnish(world);
  world.shoot();
  return { world, ids: await proposed(world, changes) };
}

async function accept(world: World, ids: readonly string[]) {
  const changes = world.begin();
  await changes.accept(world.asking('Ann'), ids);
  await changes.jobs.idle(world.tenantId);
}

/** The oldest first. */
const said = async (world: World, ...deeds: string[]) =>
  (await world.begin().audit(world.tenantId, { skip: 0, limit: 1000 }))
    .filter(({ deed }) => deeds.includes(deed))
    .map(({ deed, who, words }) => `${deed} ${who}: ${words}`)
    .reverse();

describe('the audit trail', () => {
  it('says that writing was interrupted, how far it was and why, and who went on', async () => {
    const { world, ids } = await waiting();
    world.standIn.fate = (verb) => (verb === 'delete' ? { code: 'grant_ended' } : undefined);
    await accept(world, ids);
    const changes = world.begin();
    await changes.resume(world.asking('Bob'));
    await changes.jobs.idle(world.tenantId);
    world.standIn.fate = () => undefined;
    const next = world.begin();
    await next.start();
    await next.jobs.idle(world.tenantId);
    expect(await said(world, 'interrupted', 'resumed', 'failed')).toEqual([
      'interrupted Vedette: With 5 of 8 changes written: It is grant_ended.',
      'resumed Bob: 8 changes accepted by Ann',
      'interrupted Vedette: With 5 of 8 changes written: It is grant_ended.',
      'resumed Vedette: 8 changes accepted by Ann, after a restart',
    ]);
    expect(await said(world, 'applied')).toHaveLength(8);
  });

  it('says so too when it was stopped, or failed for reasons of our own', async () => {
    const { world, ids } = await waiting();
    const changes = world.begin();
    world.standIn.fate = (verb) => {
      if (verb === 'update') void changes.jobs.stop(world.tenantId);
      return undefined;
    };
    await changes.accept(world.asking('Ann'), ids);
    await changes.jobs.idle(world.tenantId);
    world.standIn.api.update = () => Promise.reject(new Error('a mistake'));
    world.standIn.api.create = () => Promise.reject(new Error('a mistake'));
    const next = world.begin();
    await next.resume(world.asking('Bob'));
    await next.jobs.idle(world.tenantId);
    const [stopped, failed] = await said(world, 'interrupted');
    expect(stopped).toMatch(
      /^interrupted Vedette: With \d of 8 changes written: It was stopped\.$/,
    );
    expect(failed).toMatch(/written: Something went wrong here; it is in the log\.$/);
  });

  it('says so although nothing could be remembered of the connection', async () => {
    const { world, ids } = await waiting();
    world.standIn.fate = (verb) => (verb === 'delete' ? { code: 'grant_ended' } : undefined);
    world.report = () => Promise.reject(new Error('The disk is full'));
    await accept(world, ids);
    expect(await said(world, 'interrupted')).toEqual([
      'interrupted Vedette: With 5 of 8 changes written: It is grant_ended.',
    ]);
  });

  it('says nothing of an interruption where all came to its end', async () => {
    const { world, ids } = await waiting();
    world.standIn.edit('variable', '1', { notes: 'theirs' });
    await accept(world, ids);
    expect(await said(world, 'interrupted', 'resumed')).toEqual([]);
  });

  it('names each object that was put back, when that was done, and its new id', async () => {
    const { world, ids } = await waiting();
    let deletes = 0;
    world.standIn.fate = (verb) =>
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
    world.standIn.fate = (verb) => {
      if (verb !== 'delete') return undefined;
      return { code: ++deletes === 1 ? 'refused' : 'no_permission' };
    };
    await accept(world, ids);
    const changes = world.begin();
    await changes.reject(world.asking('Bob'), ids);
    await changes.jobs.idle(world.tenantId);
    expect(await said(world, 'undone')).toEqual([
      'undone Ann: Taken back: Update tag "Leaves old"',
    ]);
    expect(await said(world, 'interrupted')).toEqual([
      'interrupted Vedette: With 4 of 8 changes still to be taken back: It is no_permission.',
    ]);
  });

  it('says by whose newer proposal an older one was replaced', async () => {
    const world = await createWorld();
    world.shoot();
    const [first] = await world.begin().install(world.asking('Ann'));
    await world.begin().install(world.asking('Key "CI"'), 'https://other.example');
    const why = 'Replaced by a newer proposal from Key "CI".';
    expect(await said(world, 'replaced')).toContain(
      `replaced Key "CI": Create template "Vedette": ${why}`,
    );
    expect(await said(world, 'rejected')).toEqual([]);
    const { status, problem } = await world.begin().get(world.tenantId, first?.id ?? '');
    expect({ status, problem }).toEqual({ status: 'rejected', problem: why });
  });

  it('says who proposed a change again, that was in conflict', async () => {
    const { world, ids } = await waiting();
    world.standIn.edit('variable', '1', { notes: 'theirs' });
    await accept(world, ids);
    const open = await world.begin().list(world.tenantId, { status: 'open', skip: 0, limit: 100 });
    const { id = '' } = open.find(({ status }) => status === 'conflict') ?? {};
    await world.begin().renew(world.asking('Bob'), id);
    expect(await said(world, 'replaced')).toEqual([
      'replaced Bob: Update variable "Currency": Proposed again by Bob, over what is there now.',
    ]);
  });
});
