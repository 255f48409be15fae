import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../../server/platform/database.ts';
import type { Database } from '../../../server/platform/database.ts';
import { noFaults } from '../../../server/platform/faults.ts';
import { silentLog as log } from '../../../server/platform/log.ts';
import type { Api } from '../../../server/tagmanager/api/api.ts';
import type { NewChange } from '../../../server/tagmanager/changes/schema.ts';
import { createChanges } from '../../../server/tagmanager/changes/changes.ts';
import type { Asking, ChangesParts } from '../../../server/tagmanager/changes/changes.ts';
import { changeTables } from '../../../server/tagmanager/changes/tables.ts';
import type { Chosen } from '../../../server/tagmanager/connection/schema.ts';
import { faults } from '../../../server/tagmanager/fault-words.ts';
import { createJobs } from '../../../server/tagmanager/jobs.ts';
import type { Jobs } from '../../../server/tagmanager/jobs.ts';
import type {
  OurTag,
  OurTemplate,
  SnapshotView,
} from '../../../server/tagmanager/snapshot/schema.ts';
import { templateFor } from '../../../server/tagmanager/template.ts';
import { sharedDir } from '../../helpers/temp-dir.ts';
import { code, createContainer } from './container.ts';
import type { Container } from './container.ts';

export const NOW = Date.parse('2026-03-02T10:00:00.000Z');

/** The same for all tests of a worker: opening one takes longer than most of them. */
let shared: Promise<Database> | undefined;
const openShared = () =>
  openDatabase({
    ...{ dir: sharedDir(), migrations: changeTables, clock: { now: () => NOW } },
    ...{ faults: noFaults, log },
  });

/** A database for changes with nothing in it: whatever was there before is gone. */
export async function emptyDatabase(): Promise<Database> {
  const database = await (shared ??= openShared());
  await database.write(async (sql) => {
    for (const table of ['changes', 'batches', 'steps', 'audit']) {
      await sql.run(`DELETE FROM tag_manager_${table}`);
    }
  });
  return database;
}

export class Dead extends Error {}

/** Something that dies, like a process, before the n-th thing that it does to the world. */
export function createMortal(diesAt = Infinity) {
  const deeds: string[] = [];
  let dead = false;
  const checkAlive = () => {
    if (dead) throw new Dead();
  };
  return {
    live: async <T>(deed: string, work: () => Promise<T>): Promise<T> => {
      checkAlive();
      if (deeds.push(deed) === diesAt) dead = true;
      checkAlive();
      const result = await work();
      // It may have died while this was under way.
      checkAlive();
      return result;
    },
    deeds,
  };
}

export const IN_SOAK = process.env['VEDETTE_SOAK'] === '1';

/** Where the first of each sort is, counted from 1; in the soak, where any of them is. */
export const firstOfEach = (sorts: readonly string[]): number[] =>
  sorts.flatMap((sort, i) => (IN_SOAK || sorts.indexOf(sort) === i ? [i + 1] : []));

/** Before which deeds to die: what matters is what was done last, and what comes next. */
export function deathsAmong(deeds: readonly string[]): number[] {
  const sorts = [...deeds, 'end'].map((deed) =>
    ['read', 'workspace', 'list', 'get'].includes(deed) ? 'look' : deed,
  );
  return firstOfEach(sorts.map((deed, i) => `${deed} after ${sorts[i - 1]}`));
}

/** A tenant with a container, the only one there is; services come and go over it. */
export async function createWorld(database?: Database) {
  const store = database ?? (await emptyDatabase());
  const container = createContainer();
  const { accountId, containerId, workspaceId } = container.place();
  const tenantId = randomUUID();
  let moved = { workspaceId, name: 'Default Workspace' };
  const world = {
    container,
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
      ...{ account_id: accountId, account_name: 'Shop' },
      ...{ container_id: containerId, container_name: 'shop', public_id: 'GTM-1' },
      ...{ workspace_id: moved.workspaceId, workspace_name: moved.name },
    }),
    /** What the newest snapshot says; taken anew by `shoot`. */
    newest: undefined as
      undefined | { view: SnapshotView; objects: ReturnType<Container['snapshot']> },
    shoot(): void {
      world.newest = {
        view: viewOf(world.chosen(), world.now, world.ours),
        objects: container.snapshot(),
      };
    },
    asking: (who = 'Dashboard, Firefox on Linux, 127.0.0.1'): Asking => ({
      tenantId,
      who,
      now: world.now,
    }),
    /** As when the appliance starts. */
    begin(mortal = createMortal()) {
      const pacer = { waitingMs: () => 0, secondsFor: () => 0 };
      const jobs = createJobs({ clock: { now: () => world.now }, log, pacerOf: () => pacer });
      const parts = partsOf(mortal, jobs);
      return { ...createChanges(parts), jobs };
    },
  };

  function partsOf({ live }: ReturnType<typeof createMortal>, jobs: Jobs): ChangesParts {
    const key = {
      ...{ id: 'k', name: 'Tag manager', scope: 'ingest' as const, allowed_domains: [] },
      ...{ last_four: 'good', created_at: '', last_used_at: null },
      ...{ expires_at: null, replaced_by: null },
    };
    const api = Object.fromEntries(
      Object.entries(container.api).map(([verb, work]) => [
        verb,
        (...given: unknown[]) =>
          live(verb, () => (work as (...all: unknown[]) => Promise<unknown>)(...given)),
      ]),
    ) as unknown as Api;
    return {
      database: {
        read: (work) => live('read', () => store.read(work)),
        write: (work) => live('write', () => store.write(work)),
      },
      connection: {
        apiFor: () => {
          if (!world.connected) throw faults.notConnected();
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
          return templateFor(url);
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
export function furnish({ container }: Pick<World, 'container'>): NewChange[] {
  container.put('variable', { name: 'Currency', type: 'v' });
  container.put('trigger', { name: 'Old', type: 'pageview' });
  container.put('trigger', { name: 'Older', type: 'pageview' });
  container.put('tag', { name: 'Leaves old', type: 'html', firingTriggerId: ['2'] });
  container.put('tag', { name: 'Goes', type: 'html', firingTriggerId: ['3'] });
  container.put('tag', { name: 'Stays', type: 'html' });
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
    { action: 'create', kind: 'trigger', ref: 'all', body: { name: 'All', type: 'pageview' } },
    {
      action: 'create',
      kind: 'template',
      ref: 'template',
      body: { name: 'T', templateData: code('of T') },
    },
    { action: 'update', kind: 'variable', id: '1', body: { name: 'Currency', type: 'k' } },
  ];
}
