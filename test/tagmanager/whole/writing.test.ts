import { describe, expect, it } from 'vitest';
import type { ChangeView } from '../../../server/tagmanager/changes/schema.ts';
import { ADA, chosenContainer, connect, contentOf, heldAt, isWrite } from './parts.ts';
import type { World } from './parts.ts';

/** Three that stand alone, one of each action, on objects of their own. */
async function withProposals() {
  let [variableId, goneId] = ['', ''];
  const world = await chosenContainer({
    fill(api, place) {
      variableId = api.add(place, 'variable', constant('Currency', 'EUR'));
      goneId = api.add(place, 'variable', constant('Old', '1'));
    },
  });
  const [update, create, remove] = (await world.propose(
    { action: 'update', kind: 'variable', id: variableId, body: constant('Currency', 'CHF') },
    { action: 'create', kind: 'variable', body: constant('New', '2') },
    { action: 'delete', kind: 'variable', id: goneId },
  )) as [ChangeView, ChangeView, ChangeView];
  return { ...world, world, variableId, update, create, remove, all: [update, create, remove] };
}

function constant(name: string, value: string) {
  return { name, type: 'c', parameter: [{ type: 'template', key: 'value', value }] };
}

/** Accepts them and waits until that has come to its end, whatever it is. */
async function accepted(world: World, changes: readonly ChangeView[]) {
  // The snapshot that follows a batch may be under way.
  await expect.poll(async () => (await world.accept(changes)).status, { interval: 15 }).toBe(202);
  await ended(world);
  return Promise.all(changes.map(({ id }) => world.change(id)));
}

async function ended(world: World): Promise<void> {
  const writing = async () => (await world.view()).job?.kind === 'apply';
  await expect.poll(writing, { interval: 15 }).toBe(false);
}

/** All three wait to be gone on with, and say why. */
async function expectInterrupted(world: World, why: RegExp): Promise<void> {
  const waiting = await world.changes();
  expect(waiting.map(({ status }) => status)).toEqual(Array(3).fill('accepted'));
  for (const { problem } of waiting) expect(problem).toMatch(why);
}

/** The snapshot that follows what was written. */
async function followed(world: World, variables: number): Promise<void> {
  const count = async () => (await world.snapshot())?.variable_count;
  await expect.poll(count, { interval: 15 }).toBe(variables);
  await world.settled();
}

const valueOf = ({ api, place }: World, id: string) =>
  api.get(place, 'variable', id).parameter?.[0]?.value;

describe('somebody who may only read', () => {
  it('is told so, with nothing written, and goes on when they may edit', async () => {
    const { world, all, api, place } = await withProposals();
    api.permit(place, ADA, 'read');
    const before = contentOf(api, place);
    const refused = await accepted(world, all);
    expect(refused.map(({ status }) => status)).toEqual(Array(3).fill('proposed'));
    for (const { problem } of refused) expect(problem).toContain('applying changes needs "Edit"');
    const failure = {
      code: 'no_permission',
      what: 'This Google account may not do that in the container.',
      next: expect.stringMatching(/^Ask for access .* applying changes needs "Edit"/) as string,
    };
    expect(await world.view()).toMatchObject({ problem: failure, last_failure: failure });
    expect(contentOf(api, place)).toEqual(before);
    const deeds = (await world.audit()).map(({ deed }) => deed);
    expect(deeds.filter((deed) => deed === 'failed')).toHaveLength(1);
    expect(deeds).not.toContain('applied');

    api.permit(place, ADA, 'edit');
    const again = await accepted(world, await world.changes());
    expect(again.map(({ status }) => status)).toEqual(Array(3).fill('applied'));
    await followed(world, 7 + 1);
    expect(await world.view()).toMatchObject({ problem: null, last_failure: null });
  });
});

describe('a colleague who edits between proposal and acceptance', () => {
  it('keeps what they wrote: nothing is written, both versions show, and renewing works', async () => {
    const { world, all, update, create, remove, variableId, api, place } = await withProposals();
    api.edit(place, 'variable', variableId, constant('Currency', 'USD'));
    const before = contentOf(api, place);
    const written = api.requests.filter(isWrite).length;
    const [mine, ...others] = await accepted(world, all);
    expect(mine?.status).toBe('conflict');
    expect(mine?.theirs).toEqual([{ field: 'Value', before: 'EUR', after: 'USD' }]);
    expect(mine?.difference).toEqual([{ field: 'Value', before: 'EUR', after: 'CHF' }]);
    expect(others.map(({ status }) => status)).toEqual(['proposed', 'proposed']);
    expect(contentOf(api, place)).toEqual(before);
    expect(api.requests.filter(isWrite)).toHaveLength(written);

    const renewed = await world.tell<ChangeView>('POST', `/changes/${update.id}/renew`);
    expect(renewed.difference).toEqual([{ field: 'Value', before: 'USD', after: 'CHF' }]);
    const done = await accepted(world, [renewed, create, remove]);
    expect(done.map(({ status }) => status)).toEqual(Array(3).fill('applied'));
    expect(valueOf(world, variableId)).toBe('CHF');
    const names = api.list(place, 'variable').map(({ name }) => name);
    expect(names).toContain('New');
    expect(names).not.toContain('Old');
    expect((await world.change(update.id)).status).toBe('rejected');
  });

  it('at the very moment of writing stops it, and what was written is taken back', async () => {
    const { world, all, create, variableId, api, place } = await withProposals();
    const second = heldAt(api, 2, isWrite);
    await world.accept(all);
    const goOn = await second;
    expect(valueOf(world, variableId)).toBe('CHF');
    const theirs = api.add(place, 'variable', constant('New', 'theirs'));
    goOn();
    await ended(world);
    expect(await world.change(create.id)).toMatchObject({
      status: 'conflict',
      problem: 'Another object has this name by now.',
    });
    expect(valueOf(world, variableId)).toBe('EUR');
    expect(valueOf(world, theirs)).toBe('theirs');
    const names = api.list(place, 'variable').map(({ name }) => name);
    expect(names).toContain('Old');
    expect((await world.audit()).map(({ deed }) => deed)).toContain('undone');
  });

  it('by publishing only moves the workspace, which is written to all the same', async () => {
    const { world, all, variableId, api, place } = await withProposals();
    const held = heldAt(api, 2, isWrite);
    await world.accept(all);
    const goOn = await held;
    const next = api.publish(place);
    goOn();
    await ended(world);
    expect((await world.changes('closed')).map(({ status }) => status)).toEqual(
      Array(3).fill('applied'),
    );
    expect(api.get(next, 'variable', variableId).parameter?.[0]?.value).toBe('CHF');
    const names = api.list(next, 'variable').map(({ name }) => name);
    expect(names.filter((name) => name === 'New')).toHaveLength(1);
    expect(names).not.toContain('Old');
    expect((await world.view()).chosen?.workspace_id).toBe(next.workspaceId);
    expect(api.publishing()).toEqual([]);
  });
});

describe('writing', () => {
  it.each(['before', 'after'] as const)(
    'through an API that fails and hangs up %s it was carried out is done once',
    async (when) => {
      const { world, all, variableId, api, place } = await withProposals();
      for (const [i, verb] of (['fail', 'drop', 'fail'] as const).entries()) {
        // Of what was not carried out, the next write is the same once more.
        const held = heldAt(api, i === 0 || when === 'after' ? 1 : 2, isWrite);
        if (i === 0) await world.accept(all);
        const goOn = await held;
        api[verb]({ of: 'writes', when });
        goOn();
      }
      await ended(world);
      expect(await world.changes()).toEqual([]);
      expect(valueOf(world, variableId)).toBe('CHF');
      const names = api.list(place, 'variable').map(({ name }) => name);
      expect(names.filter((name) => name === 'New')).toHaveLength(1);
      expect(names).not.toContain('Old');
      await followed(world, 7 + 1);
    },
  );

  it('that is interrupted is gone on with when it can, with what is written', async () => {
    const { world, all, identity, variableId, api, place, google, person } = await withProposals();
    /** What is sent as the second write comes too late. */
    const spoilSecond = async (begin: () => Promise<unknown>, spoil: () => void) => {
      const held = heldAt(api, 2, isWrite);
      await begin();
      const goOn = await held;
      spoil();
      goOn();
      await ended(world);
    };
    const resume = () => world.tell('POST', '/changes/resume');

    api.fail({ of: 'writes', times: 3 });
    await world.accept(all);
    await ended(world);
    expect((await world.view()).last_failure).toMatchObject({ code: 'unreachable' });
    await expectInterrupted(world, /^Interrupted: .*try again/);

    await spoilSecond(resume, () => api.dayIsUsedUp());
    expect((await world.view()).last_failure).toMatchObject({ code: 'quota_day' });
    await expectInterrupted(world, /^Interrupted: /);
    expect(valueOf(world, variableId)).toBe('CHF');

    await spoilSecond(resume, () => identity.revokeGrants());
    expect((await world.view()).problem).toMatchObject({ code: 'grant_ended' });
    await expectInterrupted(world, /^Interrupted: .*Connect again/);

    await connect(person, google);
    await expect.poll(async () => (await world.view()).problem).toBeNull();
    await resume();
    await ended(world);
    expect(await world.changes()).toEqual([]);
    expect(api.list(place, 'variable').filter(({ name }) => name === 'New')).toHaveLength(1);
    await followed(world, 7 + 1);
    expect((await world.view()).last_failure).toBeNull();
  });
});
