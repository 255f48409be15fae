import { describe, expect, it } from 'vitest';
import { anObject, condition, installed, objects, ourTag, ourTemplate } from './objects.ts';
import { ALL_STEPS, CHOSEN, fault, liveOf, snapshotParts, TENANT } from './stand-in.ts';

describe('a snapshot', () => {
  it('has all counts, and what is ours', async () => {
    const { state, take, clock, connection } = await snapshotParts();
    state.objects.variable = [anObject('variable', '30', { type: 'v' })];
    state.status = {
      changes: [
        { kind: 'tag', id: '70', status: 'added' },
        { kind: 'other', id: '', status: 'updated' },
      ],
      conflicts: 1,
    };
    state.live = liveOf();
    const taken = await take();
    expect(state.asked).toEqual(ALL_STEPS);
    expect(taken?.view).toMatchObject({
      taken_at: new Date(clock.now()).toISOString(),
      of: CHOSEN,
      tag_count: 1,
      trigger_count: 1,
      variable_count: 1,
      built_in_variable_count: 3,
      template_count: 1,
      has_unpublished_changes: true,
      unpublished_count: 2,
      merge_conflict_count: 1,
      template_present: true,
      tag_active: true,
      templates: [{ id: '80', state: 'current' }],
      tags: [{ id: '70', active: true, all_events: true }],
      live: { version_id: '12', name: 'Twelve', tags: [{ id: '70' }], templates: [{ id: '80' }] },
      requests: 8,
      previous_taken_at: null,
      difference_count: 0,
    });
    expect(connection.clearings).toBe(1);
  });

  it('of an empty container that was never published has zeros', async () => {
    const { state, take } = await snapshotParts();
    state.objects = objects();
    state.builtIns = 0;
    expect((await take())?.view).toMatchObject({
      tag_count: 0,
      has_unpublished_changes: false,
      template_present: false,
      tag_active: false,
      live: null,
    });
  });

  it('counts a request for each page, and expects as many the next time', async () => {
    const { state, take, jobs } = await snapshotParts();
    state.objects.variable = Array.from({ length: 45 }, (_, i) => anObject('variable', `${i + 1}`));
    state.pageSize = 20;
    const expected = new Set<number | null | undefined>();
    state.before = () => expected.add(jobs.current(TENANT)?.expected);
    expect((await take())?.view.requests).toBe(10);
    expect(Math.min(...([...expected] as number[]))).toBe(8);

    expected.clear();
    await take();
    expect([...expected]).toEqual([10]);
  });

  it('tells what it does', async () => {
    const { state, take, jobs } = await snapshotParts();
    const steps: (string | undefined)[] = [];
    state.before = () => steps.push(jobs.current(TENANT)?.step);
    await take();
    expect(steps.slice(0, 4)).toEqual([
      'Looking for the workspace',
      'Reading what is not published yet',
      'Reading tags',
      'Reading triggers',
    ]);
  });

  it('says what changed since the one before it', async () => {
    const { state, take, container, clock } = await snapshotParts();
    await take();
    const first = clock.now();
    clock.time += 60_000;
    state.objects = { ...installed(), tag: [ourTag({ paused: true })] };
    const view = (await take())?.view;
    expect(view?.previous_taken_at).toBe(new Date(first).toISOString());
    expect(view?.difference_count).toBe(1);
    expect(await container.differences(TENANT)).toEqual([
      {
        change: 'changed',
        kind: 'tag',
        id: '70',
        name: 'Vedette',
        fields: [{ field: 'Paused', before: null, after: 'Yes' }],
      },
    ]);
  });

  it('is not compared with one of another container', async () => {
    const { state, take, connection, container } = await snapshotParts();
    await take();
    connection.chosenNow = { ...CHOSEN, container_id: '43', workspace_id: '9' };
    state.workspaces = [{ id: '9', name: 'Default Workspace' }];
    state.objects = objects();
    expect((await take())?.view).toMatchObject({ previous_taken_at: null, difference_count: 0 });
    expect(await container.differences(TENANT)).toEqual([]);
  });

  it('is judged by the addresses that there are when it is looked at', async () => {
    const { take, addresses, snapshots } = await snapshotParts();
    expect((await take())?.view.templates[0]?.state).toBe('current');
    addresses.splice(0, 1, 'https://new.example');
    const now = await snapshots.newest(TENANT);
    expect(now?.view.templates[0]?.state).toBe('elsewhere');
    expect(now?.overview()).toBe((await snapshots.newest(TENANT))?.overview());
  });
});

describe('a snapshot of a workspace that was published', () => {
  const next = [{ id: '8', name: 'Default Workspace' }];

  it('goes on with the one of the same name', async () => {
    const { state, take, connection } = await snapshotParts();
    await take();
    state.workspaces = next;
    const taken = await take();
    expect(taken?.view.of.workspace_id).toBe('8');
    expect(connection.chosenNow?.workspace_id).toBe('8');
    expect(taken?.view.previous_taken_at).not.toBeNull();
  });

  it.each(ALL_STEPS.slice(1, -1))('begins again when that happens at: %s', async (step) => {
    const { state, take, failure } = await snapshotParts();
    state.before = (what) => {
      if (what === step && state.workspaces !== next) state.workspaces = next;
    };
    expect((await take())?.view).toMatchObject({ of: { workspace_id: '8' }, tag_count: 1 });
    expect(failure()).toBeUndefined();
    expect(state.asked.filter((what) => what === 'status')).toHaveLength(2);
  });

  it('ends when there is none of that name, and says so', async () => {
    const { state, take, failure, connection, snapshots } = await snapshotParts();
    const before = await take();
    state.workspaces = [{ id: '8', name: 'Autumn' }];
    await take();
    expect(failure()).toBe('workspace_gone');
    expect(connection.reported).toEqual(['workspace_gone']);
    expect((await snapshots.newest(TENANT))?.view.id).toBe(before?.view.id);
  });

  it.each([
    ['not_found', 'not_found'],
    ['no_permission', 'no_permission'],
    ['not_found', 'no_permission'],
  ] as const)(
    'ends as that of another account when neither it nor its container can be seen: %s, %s',
    async (...answers) => {
      const { state, take, connection, jobs } = await snapshotParts();
      state.before = (what) => {
        if (what === 'workspace') throw fault(answers[0]);
        if (what === 'workspaces') throw fault(answers[1]);
      };
      await take();
      expect(connection.reported).toEqual(['wrong_account']);
      expect(jobs.lastFailure(TENANT)?.what).toContain('shop.example (GTM-ABC1234)');
    },
  );

  it('ends for want of a right when it is there and may not be read', async () => {
    const { state, take, connection } = await snapshotParts();
    state.before = (what) => {
      if (what === 'workspace') throw fault('no_permission');
    };
    await take();
    expect(connection.reported).toEqual(['no_permission']);
  });

  it('learns its new name', async () => {
    const { state, take, connection } = await snapshotParts();
    state.workspaces = [{ id: '7', name: 'Autumn' }];
    expect((await take())?.view.of.workspace_name).toBe('Autumn');
    expect(connection.chosenNow?.workspace_name).toBe('Autumn');
  });

  it('does not go round and round', async () => {
    const { state, take, failure } = await snapshotParts();
    state.before = (what) => {
      if (what === 'tag') throw fault('not_found');
    };
    await take();
    expect(failure()).toBe('not_found');
    expect(state.asked.filter((what) => what === 'tag')).toHaveLength(2);
  });
});

describe('a snapshot that comes to nothing', () => {
  it.each(ALL_STEPS)('keeps nothing of it when it is stopped at: %s', async (step) => {
    const { state, take, snapshots, failure, jobs } = await snapshotParts();
    const before = await take();
    state.objects = objects();
    const reached = Promise.withResolvers<undefined>();
    state.before = (what) => {
      if (what !== step) return;
      reached.resolve(undefined);
      return new Promise(setImmediate);
    };
    snapshots.begin(TENANT);
    await reached.promise;
    await snapshots.stop(TENANT);
    expect(jobs.current(TENANT)).toBeNull();
    expect(failure()).toBe('stopped');
    expect((await snapshots.newest(TENANT))?.view.id).toBe(before?.view.id);
  });

  it.each(ALL_STEPS)('keeps nothing when another was chosen at: %s', async (step) => {
    const { state, take, failure, connection, snapshots } = await snapshotParts();
    state.before = (what) => {
      if (what === step)
        connection.chosenNow = { ...CHOSEN, container_id: '43', workspace_id: '9' };
    };
    expect(await take()).toBeUndefined();
    expect(failure()).toBe('stopped');
    expect(connection.chosenNow).toMatchObject({ container_id: '43', workspace_id: '9' });
    connection.chosenNow = CHOSEN;
    expect(await snapshots.newest(TENANT)).toBeUndefined();
  });

  it('does not bring back what was disconnected in the middle', async () => {
    const { state, take, connection, snapshots } = await snapshotParts();
    state.before = (what) => {
      if (what === 'live') connection.chosenNow = undefined;
    };
    await take();
    connection.chosenNow = CHOSEN;
    expect(await snapshots.newest(TENANT)).toBeUndefined();
  });

  it.each([
    ...(['grant_ended', 'no_permission', 'api_disabled', 'wrong_account'] as const),
    ...(['missing_scope', 'quota', 'unreachable', 'stopped'] as const),
  ])('tells the connection, which knows what of it lasts: %s', async (code) => {
    const { state, take, failure, connection } = await snapshotParts();
    await take();
    state.before = (what) => {
      if (what === 'variable') throw fault(code);
    };
    await take();
    expect(connection.reported).toEqual([code]);
    expect(failure()).toBe(code);
    expect(connection.clearings).toBe(1);
  });

  it('does not report about what is no longer chosen', async () => {
    const { state, take, connection } = await snapshotParts();
    state.before = () => {
      connection.chosenNow = { ...CHOSEN, workspace_id: '9' };
      throw fault('no_permission');
    };
    await take();
    expect(connection.reported).toEqual([]);
  });
});

describe('snapshots', () => {
  it('cannot be begun without a connection and something chosen', async () => {
    const { snapshots, connection } = await snapshotParts();
    connection.chosenNow = undefined;
    expect(() => snapshots.begin(TENANT)).toThrow(expect.objectContaining({ status: 409 }));
    connection.isConnected = false;
    expect(() => snapshots.begin(TENANT)).toThrow(expect.objectContaining({ status: 409 }));
  });

  it('are not begun twice, and changes that are being written are not stopped by them', async () => {
    const { snapshots, jobs } = await snapshotParts();
    const gate = Promise.withResolvers<undefined>();
    jobs.start(TENANT, 'apply', () => gate.promise);
    expect(() => snapshots.begin(TENANT)).toThrow(expect.objectContaining({ status: 409 }));
    await expect(snapshots.stop(TENANT)).rejects.toMatchObject({ status: 409 });
    const after = snapshots.beginWhenIdle(TENANT);
    gate.resolve(undefined);
    await after;
    expect(jobs.current(TENANT)?.kind).toBe('snapshot');
    await jobs.idle(TENANT);
    expect(await snapshots.newest(TENANT)).toBeDefined();
    await snapshots.stop(TENANT);
  });

  it('show nothing of what was chosen before, which is there again when it is chosen again', async () => {
    const { take, snapshots, connection, container } = await snapshotParts();
    await take();
    connection.chosenNow = { ...CHOSEN, workspace_id: '9', workspace_name: 'Autumn' };
    expect(await container.latest(TENANT)).toEqual({ latest: null });
    expect(await container.objects(TENANT, { skip: 0, limit: 10 })).toEqual([]);
    await expect(container.object(TENANT, 'tag', '70')).rejects.toMatchObject({ status: 404 });
    connection.chosenNow = CHOSEN;
    expect(await snapshots.newest(TENANT)).toBeDefined();
    await snapshots.forget(TENANT);
    expect(await snapshots.newest(TENANT)).toBeUndefined();
  });

  it('take a template that is no longer there for what it is', async () => {
    const { state, take } = await snapshotParts();
    state.objects.template = [ourTemplate({ templateData: 'nothing in it' })];
    state.objects.trigger[0] = anObject('trigger', '90', {
      type: 'customEvent',
      customEventFilter: [condition('equals', '{{_event}}', 'purchase')],
    });
    expect((await take())?.view).toMatchObject({ template_present: false, tag_active: false });
  });
});
