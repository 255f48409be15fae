import { randomUUID } from 'node:crypto';
import type { LiveVersion } from '../api/api.ts';
import type { Chosen } from '../connection/schema.ts';
import { onlyOurs } from './ours.ts';
import type { Objects, Ours } from './ours.ts';
import type { Found } from './reading.ts';
import type { SnapshotView } from './schema.ts';
import type { Live, Snapshot } from './store.ts';

interface About {
  takenAt: number;
  requests: number;
  previous: SnapshotView | undefined;
  differences: number;
}

/** What was found, with its counts; what of it is ours is judged after that. */
export function snapshotOf(
  { of, status, objects, builtInVariables, live }: Found,
  about: About,
  oursOf: (objects: Objects) => Ours,
): Snapshot {
  const view: SnapshotView = {
    id: randomUUID(),
    taken_at: new Date(about.takenAt).toISOString(),
    of,
    tag_count: objects.tag.length,
    trigger_count: objects.trigger.length,
    variable_count: objects.variable.length,
    built_in_variable_count: builtInVariables,
    template_count: objects.template.length,
    has_unpublished_changes: status.changes.length > 0,
    unpublished_count: status.changes.length,
    merge_conflict_count: status.conflicts,
    template_present: false,
    tag_active: false,
    templates: [],
    tags: [],
    live: null,
    requests: about.requests,
    previous_taken_at: about.previous?.taken_at ?? null,
    difference_count: about.differences,
  };
  return { view, objects, unpublished: status.changes, live: live ? liveOf(live, oursOf) : null };
}

const liveOf = (
  { versionId, name, objects }: LiveVersion,
  oursOf: (objects: Objects) => Ours,
): Live => ({ version_id: versionId, name, objects: onlyOurs(objects, oursOf(objects)) });

/** Where a workspace was published, the next of its name is the same to whoever works in it. */
export function isSame(of: Chosen, chosen: Chosen): boolean {
  return (
    of.container_id === chosen.container_id &&
    (of.workspace_id === chosen.workspace_id || of.workspace_name === chosen.workspace_name)
  );
}
