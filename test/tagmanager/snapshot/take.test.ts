import { describe, expect, it } from 'vitest';
import { condition } from './objects.ts';
import { ALL_STEPS, installedParts, snapshotParts, TENANT } from './parts.ts';

const variable = (name: string) => ({ name, type: 'v' });

describe('a snapshot', () => {
  it('has all counts, and what is ours', async () => {
    const { google, place, ours, take, asked, clock, connection } = await installedParts();
    google.add(place, 'variable', variable('Value'));
    google.enable(place, { pageUrl: 'Page URL', referrer: 'Referrer', clickUrl: 'Click URL' });
    google.settle(place);
    google.add(place, 'folder', { name: 'Shop' });
    google.edit(place, 'tag', ours.tag, { notes: 'ours' });
    const colleague = google.workspace(place, 'Autumn');
    google.edit(colleague, 'tag', ours.tag, { notes: 'theirs' });
    google.publish(colleague, 'Twelve');
    const taken = await take();
    expect(asked).toEqual(ALL_STEPS);
    expect(taken?.view).toMatchObject({
      taken_at: new Date(clock.now()).toISOString(),
      of: connection.chosenNow,
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
      templates: [{ id: ours.template, state: 'current' }],
      tags: [{ id: ours.tag, active: true, all_events: true }],
      live: {
        ...{ version_id: '2', name: 'Twelve' },
        ...{ tags: [{ id: ours.tag }], templates: [{ id: ours.template }] },
      },
      requests: 8,
      previous_taken_at: null,
      difference_count: 0,
    });
    expect(connection.clearings).toBe(1);
  });

  it('of an empty container that was never published has zeros', async () => {
    const { take } = await snapshotParts();
    expect((await take())?.view).toMatchObject({
      tag_count: 0,
      has_unpublished_changes: false,
      template_present: false,
      tag_active: false,
      live: null,
    });
  });

  it('counts a request for each page, and expects as many the next time', async () => {
    const { google, place, take, gate, jobs } = await snapshotParts({ pageSize: 2 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) google.add(place, 'variable', variable(name));
    google.settle(place);
    const expected = new Set<number | null | undefined>();
    gate.before = () => void expected.add(jobs.current(TENANT)?.expected);
    expect((await take())?.view.requests).toBe(10);
    expect(Math.min(...([...expected] as number[]))).toBe(8);

    expected.clear();
    await take();
    expect([...expected]).toEqual([10]);
  });

  it('tells what it does', async () => {
    const { gate, take, jobs } = await snapshotParts();
    const steps: (string | undefined)[] = [];
    gate.before = () => void steps.push(jobs.current(TENANT)?.step);
    await take();
    expect(steps.slice(0, 4)).toEqual([
      'Looking for the workspace',
      'Reading what is not published yet',
      'Reading tags',
      'Reading triggers',
    ]);
  });

  it('says what changed since the one before it', async () => {
    const { google, place, ours, take, container, clock } = await installedParts();
    await take();
    const first = clock.now();
    clock.time += 60_000;
    google.edit(place, 'tag', ours.tag, { paused: true });
    const view = (await take())?.view;
    expect(view?.previous_taken_at).toBe(new Date(first).toISOString());
    expect(view?.difference_count).toBe(1);
    expect(await container.differences(TENANT)).toEqual([
      {
        change: 'changed',
        kind: 'tag',
        id: ours.tag,
        name: 'Vedette',
        fields: [{ field: 'Paused', before: null, after: 'Yes' }],
      },
    ]);
  });

  it('is not compared with one of another container', async () => {
    const { take, connection, container, other } = await installedParts();
    await take();
    connection.chosenNow = other();
    expect((await take())?.view).toMatchObject({ previous_taken_at: null, difference_count: 0 });
    expect(await container.differences(TENANT)).toEqual([]);
  });

  it('is judged by the addresses that there are when it is looked at', async () => {
    const { take, addresses, snapshots } = await installedParts();
    expect((await take())?.view.templates[0]?.state).toBe('current');
    addresses.splice(0, 1, 'https://new.example');
    const now = await snapshots.newest(TENANT);
    expect(now?.view.templates[0]?.state).toBe('elsewhere');
    expect(now?.overview()).toBe((await snapshots.newest(TENANT))?.overview());
  });
});

describe('a snapshot of a workspace that was published', () => {
  it('goes on with the one of the same name', async () => {
    const { google, place, take, connection } = await installedParts();
    await take();
    const { workspaceId } = google.publish(place);
    const taken = await take();
    expect(taken?.view.of.workspace_id).toBe(workspaceId);
    expect(connection.chosenNow?.workspace_id).toBe(workspaceId);
    expect(taken?.view.previous_taken_at).not.toBeNull();
  });

  it('begins again when that happens at any step', async () => {
    const { google, place, gate, take, failure, asked } = await installedParts();
    let current = google.publish(place);
    for (const at of ALL_STEPS.slice(1, -1)) {
      await take();
      const before = current;
      gate.before = (step) => {
        if (step === at && current === before) current = google.publish(before);
      };
      asked.length = 0;
      const view = (await take())?.view;
      expect(view, at).toMatchObject({ of: { workspace_id: current.workspaceId }, tag_count: 1 });
      expect(failure()).toBeUndefined();
      expect(asked.filter((step) => step === 'status')).toHaveLength(2);
    }
  });

  it('ends when there is none of that name, and says so', async () => {
    const { google, place, take, failure, connection, snapshots } = await installedParts();
    const before = await take();
    google.removeWorkspace(place);
    google.workspace(place, 'Autumn');
    await take();
    expect(failure()).toBe('workspace_gone');
    expect(connection.reported).toEqual(['workspace_gone']);
    expect((await snapshots.newest(TENANT))?.view.id).toBe(before?.view.id);
  });

  it('ends as that of another account when neither it nor its container can be seen', async () => {
    const { gate, take, connection, jobs } = await snapshotParts();
    for (const statuses of [
      [404, 404],
      [403, 403],
      [404, 403],
    ] as const) {
      gate.before = (step) => statuses[['workspace', 'workspaces'].indexOf(step)];
      connection.reported = [];
      await take();
      expect(connection.reported, statuses.join()).toEqual(['wrong_account']);
      expect(jobs.lastFailure(TENANT)?.what).toContain('shop.example (GTM-ABC1234)');
    }
  });

  it('ends for want of a right when it is there and may not be read', async () => {
    const { gate, take, connection } = await snapshotParts();
    gate.before = (step) => (step === 'workspace' ? 403 : undefined);
    await take();
    expect(connection.reported).toEqual(['no_permission']);
  });

  it('learns its new name', async () => {
    const { google, place, take, connection } = await snapshotParts();
    google.renameWorkspace(place, 'Autumn');
    expect((await take())?.view.of.workspace_name).toBe('Autumn');
    expect(connection.chosenNow?.workspace_name).toBe('Autumn');
  });

  it('does not go round and round', async () => {
    const { gate, asked, take, failure } = await snapshotParts();
    gate.before = (step) => (step === 'tags' ? 404 : undefined);
    await take();
    expect(failure()).toBe('not_found');
    expect(asked.filter((step) => step === 'tags')).toHaveLength(2);
  });
});

describe('a snapshot that comes to nothing', () => {
  it('keeps nothing of it, at whatever step it is stopped', async () => {
    const { google, place, ours, gate, take, snapshots, failure, jobs } = await installedParts();
    google.settle(place);
    const before = await take();
    google.remove(place, 'tag', ours.tag);
    for (const at of ALL_STEPS) {
      const reached = Promise.withResolvers<undefined>();
      gate.before = (step) => {
        if (step !== at) return;
        reached.resolve(undefined);
        return new Promise<void>(setImmediate);
      };
      snapshots.begin(TENANT);
      await reached.promise;
      await snapshots.stop(TENANT);
      expect(jobs.current(TENANT)).toBeNull();
      expect(failure()).toBe('stopped');
      expect((await snapshots.newest(TENANT))?.view.id, at).toBe(before?.view.id);
    }
  });

  it('keeps nothing, at whatever step another was chosen', async () => {
    const { google, place, gate, take, failure, connection, snapshots, other } =
      await snapshotParts();
    google.settle(place);
    const chosen = connection.chosenNow;
    const another = other();
    for (const at of ALL_STEPS) {
      gate.before = (step) => {
        if (step === at) connection.chosenNow = another;
      };
      expect(await take(), at).toBeUndefined();
      expect(failure()).toBe('stopped');
      expect(connection.chosenNow).toBe(another);
      connection.chosenNow = chosen;
      expect(await snapshots.newest(TENANT)).toBeUndefined();
    }
  });

  it('does not bring back what was disconnected in the middle', async () => {
    const { gate, take, connection, snapshots } = await snapshotParts();
    const chosen = connection.chosenNow;
    gate.before = (step) => {
      if (step === 'versions:live') connection.chosenNow = undefined;
    };
    await take();
    connection.chosenNow = chosen;
    expect(await snapshots.newest(TENANT)).toBeUndefined();
  });

  it('tells the connection why, which knows what of it lasts', async () => {
    const { google, take, failure, connection } = await snapshotParts();
    await take();
    google.fail({ times: 4 });
    await take();
    expect(failure()).toBe('unreachable');
    google.disable();
    await take();
    expect(failure()).toBe('api_disabled');
    expect(connection.reported).toEqual(['unreachable', 'api_disabled']);
    expect(connection.clearings).toBe(1);
  });

  it('does not report about what is no longer chosen', async () => {
    const { gate, take, connection, other } = await snapshotParts();
    gate.before = () => {
      connection.chosenNow = other();
      return 403;
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
    const writing = Promise.withResolvers<undefined>();
    jobs.start(TENANT, 'apply', () => writing.promise);
    expect(() => snapshots.begin(TENANT)).toThrow(expect.objectContaining({ status: 409 }));
    await expect(snapshots.stop(TENANT)).rejects.toMatchObject({ status: 409 });
    const after = snapshots.beginWhenIdle(TENANT);
    writing.resolve(undefined);
    await after;
    expect(jobs.current(TENANT)?.kind).toBe('snapshot');
    await jobs.idle(TENANT);
    expect(await snapshots.newest(TENANT)).toBeDefined();
    await snapshots.stop(TENANT);
  });

  it('show nothing of what was chosen before, which is there again when it is chosen again', async () => {
    const { ours, take, snapshots, connection, container } = await installedParts();
    await take();
    const chosen = connection.chosen();
    connection.chosenNow = { ...chosen, workspace_id: '9', workspace_name: 'Autumn' };
    expect(await container.latest(TENANT)).toEqual({ latest: null });
    expect(await container.objects(TENANT, { skip: 0, limit: 10 })).toEqual([]);
    await expect(container.object(TENANT, 'tag', ours.tag)).rejects.toMatchObject({ status: 404 });
    connection.chosenNow = chosen;
    expect(await snapshots.newest(TENANT)).toBeDefined();
    await snapshots.forget(TENANT);
    expect(await snapshots.newest(TENANT)).toBeUndefined();
  });

  it('take a template that is no longer ours for what it is', async () => {
    const { google, place, ours, take } = await installedParts();
    google.edit(place, 'template', ours.template, { templateData: '___INFO___\n\n{}\n' });
    const customEventFilter = [condition('equals', '{{_event}}', 'purchase')];
    google.edit(place, 'trigger', ours.trigger, { customEventFilter });
    expect((await take())?.view).toMatchObject({ template_present: false, tag_active: false });
  });
});
