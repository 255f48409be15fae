import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../../server/platform/database.ts';
import type { Database } from '../../../server/platform/database.ts';
import { noFaults } from '../../../server/platform/faults.ts';
import { silentLog as log } from '../../../server/platform/log.ts';
import type { NewChange } from '../../../server/tagmanager/changes/schema.ts';
import { createChanges } from '../../../server/tagmanager/changes/changes.ts';
import type { Asking, ChangesParts } from '../../../server/tagmanager/changes/changes.ts';
import { changeTables } from '../../../server/tagmanager/changes/tables.ts';
import type { Chosen } from '../../../server/tagmanager/connection/schema.ts';
import { TagManagerFault } from '../../../server/tagmanager/faults.ts';
import type { JobHandle, Jobs } from '../../../server/tagmanager/jobs.ts';
import type {
  OurTag,
  OurTemplate,
  SnapshotView,
} from '../../../server/tagmanager/snapshot/schema.ts';
import { problems } from '../../../server/platform/errors.ts';
import { tempDir } from '../../helpers/temp-dir.ts';
import { CONTAINER, createStandIn, snapshotOf } from './stand-in.ts';

export const NOW = Date.parse('2026-03-02T10:00:00.000Z');

/** In the place of the jobs that the snapshot part brings. */
export function createTestJobs(): Jobs & { failures: TagManagerFault[] } {
  const running = new Map<
    string,
    { kind: 'snapshot' | 'apply'; stop: AbortController; end: Promise<void> }
  >();
  const failures: TagManagerFault[] = [];
  const view = (kind: 'snapshot' | 'apply') => ({
    ...{ kind, step: '', requests: 0, expected: null, waiting_seconds: 0, left_seconds: null },
    started_at: new Date(NOW).toISOString(),
  });
  const jobs: Jobs = {
    start(tenantId, kind, work) {
      if (running.has(tenantId)) throw problems.tagManagerBusy();
      const stop = new AbortController();
      const handle: JobHandle = {
        signal: stop.signal,
        call: { signal: stop.signal },
        step: () => undefined,
        expect: () => undefined,
      };
      const end = Promise.resolve()
        .then(() => work(handle))
        .catch((error: unknown) => {
          if (error instanceof TagManagerFault) failures.push(error);
        })
        .finally(() => running.delete(tenantId));
      running.set(tenantId, { kind, stop, end });
      return view(kind);
    },
    current: (tenantId) => {
      const job = running.get(tenantId);
      return job ? view(job.kind) : null;
    },
    lastFailure: () => null,
    forget: () => undefined,
    async stop(tenantId) {
      running.get(tenantId)?.stop.abort();
      await running.get(tenantId)?.end;
    },
    async idle(tenantId) {
      await running.get(tenantId)?.end;
    },
    close: () => Promise.resolve(),
  };
  return { ...jobs, failures };
}

export async function openChangesDatabase(): Promise<Database> {
  const database = await openDatabase({
    ...{ dir: tempDir(), migrations: changeTables, clock: { now: () => NOW } },
    ...{ faults: noFaults, log },
  });
  onTestFinished(() => database.close());
  return database;
}

export class Dead extends Error {}

/** Something that dies, like a process, before the n-th thing that it does to the world. */
export function createMortal(diesAt = Infinity) {
  let deeds = 0;
  let dead = false;
  const checkAlive = () => {
    if (dead) throw new Dead();
  };
  return {
    live: async <T>(work: () => Promise<T>): Promise<T> => {
      checkAlive();
      if (++deeds === diesAt) dead = true;
      checkAlive();
      const result = await work();
      // It may have died while this was under way.
      checkAlive();
      return result;
    },
    isDead: () => dead,
    deeds: () => deeds,
  };
}

/** A tenant with a container of its own; services come and go over it. */
export async function createWorld(database?: Database) {
  const store = database ?? (await openChangesDatabase());
  const standIn = createStandIn();
  const tenantId = randomUUID();
  let moved = standIn.workspace();
  const world = {
    standIn,
    tenantId,
    database: store,
    now: NOW,
    mayEdit: true,
    connected: true,
    reported: [] as string[],
    report: (code: string): unknown => world.reported.push(code),
    begun: 0,
    onDownload: () => Promise.resolve(),
    ours: { templates: [] as OurTemplate[], tags: [] as OurTag[] },
    goodKeys: ['vdt_good'],
    chosen: (): Chosen => ({
      ...{
        account_id: '10',
        account_name: 'Shop',
        container_id: CONTAINER,
        container_name: 'shop',
      },
      ...{ public_id: 'GTM-1', workspace_id: moved.workspaceId, workspace_name: moved.name },
    }),
    /** What the newest snapshot says; taken anew by `shoot`. */
    newest: undefined as undefined | { view: SnapshotView; objects: ReturnType<typeof snapshotOf> },
    shoot(): void {
      world.newest = {
        view: viewOf(world.chosen(), world.now, world.ours),
        objects: snapshotOf(standIn),
      };
    },
    asking: (who = 'Dashboard, Firefox on Linux, 127.0.0.1'): Asking => ({
      tenantId,
      who,
      now: world.now,
    }),
    /** As when the appliance starts. */
    begin(mortal = createMortal()) {
      const jobs = createTestJobs();
      const parts = partsOf(mortal, jobs);
      return { ...createChanges(parts), jobs };
    },
  };

  function partsOf({ live }: ReturnType<typeof createMortal>, jobs: Jobs): ChangesParts {
    const key = {
      ...{ id: 'k', name: 'Tag manager', scope: 'ingest' as const, allowed_domains: [] },
      ...{
        last_four: 'good',
        created_at: '',
        last_used_at: null,
        expires_at: null,
        replaced_by: null,
      },
    };
    const api = Object.fromEntries(
      Object.entries(standIn.api).map(([verb, work]) => [
        verb,
        (...given: unknown[]) =>
          live(() => (work as (...all: unknown[]) => Promise<unknown>)(...given)),
      ]),
    ) as unknown as typeof standIn.api;
    return {
      database: {
        read: (work) => live(() => store.read(work)),
        write: (work) => live(() => store.write(work)),
      },
      connection: {
        apiFor: () => {
          if (!world.connected)
            throw new TagManagerFault('not_connected', 'Not connected.', 'Connect.');
          return api;
        },
        chosen: world.chosen,
        placeOf: (of) => ({
          accountId: of.account_id,
          containerId: of.container_id,
          workspaceId: of.workspace_id,
        }),
        mayEdit: () => world.mayEdit,
        moved: (_tenant, workspace) => {
          moved = workspace;
        },
        report: (_tenant, { code }) => world.report(code),
        cleared: () => undefined,
      },
      snapshots: {
        newest: () => Promise.resolve(world.newest),
        begin: () => {
          world.begun++;
          world.shoot();
        },
      },
      jobs,
      template: {
        view: () => ({ url: 'https://events.example', key }),
        download: async (_tenant, url = 'https://events.example') => {
          await world.onDownload();
          return `template to ${url}`;
        },
      },
      keys: { secret: () => 'vdt_good' },
      tenants: { listKeys: () => [key] },
      differenceOf: (_kind, before, after) => [
        {
          field: 'All',
          before: before && JSON.stringify(before),
          after: after && JSON.stringify(after),
        },
      ],
      clock: { now: () => world.now },
      log,
      addresses: () => ['https://events.example'],
    };
  }
  return world;
}

export type World = Awaited<ReturnType<typeof createWorld>>;

function viewOf(of: Chosen, now: number, ours: World['ours']): SnapshotView {
  return {
    ...{ id: randomUUID(), taken_at: new Date(now).toISOString(), of, ...ours },
    ...{ tag_count: 0, trigger_count: 0, variable_count: 0, built_in_variable_count: 0 },
    ...{ template_count: 0, has_unpublished_changes: false, unpublished_count: 0 },
    ...{ merge_conflict_count: 0, template_present: false, tag_active: false, live: null },
    ...{ requests: 0, previous_taken_at: null, difference_count: 0 },
  };
}

/** Proposes, and gives the ids. */
export async function proposed(world: World, changes: NewChange[]): Promise<string[]> {
  const views = await world.begin().propose(world.asking(), changes);
  return views.map(({ id }) => id);
}

/** A container with something of everything, and a list that does something of everything to it. */
export function furnish({ standIn }: Pick<World, 'standIn'>): NewChange[] {
  standIn.put('variable', { name: 'Currency', type: 'v' }, '1');
  standIn.put('trigger', { name: 'Old', type: 'customEvent' }, '2');
  standIn.put('trigger', { name: 'Older', type: 'customEvent' }, '3');
  standIn.put('tag', { name: 'Leaves old', type: 'html', firingTriggerId: ['2'] }, '4');
  standIn.put('tag', { name: 'Goes', type: 'html', firingTriggerId: ['3'] }, '5');
  standIn.put('tag', { name: 'Stays', type: 'html' }, '6');
  return [
    { action: 'delete', kind: 'trigger', id: '2' },
    { action: 'delete', kind: 'trigger', id: '3' },
    { action: 'delete', kind: 'tag', id: '5' },
    {
      ...{ action: 'create', kind: 'tag', ref: 'ours' },
      body: { name: 'Ours', type: 'change:template', firingTriggerId: ['change:all'] },
    },
    {
      ...{ action: 'update', kind: 'tag', id: '4' },
      body: { name: 'Leaves old', type: 'html', firingTriggerId: ['change:all'], notes: 'new' },
    },
    { action: 'create', kind: 'trigger', ref: 'all', body: { name: 'All', type: 'customEvent' } },
    {
      action: 'create',
      kind: 'template',
      ref: 'template',
      body: { name: 'T', templateData: 'code' },
    },
    { action: 'update', kind: 'variable', id: '1', body: { name: 'Currency', type: 'k' } },
  ];
}
