import type { tagmanager_v2 } from '@googleapis/tagmanager';
import { refusals } from './answers.ts';
import { shown } from './objects.ts';
import { FAMILIES, KINDS } from './shapes.ts';
import type { ObjectKind } from './shapes.ts';
import { copyOf, found, placeOf } from './world.ts';
import type { Content, ContainerState, Place, WorkspaceState, World } from './world.ts';

type Version = tagmanager_v2.Schema$ContainerVersion;
type Entity = tagmanager_v2.Schema$Entity;

/** What makes versions and publishes them. The real thing can, so whoever must not is seen here. */
export function createVersions(world: World) {
  /** The workspace goes; a new one, of its name and with another id, takes its place. */
  function make(place: Place, name = ''): { versionId: string; workspace: WorkspaceState } {
    const state = world.containerOf(place);
    const { workspace, content } = world.workspaceOf(place);
    const versionId = add(state, name, content);
    state.workspaces.delete(place.workspaceId);
    const fresh = world.addWorkspace(
      ...([state, workspace.name ?? '', copyOf(content)] as const),
      workspace.description ?? undefined,
    );
    return { versionId, workspace: fresh };
  }

  function publish(container: ContainerState, versionId: string): void {
    found(container.versions.get(versionId));
    container.live = versionId;
  }

  /** As if all that the workspace holds had always been live. */
  function settle(place: Place): void {
    const state = world.containerOf(place);
    const workspace = world.workspaceOf(place);
    publish(state, add(state, 'Start', workspace.content));
    workspace.base = copyOf(workspace.content);
  }

  function add({ versions }: ContainerState, name: string, content: Content): string {
    const versionId = String(versions.size + 1);
    const fingerprint = world.fingerprint();
    versions.set(versionId, { name, content: copyOf(content), fingerprint });
    return versionId;
  }

  return { make, publish, settle };
}

export type VersionVerbs = ReturnType<typeof createVersions>;

export function versionView(state: ContainerState, versionId: string): Version {
  const { name, content, fingerprint } = found(state.versions.get(versionId));
  const { accountId, containerId, path } = state.container;
  const view: Version = {
    ...{ path: `${path}/versions/${versionId}`, accountId, containerId },
    ...{ containerVersionId: versionId, name, fingerprint, container: state.container },
    ...some('tag', [...content.tag.values()]),
    ...some('trigger', [...content.trigger.values()]),
    ...some('variable', [...content.variable.values()]),
    ...some('customTemplate', [...content.template.values()]),
    ...some('folder', [...content.folder.values()]),
    ...some('builtInVariable', [...content.builtInVariable.values()]),
  };
  return view;
}

export function liveView(state: ContainerState): Version {
  if (state.live === undefined) throw refusals.neverPublished();
  return versionView(state, state.live);
}

export function headerOf(
  state: ContainerState,
  versionId: string,
): tagmanager_v2.Schema$ContainerVersionHeader {
  const { name, content } = found(state.versions.get(versionId));
  const { accountId, containerId, path } = state.container;
  return {
    ...{ path: `${path}/version_headers/${versionId}`, accountId, containerId },
    ...{ containerVersionId: versionId, name },
    ...{ numTags: String(content.tag.size), numTriggers: String(content.trigger.size) },
    numVariables: String(content.variable.size),
    numCustomTemplates: String(content.template.size),
  };
}

/** An empty list is left out of an answer. */
export function some<N extends string, T>(name: N, list: T[]): Partial<Record<N, T[]>> {
  return list.length === 0 ? {} : ({ [name]: list } as Record<N, T[]>);
}

interface Change {
  kind: ObjectKind;
  id: string;
  status: 'added' | 'updated' | 'deleted';
}

/** What is unpublished, and what was changed by somebody else and published meanwhile. */
export function statusView(
  state: ContainerState,
  workspace: WorkspaceState,
): tagmanager_v2.Schema$GetWorkspaceStatusResponse {
  const { content, base } = workspace;
  const live = state.versions.get(state.live ?? '')?.content ?? base;
  const place = placeOf(workspace);
  const ours = changesOf(base, content);
  const theirs = new Set(changesOf(base, live).map(({ kind, id }) => `${kind} ${id}`));
  const conflicts = ours.filter(({ kind, id }) => theirs.has(`${kind} ${id}`));
  const entity = (change: Change, at: Content) => entityOf(place, change, at);
  return {
    ...some(
      'workspaceChange',
      ours.map((change) => entity(change, change.status === 'deleted' ? base : content)),
    ),
    ...some(
      'mergeConflict',
      conflicts.map((change) => ({
        entityInWorkspace: entity(change, change.status === 'deleted' ? base : content),
        ...(live[change.kind].has(change.id) && { entityInBaseVersion: entity(change, live) }),
      })),
    ),
  };
}

function changesOf(before: Content, after: Content): Change[] {
  return KINDS.flatMap((kind) => {
    const changes: Change[] = [];
    for (const [id, object] of after[kind]) {
      const old = before[kind].get(id);
      if (!old) changes.push({ kind, id, status: 'added' });
      else if (old.fingerprint !== object.fingerprint)
        changes.push({ kind, id, status: 'updated' });
    }
    for (const id of before[kind].keys()) {
      if (!after[kind].has(id)) changes.push({ kind, id, status: 'deleted' });
    }
    return changes;
  });
}

function entityOf(place: Place, { kind, id, status }: Change, content: Content): Entity {
  const object = shown(place, kind, found(content[kind].get(id)));
  return { [FAMILIES[kind].entity]: object, changeStatus: status };
}
