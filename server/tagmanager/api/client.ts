import type { z } from 'zod';
import { faults } from '../fault-words.ts';
import { fingerprintOf } from './api.ts';
import type { Api, Call, ContainerPlace, LiveVersion, Place, WorkspaceStatus } from './api.ts';
import { createAsk, isFault } from './ask.ts';
import type { AskOptions } from './ask.ts';
import { paths } from './paths.ts';
import { kind as kindSchema } from './schema.ts';
import type { Definition, Kind } from './schema.ts';
import * as shapes from './shapes.ts';

/** Far more than any container has. */
const MOST_PAGES = 500;

/** The tag manager's API over `fetch`. It asks for the paths of `paths.ts`, and for no others. */
export function createApi(options: AskOptions): Api {
  const ask = createAsk(options);

  async function get<T extends z.ZodType>(path: string, shape: T, call?: Call) {
    return shapes.read(shape, await ask({ method: 'GET', path }, call));
  }

  async function list<T extends z.ZodType>(path: string, name: string, one: T, call?: Call) {
    const shape = shapes.page(name, one);
    const all: z.output<T>[] = [];
    const seen = new Set<string>();
    for (let pageToken = ''; ;) {
      const query: Record<string, string> = pageToken === '' ? {} : { pageToken };
      const { items, next } = shapes.read(shape, await ask({ method: 'GET', path, query }, call));
      for (const item of items) all.push(item);
      if (!next) return all;
      if (seen.has(next) || seen.size >= MOST_PAGES) {
        throw faults.unreachable('a list has no end');
      }
      seen.add(next);
      pageToken = next;
    }
  }

  async function live(container: ContainerPlace, call?: Call): Promise<LiveVersion | undefined> {
    try {
      return liveOf(await get(paths.live(container), shapes.liveVersion, call));
    } catch (error) {
      if (!isFault(error, 'not_found')) throw error;
      // The same status for nothing live and for no container: one that can be seen is there.
      await get(paths.workspaces(container), shapes.page('workspace', shapes.workspace), call);
      return undefined;
    }
  }

  const object = async (place: Place, kind: Kind, id: string, call?: Call) =>
    get(paths.object(place, kind, id), shapes.object(kind), call);

  async function update(
    ...[place, kind, id, body, fingerprint, call]: Parameters<Api['update']>
  ): Promise<Definition> {
    // An empty one would not be compared.
    if (fingerprint === '') throw faults.conflict();
    const path = paths.object(place, kind, id);
    const request = { method: 'PUT' as const, path, query: { fingerprint }, body };
    const answer = await ask(request, call).catch(async (error: unknown) => {
      if (isFault(error, 'refused')) await checkUnchanged();
      throw error;
    });
    return shapes.read(shapes.object(kind), answer);

    /** Some refusals do not say what for. */
    async function checkUnchanged(): Promise<void> {
      const current = await object(place, kind, id, call).catch(() => undefined);
      if (current && fingerprintOf(current) !== fingerprint) throw faults.conflict();
    }
  }

  return {
    accounts: async (call) => list(paths.accounts(), 'account', shapes.account, call),
    containers: async (accountId, call) =>
      list(paths.containers(accountId), 'container', shapes.container, call),
    workspaces: async (container, call) =>
      list(paths.workspaces(container), 'workspace', shapes.workspace, call),
    workspace: async (place, call) => get(paths.workspace(place), shapes.workspace, call),
    status: async (place, call) => statusOf(await get(paths.status(place), shapes.status, call)),
    list: async (place, kind, call) =>
      list(paths.objects(place, kind), kind, shapes.object(kind), call),
    builtInVariables: async (place, call) =>
      list(paths.builtInVariables(place), 'builtInVariable', shapes.builtInVariable, call),
    live,
    get: object,
    async create(place, kind, body, call) {
      const path = paths.objects(place, kind);
      return shapes.read(shapes.object(kind), await ask({ method: 'POST', path, body }, call));
    },
    update,
    async delete(place, kind, id, call) {
      await ask({ method: 'DELETE', path: paths.object(place, kind, id) }, call);
    },
  };
}

function liveOf(told: z.output<typeof shapes.liveVersion>): LiveVersion {
  const { containerVersionId: versionId, name, tag, trigger, variable, customTemplate } = told;
  return { versionId, name, objects: { tag, trigger, variable, template: customTemplate } };
}

function statusOf({ workspaceChange, mergeConflict }: z.output<typeof shapes.status>) {
  const changes = workspaceChange.map(changeOf).filter((one) => one !== undefined);
  return { changes, conflicts: mergeConflict.length };
}

type Change = WorkspaceStatus['changes'][number];

/** One thing that is not published; there are more kinds of them than those that are read. */
function changeOf({ changeStatus, ...parts }: shapes.Entity): Change | undefined {
  const status = (['added', 'updated', 'deleted'] as const).find(
    (one) => one === changeStatus.toLowerCase(),
  );
  const held = Object.entries(parts).find(([, part]) => typeof part === 'object' && part !== null);
  if (!status || !held) return undefined;
  const [name, object] = held;
  const known = kindSchema.safeParse(name === 'customTemplate' ? 'template' : name);
  const own = known.success ? `${known.data}Id` : `${name}Id`;
  const { [own]: id, type } = object as Record<string, unknown>;
  return { kind: known.data ?? 'other', id: textOf(id) || textOf(type), status };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
