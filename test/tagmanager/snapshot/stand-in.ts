import { onTestFinished } from 'vitest';
import { openDatabase } from '../../../server/platform/database.ts';
import { noFaults } from '../../../server/platform/faults.ts';
import { silentLog } from '../../../server/platform/log.ts';
import type {
  Api,
  Call,
  LiveVersion,
  WorkspaceStatus,
} from '../../../server/tagmanager/api/api.ts';
import type { Chosen, FaultView } from '../../../server/tagmanager/connection/schema.ts';
import { TagManagerFault } from '../../../server/tagmanager/faults.ts';
import { createJobs } from '../../../server/tagmanager/jobs.ts';
import { createSnapshotParts } from '../../../server/tagmanager/snapshot/snapshots.ts';
import { snapshotTables } from '../../../server/tagmanager/snapshot/tables.ts';
import { START } from '../../helpers/identity-parts.ts';
import { tempDir } from '../../helpers/temp-dir.ts';
import { CONTAINER, installed, URL } from './objects.ts';

export const TENANT = '0b000000-0000-4000-8000-000000000000';

export const CHOSEN: Chosen = {
  account_id: '1',
  account_name: 'Shop',
  container_id: CONTAINER,
  container_name: 'shop.example',
  public_id: 'GTM-ABC1234',
  workspace_id: '7',
  workspace_name: 'Default Workspace',
};

const notFound = () => new TagManagerFault('not_found', 'It does not exist.', 'Look again.');

/** A tag manager with one container, which answers at once. */
export function standInApi() {
  const state = {
    workspaces: [{ id: '7', name: 'Default Workspace' }],
    objects: installed(),
    status: { changes: [], conflicts: 0 } as WorkspaceStatus,
    builtIns: 3,
    live: undefined as LiveVersion | undefined,
    pageSize: Infinity,
    asked: [] as string[],
    /** Runs before each answer. */
    before: (what: string): unknown => what,
  };

  async function asked(what: string, call: Call | undefined, pages = 1): Promise<void> {
    for (let page = 0; page < pages; page++) {
      call?.signal?.throwIfAborted();
      call?.asking?.();
      state.asked.push(what);
      await state.before(what);
      call?.signal?.throwIfAborted();
    }
  }
  const workspaceOf = (id: string) => {
    const found = state.workspaces.find((one) => one.id === id);
    if (found === undefined) throw notFound();
    const place = { accountId: '1', containerId: CONTAINER, workspaceId: id };
    return { ...place, name: found.name, description: null };
  };
  const pages = (count: number) => Math.max(1, Math.ceil(count / state.pageSize));
  const none = () => {
    throw new Error('A snapshot has no need of this');
  };

  const api: Api = {
    ...{ accounts: none, containers: none, get: none, create: none, update: none, delete: none },
    async workspaces(_place, call) {
      await asked('workspaces', call);
      return state.workspaces.map(({ id }) => workspaceOf(id));
    },
    async workspace({ workspaceId }, call) {
      await asked('workspace', call);
      return workspaceOf(workspaceId);
    },
    async status({ workspaceId }, call) {
      await asked('status', call);
      workspaceOf(workspaceId);
      return state.status;
    },
    async list({ workspaceId }, kind, call) {
      await asked(kind, call, pages(state.objects[kind].length));
      workspaceOf(workspaceId);
      return state.objects[kind];
    },
    async builtInVariables({ workspaceId }, call) {
      await asked('built-in', call);
      workspaceOf(workspaceId);
      return Array.from({ length: state.builtIns }, (_, i) => ({ name: `Built-in ${i}` }));
    },
    async live(_place, call) {
      await asked('live', call);
      return state.live;
    },
  };
  return { api, state };
}

export const ALL_STEPS = [
  ...['workspace', 'status', 'tag', 'trigger', 'variable', 'template', 'built-in', 'live'],
];

export const fault = (code: TagManagerFault['code']) =>
  new TagManagerFault(code, `It is ${code}.`, 'Do something.');

/** Snapshots of a stand-in, in a database of their own and by a clock that stands. */
export async function snapshotParts() {
  const { api, state } = standInApi();
  const clock = { time: START, now: () => clock.time };
  const database = await openDatabase({
    dir: tempDir(),
    migrations: snapshotTables,
    clock,
    faults: noFaults,
    log: silentLog,
  });
  onTestFinished(() => database.close());

  const connection = {
    chosenNow: { ...CHOSEN } as Chosen | undefined,
    isConnected: true,
    reported: [] as string[],
    clearings: 0,
    standing: null as FaultView | null,
    apiFor: () => {
      if (!connection.isConnected) throw fault('not_connected');
      return api;
    },
    chosen: () => {
      if (connection.chosenNow === undefined) throw fault('nothing_chosen');
      return connection.chosenNow;
    },
    placeOf: (chosen: Chosen) => ({
      accountId: chosen.account_id,
      containerId: chosen.container_id,
      workspaceId: chosen.workspace_id,
    }),
    async moved(_tenant: string, workspace: { workspaceId: string; name: string }) {
      connection.chosenNow = {
        ...connection.chosen(),
        workspace_id: workspace.workspaceId,
        workspace_name: workspace.name,
      };
    },
    report: (_tenant: string, { code }: TagManagerFault) => connection.reported.push(code),
    cleared: () => connection.clearings++,
    standsInTheWay: () => connection.standing,
  };

  const errors: unknown[] = [];
  const log = { error: ({ err }: { err?: unknown }) => errors.push(err) };
  const jobs = createJobs({
    ...{ clock, log },
    pacerOf: () => ({ waitingMs: () => 0, secondsFor: (requests) => requests * 4 }),
  });
  onTestFinished(() => jobs.close());
  const arrived = { count: 0, last: null as string | null };
  const addresses = [URL];
  const parts = createSnapshotParts({
    ...{ database, connection, jobs, clock, log },
    addresses: () => addresses,
    rollups: {
      counts: async () =>
        arrived.last === null
          ? []
          : [
              { source: 'gtm', count: arrived.count, last_seen: arrived.last },
              { source: 'shop', count: 77, last_seen: new Date(START).toISOString() },
            ],
    },
  });

  return {
    ...parts,
    ...{ state, clock, connection, jobs, database, arrived, addresses, errors },
    /** Takes a snapshot, to its end. */
    take: async () => {
      parts.snapshots.begin(TENANT);
      await jobs.idle(TENANT);
      return parts.snapshots.newest(TENANT);
    },
    failure: () => jobs.lastFailure(TENANT)?.code,
  };
}

export const liveOf = (given = installed()): LiveVersion => ({
  versionId: '12',
  name: 'Twelve',
  objects: given,
});
