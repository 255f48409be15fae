import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../../server/platform/database.ts';
import type { Database } from '../../../server/platform/database.ts';
import { noFaults } from '../../../server/platform/faults.ts';
import { silentLog as log } from '../../../server/platform/log.ts';
import type { Api } from '../../../server/tagmanager/api/api.ts';
import type { Definition, Kind } from '../../../server/tagmanager/api/schema.ts';
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
import { soaking } from '../../helpers/soak.ts';

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

/** Where the first of each sort is, counted from 1; in the soak, where any of them is. */
export const firstOfEach = (sorts: readonly string[]): number[] =>
  sorts.flatMap((sort, i) => (soaking || sorts.indexOf(sort) === i ? [i + 1] : []));

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
    onKey: () => Promise.resolve(),
    ours: { templates: [] as OurTemplate[], tags: [] as OurTag[] },
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
        ensureKey: async () => {
          await world.onKey();
          return key;
        },
        file: (url = 'https://events.example') => templateFor(url),
      },
      keys: { secret: () => 'vdt_good' },
      tenants: { listKeys: () => [key] },
      differenceOf: (_kind, ...both) => {
        const [before, after] = both.map((one) => one && JSON.stringify(one));
        return [{ field: 'All', before: before ?? null, after: after ?? null }];
      },
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

export const create = (kind: Kind, body: Definition, ref?: string): NewChange => ({
  ...{ action: 'create', kind, body },
  ...(ref ? { ref } : {}),
});
export const update = (kind: Kind, id: string, body: Definition): NewChange => ({
  ...{ action: 'update', kind, id, body },
});
export const remove = (kind: Kind, id: string): NewChange => ({ action: 'delete', kind, id });
export const html = (name: string, more: Definition = {}) => ({ name, type: 'html', ...more });

export const propose = (world: World, ...changes: NewChange[]) =>
  world.begin().propose(world.asking(), changes);

/** Gives the ids. */
export const proposed = async (world: World, changes: NewChange[]): Promise<string[]> =>
  (await propose(world, ...changes)).map(({ id }) => id);

/** A container with something of everything, and a list that does something of everything to it. */
export function furnish({ container }: Pick<World, 'container'>): NewChange[] {
  container.put('variable', { name: 'Currency', type: 'v' });
  container.put('trigger', { name: 'Old', type: 'pageview' });
  container.put('trigger', { name: 'Older', type: 'pageview' });
  container.put('tag', html('Leaves old', { firingTriggerId: ['2'] }));
  container.put('tag', html('Goes', { firingTriggerId: ['3'] }));
  container.put('tag', html('Stays'));
  const ours = { name: 'Ours', type: 'change:template', firingTriggerId: ['change:all'] };
  return [
    ...[remove('trigger', '2'), remove('trigger', '3'), remove('tag', '5')],
    create('tag', ours, 'ours'),
    update('tag', '4', html('Leaves old', { firingTriggerId: ['change:all'], notes: 'new' })),
    create('trigger', { name: 'All', type: 'pageview' }, 'all'),
    create('template', { name: 'T', templateData: code('of T') }, 'template'),
    update('variable', '1', { name: 'Currency', type: 'k' }),
  ];
}

/** As ids 1 to 5: tags that stand on a trigger and a variable, and a trigger that nothing stands on. */
export async function furnished() {
  const world = await createWorld();
  world.container.put('trigger', { name: 'Clicks', type: 'click' });
  world.container.put('trigger', { name: 'Unused', type: 'click' });
  world.container.put('variable', { name: 'Price', type: 'v' });
  world.container.put('tag', html('Shop', { firingTriggerId: ['1'], notes: '{{Price}}' }));
  world.container.put('tag', html('Blocked', { blockingTriggerId: ['1'] }));
  world.shoot();
  return world;
}
