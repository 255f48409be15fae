import { describe, expect, it } from 'vitest';
import type { ConnectionView, FaultCode } from '../../../server/tagmanager/connection/schema.ts';
import { chosenContainer, connect, heldAt, selectionOf } from './parts.ts';
import type { World } from './parts.ts';

const COUNTS = { tag_count: 6, trigger_count: 6, variable_count: 6 };

/** What is shown has this as its cause, and names the way on. */
function expectProblem({ problem }: ConnectionView, code: FaultCode, next: RegExp): void {
  expect(problem).toMatchObject({ code, next: expect.stringMatching(next) as string });
  expect(problem?.what).toMatch(/^[A-Z].{15,}\.$/);
}

/** After a failure that was put right, all goes on as if it had never been. */
async function expectAllIsWell(world: World): Promise<void> {
  const before = await world.snapshot();
  const view = await world.takeSnapshot();
  expect(view).toMatchObject({ state: 'connected', problem: null, last_failure: null, job: null });
  const after = await world.snapshot();
  expect(after).toMatchObject(COUNTS);
  expect(after?.id).not.toBe(before?.id);
}

/** A snapshot of which the n-th request waits for what is then done to the tag manager. */
async function midway(world: World, n: number, deed: () => void): Promise<ConnectionView> {
  const held = heldAt(world.api, n);
  await world.tell('POST', '/snapshot');
  const goOn = await held;
  deed();
  goOn();
  return world.settled();
}

describe('the grant', () => {
  it('whose access token expires in the middle of a snapshot is refreshed once, and nobody notices', async () => {
    const world = await chosenContainer();
    const asked = world.identity.timesAsked('refresh_token');
    const held = heldAt(world.api, 4);
    await world.tell('POST', '/snapshot');
    const goOn = await held;
    world.identity.expireAccessTokens();
    const lists = world.ask('GET', '/tag-manager/accounts?refresh=true');
    goOn();
    expect((await lists).status).toBe(200);
    expect(await world.settled()).toMatchObject({ problem: null, last_failure: null });
    expect(world.identity.timesAsked('refresh_token')).toBe(asked + 1);
    await expectAllIsWell(world);
  });

  it('that was withdrawn asks to connect again, which goes on with the same choice', async () => {
    const world = await chosenContainer();
    const { chosen } = await world.view();
    const kept = await world.snapshot();
    world.identity.revokeGrants();
    const view = await world.takeSnapshot();
    expectProblem(view, 'grant_ended', /^Connect again/);
    expect(view).toMatchObject({
      state: 'connected',
      chosen,
      last_failure: { code: 'grant_ended' },
    });
    expect(await world.snapshot()).toEqual(kept);

    const refused = await world.ask('POST', '/tag-manager/snapshot');
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('Connect again');

    await connect(world.person, world.google);
    expect(await world.view()).toMatchObject({ problem: null, chosen });
    await expectAllIsWell(world);
  });

  it('for reading only shows everything and writes nothing, until it is given in full', async () => {
    const world = await chosenContainer({
      consent: { scopes: ['https://www.googleapis.com/auth/tagmanager.readonly'] },
    });
    const view = await world.view();
    expect(view).toMatchObject({ state: 'connected', may_edit: false });
    expectProblem(view, 'missing_scope', /leave every box/);
    expect(await world.snapshot()).toMatchObject(COUNTS);
    const proposed = await world.tell<{ id: string }[]>('POST', '/changes/install');
    const ids = proposed.map(({ id }) => id);

    const asked = world.api.requests.length;
    const refused = await world.ask('POST', '/tag-manager/changes/accept', { ids });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('leave every box on the consent screen ticked');
    expect(world.api.requests).toHaveLength(asked);
    expect((await world.changes()).map(({ status }) => status)).toEqual(Array(3).fill('proposed'));

    await connect(world.person, world.google);
    expect(await world.view()).toMatchObject({ may_edit: true, problem: null });
    expect((await world.ask('POST', '/tag-manager/changes/accept', { ids })).status).toBe(202);
    await expect.poll(async () => await world.changes()).toEqual([]);
    expect(world.api.list(world.place, 'template')).toHaveLength(1);
  });
});

describe('the API', () => {
  it('that asks to slow down, fails or hangs up now and then is asked again', async () => {
    const world = await chosenContainer();
    const { api } = world;
    for (const [again, hinder] of [
      [
        4,
        () => {
          api.quotaAnswers({ status: 403, times: 2 });
          api.quotaAnswers({ status: 429, times: 2, retryAfter: 90 });
        },
      ],
      [
        3,
        () => {
          api.fail({ times: 2 });
          api.drop();
        },
      ],
    ] as const) {
      const asked = api.requests.length;
      const view = await midway(world, 3, hinder);
      expect(view).toMatchObject({ problem: null, last_failure: null });
      expect(await world.snapshot()).toMatchObject({ ...COUNTS, requests: 8 + again });
      expect(api.requests).toHaveLength(asked + 8 + again);
    }
    await expectAllIsWell(world);
  });

  it('that goes on like that ends the snapshot in words, and keeps the one before', async () => {
    const world = await chosenContainer();
    const { api } = world;
    const kept = await world.snapshot();
    const breaks = () => {
      api.fail({ times: 2 });
      api.drop({ times: 2 });
    };
    for (const [code, next, again, hinder] of [
      ['quota', /^Try again in a few minutes/, 6, () => api.quotaAnswers({ times: 7 })],
      ['quota_day', /^Go on tomorrow/, 0, () => api.dayIsUsedUp()],
      ['unreachable', /online/, 3, breaks],
    ] as const) {
      const asked = api.requests.length;
      const view = await midway(world, 3, hinder);
      const failure = { code, next: expect.stringMatching(next) as string };
      expect(view).toMatchObject({ problem: null, last_failure: failure });
      expect(api.requests, code).toHaveLength(asked + 3 + again);
      expect(await world.snapshot()).toEqual(kept);
    }
    await expectAllIsWell(world);
  });
});

describe('the workspace', () => {
  it('that is published in the middle of a snapshot is followed', async () => {
    const world = await chosenContainer();
    const { api } = world;
    const places = [world.place];
    const view = await midway(world, 4, () => places.push(api.publish(world.place)));
    expect(view).toMatchObject({
      ...{ problem: null, last_failure: null },
      chosen: { workspace_id: places.at(-1)?.workspaceId, workspace_name: 'Default Workspace' },
    });
    expect(await world.snapshot()).toMatchObject({ of: view.chosen, live: { version_id: '2' } });
    await expectAllIsWell(world);
    expect(api.publishing()).toEqual([]);
  });

  it('that was deleted asks for another one', async () => {
    const world = await chosenContainer();
    const { api, place } = world;
    api.removeWorkspace(place);
    const view = await world.takeSnapshot();
    expectProblem(view, 'workspace_gone', /^Choose another workspace/);
    const other = api.workspace(place, 'Next');
    await world.tell('PUT', '/selection', selectionOf(other));
    expect(await world.settled()).toMatchObject({
      ...{ problem: null, last_failure: null, chosen: { workspace_name: 'Next' } },
    });
    await expectAllIsWell(world);
  });
});
