import { inTurns } from '../../platform/turns.ts';
import { idOf, nameOf } from '../api/api.ts';
import { kinds } from '../api/schema.ts';
import type { Definition, Kind } from '../api/schema.ts';
import type { JobView } from '../connection/schema.ts';
import { addressOutside } from '../snapshot/our-template.ts';
import type { DifferenceOf, Newest, SnapshotsPart } from './parts.ts';
import type { Records } from './records.ts';
import { referenceTo, withRefs } from './references.ts';
import type { ChangeDetail, ChangeView } from './schema.ts';
import { OPEN } from './store.ts';
import type { Change, Head, Intended } from './store.ts';
import { createWarnings, mayBreakOthers } from './warnings.ts';
import { problemWords } from './words.ts';

interface Parts {
  records: Records;
  snapshots: Pick<SnapshotsPart, 'newest'>;
  jobs: { current: (tenantId: string) => JobView | null };
  differenceOf: DifferenceOf;
  /** Where this appliance is reached. */
  addresses: () => readonly string[];
}

/** What the words for changes are made of. */
interface Surroundings {
  /** By id; those that changes need too. */
  changes: ReadonlyMap<string, Head>;
  names: (kind: Kind, id: string) => string | undefined;
  warningsOf: (change: Change) => string[];
  isWriting: boolean;
}

export type Views = ReturnType<typeof createViews>;

/** Changes as people see them. */
export function createViews({ records, snapshots, jobs, differenceOf, addresses }: Parts) {
  async function surroundings(tenantId: string, changes: readonly Change[]): Promise<Surroundings> {
    const newest = await snapshots.newest(tenantId);
    const { open, needed, intended } = await records.read(async (verbs) => ({
      open: await verbs.heads(tenantId, { statuses: OPEN }),
      needed: await verbs.heads(tenantId, { ids: changes.flatMap(({ needs }) => needs) }),
      intended: changes.some(mayBreakOthers) ? await verbs.intended(tenantId) : [],
    }));
    const known = new Map([...needed, ...open, ...changes].map((one) => [one.id, one]));
    return {
      changes: known,
      names: namesOf(newest, known),
      warningsOf: warningsBy(newest, intended),
      isWriting: jobs.current(tenantId)?.kind === 'apply',
    };
  }

  function viewOf(change: Change, around: Surroundings): ChangeView {
    const { kind, status, current } = change;
    const before = change.before && shown(change, change.before, around);
    const after = change.after && shown(change, change.after, around);
    const isOpen = OPEN.includes(status);
    return {
      id: change.id,
      action: change.action,
      kind,
      object_id: change.objectId,
      name: change.name,
      status,
      needs: change.needs,
      difference: differenceOf(kind, before, after, around.names),
      warnings: isOpen ? [...around.warningsOf(change), ...elsewhere(change)] : [],
      theirs: status === 'conflict' ? differenceOf(kind, before, current, around.names) : null,
      problem: problemOf(change, around),
      proposed_at: change.proposedAt,
      proposed_by: change.proposedBy,
      decided_at: change.decidedAt,
      decided_by: change.decidedBy,
      applied_at: change.appliedAt,
    };
  }

  /** Whoever accepts it would hand all that the template sees to somebody else. */
  function elsewhere({ kind, after }: Change): string[] {
    const url = kind === 'template' && after ? addressOutside(after, addresses()) : null;
    return url === null ? [] : [`It sends to ${url}, where this Vedette is not reached`];
  }

  return {
    async of(tenantId: string, changes: readonly Change[]): Promise<ChangeView[]> {
      if (changes.length === 0) return [];
      const around = await surroundings(tenantId, changes);
      return inTurns(changes, (change) => viewOf(change, around));
    },

    async detail(tenantId: string, change: Change): Promise<ChangeDetail> {
      const view = viewOf(change, await surroundings(tenantId, [change]));
      const { before, after, current } = change;
      return { ...view, before, after, current };
    },
  };
}

function problemOf({ status, problem }: Change, { isWriting }: Surroundings): string | null {
  if (status !== 'accepted') return problem;
  return isWriting ? null : (problem ?? problemWords.interrupted);
}

/** What stands for something that is not made yet, in the form of an id. */
function standIn(id: string): string {
  return id.replaceAll('-', '');
}

/** With the ids of what was made meanwhile, or what stands for it. */
function shown({ container }: Change, body: Definition, { changes }: Surroundings): Definition {
  return withRefs(body, (ref, field) => {
    const needed = changes.get(ref);
    if (needed === undefined) return undefined;
    return referenceTo(container, needed.objectId ?? standIn(ref), field);
  });
}

function namesOf(
  newest: Newest | undefined,
  changes: ReadonlyMap<string, Head>,
): Surroundings['names'] {
  const names = new Map<string, string>();
  for (const { id, kind, objectId, name } of changes.values()) {
    names.set(`${kind}/${objectId ?? standIn(id)}`, name);
  }
  for (const kind of kinds) {
    for (const object of newest?.objects[kind] ?? []) {
      names.set(`${kind}/${idOf(kind, object)}`, nameOf(object));
    }
  }
  return (kind, id) => names.get(`${kind}/${id}`);
}

function warningsBy(newest: Newest | undefined, intended: readonly Intended[]) {
  if (newest === undefined) return () => [];
  const container = newest.view.of.container_id;
  const warningsOf = createWarnings(container, newest.objects, intended);
  return (change: Change) => (change.container === container ? warningsOf(change) : []);
}
