import type { Api, Call, Place } from '../api/api.ts';
import { nameOf } from '../api/api.ts';
import type { Definition, Kind } from '../api/schema.ts';
import { faults } from '../fault-words.ts';
import { TagManagerFault } from '../faults.ts';
import { isSameName } from './likeness.ts';
import type { ConnectionPart } from './parts.ts';

export type Site = ReturnType<typeof createSite>;

interface Parts {
  connection: Pick<ConnectionPart, 'apiFor' | 'chosen' | 'placeOf' | 'moved'>;
  tenantId: string;
  call?: Call;
}

/**
 * The workspace that is written to, wherever it is by now: one that is published vanishes, and
 * another of its name, with the same objects in it, takes its place.
 */
export function createSite({ connection, tenantId, call }: Parts) {
  const api: Api = connection.apiFor(tenantId);
  const chosen = connection.chosen(tenantId);
  let place: Place = connection.placeOf(chosen);

  /** True when it has moved; throws when there is none of its name. */
  async function follow(): Promise<boolean> {
    const all = await api.workspaces(place, call).catch((error: unknown) => {
      if (!isFault(error, 'not_found')) throw error;
      throw faults.wrongAccount(`${chosen.container_name} (${chosen.public_id})`);
    });
    const next = all.find(({ name }) => name === chosen.workspace_name);
    if (all.some(({ workspaceId }) => workspaceId === place.workspaceId)) return false;
    if (next === undefined) throw faults.workspaceGone();
    place = { ...place, workspaceId: next.workspaceId };
    await connection.moved(tenantId, next);
    return true;
  }

  /** Nothing when the object is not there, as opposed to the workspace. */
  async function get(kind: Kind, id: string): Promise<Definition | null> {
    for (;;) {
      try {
        return await api.get(place, kind, id, call);
      } catch (error) {
        if (!isFault(error, 'not_found')) throw error;
        if (!(await follow())) return null;
      }
    }
  }

  async function list(kind: Kind): Promise<Definition[]> {
    for (;;) {
      try {
        return await api.list(place, kind, call);
      } catch (error) {
        if (!isFault(error, 'not_found') || !(await follow())) throw error;
      }
    }
  }

  return {
    container: chosen.container_id,
    follow,
    get,
    list,
    /** Makes sure of the workspace before anything else is asked. */
    async arrive(): Promise<void> {
      try {
        await api.workspace(place, call);
      } catch (error) {
        if (!isFault(error, 'not_found') || !(await follow())) throw error;
      }
    },
    /** Names are told apart within a kind. */
    async named(kind: Kind, name: string): Promise<Definition | null> {
      return (await list(kind)).find((object) => isSameName(nameOf(object), name)) ?? null;
    },
    create: (kind: Kind, body: Definition) => api.create(place, kind, body, call),
    update: (kind: Kind, id: string, body: Definition, fingerprint: string) =>
      api.update(place, kind, id, body, fingerprint, call),
    delete: (kind: Kind, id: string) => api.delete(place, kind, id, call),
  };
}

export function isFault(error: unknown, code: TagManagerFault['code']): boolean {
  return error instanceof TagManagerFault && error.code === code;
}
