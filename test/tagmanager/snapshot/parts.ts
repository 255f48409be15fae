import { onTestFinished } from 'vitest';
import { openDatabase } from '../../../server/platform/database.ts';
import { noFaults } from '../../../server/platform/faults.ts';
import { silentLog } from '../../../server/platform/log.ts';
import type { LiveVersion } from '../../../server/tagmanager/api/api.ts';
import { createApi } from '../../../server/tagmanager/api/client.ts';
import type { Chosen, FaultView } from '../../../server/tagmanager/connection/schema.ts';
import { TagManagerFault } from '../../../server/tagmanager/faults.ts';
import { createJobs } from '../../../server/tagmanager/jobs.ts';
import { createSnapshotParts } from '../../../server/tagmanager/snapshot/snapshots.ts';
import { snapshotTables } from '../../../server/tagmanager/snapshot/tables.ts';
import { templateFor } from '../../../server/tagmanager/template.ts';
import { START } from '../../helpers/identity-parts.ts';
import { createTagManagerApi } from '../../helpers/tag-manager-api/create.ts';
import type { Place } from '../../helpers/tag-manager-api/world.ts';
import { tempDir } from '../../helpers/temp-dir.ts';
import { CONTAINER, EVERY_EVENT, installed, OUR_TAG, URL } from './objects.ts';

export const TENANT = '0b000000-0000-4000-8000-000000000000';

const NAMES = { account_name: 'Shop', container_name: 'shop.example', public_id: 'GTM-ABC1234' };

/** For what is only looked at. */
export const CHOSEN: Chosen = {
  ...{ ...NAMES, account_id: '1', container_id: CONTAINER },
  ...{ workspace_id: '7', workspace_name: 'Default Workspace' },
};

const chosenOf = ({ accountId, containerId, workspaceId }: Place): Chosen => ({
  ...{ ...NAMES, account_id: accountId, container_id: containerId },
  ...{ workspace_id: workspaceId, workspace_name: 'Default Workspace' },
});

/** What a snapshot of a published container asks for, by the end of the path. */
export const ALL_STEPS = [
  ...['workspace', 'status', 'tags', 'triggers', 'variables', 'templates'],
  ...['built_in_variables', 'versions:live'],
];

const stepOf = (path: string) => (/\/\d+$/.test(path) ? 'workspace' : path.replace(/.*\//, ''));

export const fault = (code: TagManagerFault['code']) =>
  new TagManagerFault(code, `It is ${code}.`, 'Do something.');

/** A container of the emulator, before which somebody may stand in the way of our client. */
function createContainer(pageSize = 200) {
  const google = createTagManagerApi({ pageSize });
  const accountId = google.account();
  const place = google.container({ accountId, name: 'shop.example', publicId: 'GTM-ABC1234' });
  const asked: string[] = [];
  const gate = {
    /** Runs before each answer; a status is answered instead. */
    before: (step: string): unknown => step,
  };
  const api = createApi({
    ...{ endpoint: 'https://google.example', project: '1', random: () => 0 },
    accessToken: () => Promise.resolve('ours'),
    pacer: { take: async () => undefined, hold: () => undefined, pause: async () => undefined },
    async fetch(request, init) {
      const url = new globalThis.URL(request instanceof Request ? request.url : request);
      const step = stepOf(url.pathname);
      asked.push(step);
      const answer = await gate.before(step);
      init?.signal?.throwIfAborted();
      return typeof answer === 'number'
        ? new Response('{}', { status: answer })
        : google.fetch(request, init);
    },
  });
  return { google, place, asked, gate, api };
}

/** Our template, its tag on all events, in the workspace; what comes back are their ids. */
export function install({
  google,
  place,
}: Pick<ReturnType<typeof createContainer>, 'google' | 'place'>) {
  const template = google.add(place, 'template', {
    ...{ name: 'Vedette', templateData: templateFor(URL) },
  });
  const trigger = google.add(place, 'trigger', EVERY_EVENT);
  const type = `cvt_${place.containerId}_${template}`;
  const tag = google.add(place, 'tag', { ...OUR_TAG, type, firingTriggerId: [trigger] });
  return { template, trigger, tag };
}

/** Snapshots of a container, in a database of their own and by a clock that stands. */
export async function snapshotParts(options: { pageSize?: number } = {}) {
  const world = createContainer(options.pageSize);
  const clock = { time: START, now: () => clock.time };
  const database = await openDatabase({
    ...{ dir: tempDir(), migrations: snapshotTables },
    ...{ clock, faults: noFaults, log: silentLog },
  });
  onTestFinished(() => database.close());

  const connection = {
    chosenNow: chosenOf(world.place) as Chosen | undefined,
    isConnected: true,
    reported: [] as string[],
    clearings: 0,
    standing: null as FaultView | null,
    apiFor: () => {
      if (!connection.isConnected) throw fault('not_connected');
      return world.api;
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

  const log = { error: () => undefined };
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
    activities: {
      arrivals: async (_tenant, source) => {
        const { count, last } = arrived;
        if (source !== 'gtm') return { count: 77, last: START };
        return { count, last: last === null ? null : Date.parse(last) };
      },
    },
  });

  return {
    ...world,
    ...parts,
    ...{ clock, connection, jobs, arrived, addresses },
    /** Another container that may be chosen, with nothing in it. */
    other: () => chosenOf(world.google.container({ accountId: world.place.accountId })),
    /** Takes a snapshot, to its end. */
    take: async () => {
      parts.snapshots.begin(TENANT);
      await jobs.idle(TENANT);
      return parts.snapshots.newest(TENANT);
    },
    failure: () => jobs.lastFailure(TENANT)?.code,
  };
}

/** The same with all that is ours in the workspace, and nothing published. */
export async function installedParts(options: { pageSize?: number } = {}) {
  const parts = await snapshotParts(options);
  return { ...parts, ours: install(parts) };
}

export const liveOf = (given = installed()): LiveVersion => ({
  versionId: '12',
  name: 'Twelve',
  objects: given,
});
