import type { Api, Call, LiveVersion, Place, WorkspaceStatus } from '../api/api.ts';
import { TagManagerFault } from '../faults.ts';
import { cannotSee, faults } from '../fault-words.ts';
import type { Chosen } from '../connection/schema.ts';
import type { Objects } from './ours.ts';
import type { ConnectionPart } from './parts.ts';

/** All that is asked of the tag manager for one snapshot. */
export interface Found {
  of: Chosen;
  status: WorkspaceStatus;
  objects: Objects;
  builtInVariables: number;
  live: LiveVersion | undefined;
}

/** A workspace, its status, four lists, the built-in variables, and the live version. */
export const LEAST_REQUESTS = 8;

interface Reading {
  tenantId: string;
  connection: ConnectionPart;
  call: Call;
  /** Told before each step, in words. Ends the reading by throwing. */
  step: (words: string, of: Chosen) => void;
}

/**
 * Whenever a workspace is published, another takes its name: it is followed there, also when that
 * happens in the middle.
 */
export async function readChosen(reading: Reading): Promise<Found> {
  const { tenantId, connection } = reading;
  const api = connection.apiFor(tenantId);
  let of = await workspaceOf(api, connection.chosen(tenantId), reading);
  try {
    return await readAll(api, of, reading);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    of = await workspaceOf(api, of, reading);
    return readAll(api, of, reading);
  }
}

async function workspaceOf(api: Api, of: Chosen, reading: Reading): Promise<Chosen> {
  const { tenantId, connection, call, step } = reading;
  const place = connection.placeOf(of);
  step('Looking for the workspace', of);
  const workspace = await api.workspace(place, call).catch(async (error: unknown) => {
    if (!isHidden(error)) throw error;
    const others = await api.workspaces(place, call).catch((reason: unknown) => {
      throw isHidden(reason) ? cannotSee(of) : reason;
    });
    // It is there, and may not be read.
    if (others.some(({ workspaceId }) => workspaceId === of.workspace_id)) throw error;
    return others.find(({ name }) => name === of.workspace_name);
  });
  if (workspace === undefined) throw faults.workspaceGone();
  const { workspaceId, name } = workspace;
  if (workspaceId === of.workspace_id && name === of.workspace_name) return of;
  // Not over what was chosen in the meantime.
  step('Following the workspace', of);
  await connection.moved(tenantId, workspace);
  return { ...of, workspace_id: workspaceId, workspace_name: name };
}

async function readAll(api: Api, of: Chosen, { connection, call, step }: Reading): Promise<Found> {
  const place: Place = connection.placeOf(of);
  const next = (words: string) => step(words, of);
  next('Reading what is not published yet');
  const status = await api.status(place, call);
  next('Reading tags');
  const tag = await api.list(place, 'tag', call);
  next('Reading triggers');
  const trigger = await api.list(place, 'trigger', call);
  next('Reading variables');
  const variable = await api.list(place, 'variable', call);
  next('Reading templates');
  const template = await api.list(place, 'template', call);
  next('Reading built-in variables');
  const builtIn = await api.builtInVariables(place, call);
  next('Reading the live version');
  const live = await api.live(place, call);
  next('Comparing with the last snapshot');
  const objects = { template, variable, trigger, tag };
  return { of, status, objects, builtInVariables: builtIn.length, live };
}

export function isNotFound(error: unknown): boolean {
  return error instanceof TagManagerFault && error.code === 'not_found';
}

/** What an account may not see is answered in either way. */
function isHidden(error: unknown): boolean {
  return isNotFound(error) || (error instanceof TagManagerFault && error.code === 'no_permission');
}
