import type { ChangeAction, ChangeStatus, ChangeView } from '$server/tagmanager/changes/schema.ts';
import { listed, plural } from '../../../lib/words.ts';

/** What was proposed together. */
export interface Group {
  key: string;
  at: string;
  by: string;
  changes: ChangeView[];
}

/**
 * Those that wait longest first, so that new ones move nothing that one is about to click; in a
 * group, what others need comes before them.
 */
export function groupsOf(changes: readonly ChangeView[]): Group[] {
  const groups = new Map<string, Group>();
  for (const change of changes) {
    const { proposed_at: at, proposed_by: by } = change;
    const key = `${at} ${by}`;
    const group = groups.get(key) ?? { key, at, by, changes: [] };
    groups.set(key, group);
    group.changes.push(change);
  }
  return [...groups.values()]
    .map((group) => ({ ...group, changes: needsFirst(group.changes) }))
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function needsFirst(changes: readonly ChangeView[]): ChangeView[] {
  const byId = idsOf(changes);
  const placed = new Set<ChangeView>();
  const place = (change: ChangeView) => {
    if (placed.has(change)) return;
    // Before it stands in its place: what needs itself must not go round for ever.
    const seen = new Set([change.id]);
    for (const need of closure([change], byId, seen)) placed.add(need);
    placed.add(change);
  };
  for (const change of changes) place(change);
  return [...placed];
}

const idsOf = (changes: readonly ChangeView[]) => new Map(changes.map((one) => [one.id, one]));

/** What the changes need, and what that needs, the deepest first, without what is `seen`. */
function closure(
  changes: readonly ChangeView[],
  byId: ReadonlyMap<string, ChangeView>,
  seen: Set<string>,
): ChangeView[] {
  const found: ChangeView[] = [];
  const follow = (change: ChangeView) => {
    for (const id of change.needs) {
      const need = byId.get(id);
      if (!need || seen.has(id)) continue;
      seen.add(id);
      follow(need);
      found.push(need);
    }
  };
  for (const change of changes) follow(change);
  return found;
}

/** What must be accepted along with them, of what is still open. */
export function neededBy(
  changes: readonly ChangeView[],
  open: readonly ChangeView[],
): ChangeView[] {
  return closure(changes, idsOf(open), new Set(changes.map(({ id }) => id)));
}

/** What falls with them when they are rejected. */
export function needing(changes: readonly ChangeView[], open: readonly ChangeView[]): ChangeView[] {
  const fallen = new Set(changes.map(({ id }) => id));
  const found: ChangeView[] = [];
  for (let isMore = true; isMore;) {
    isMore = false;
    for (const change of open) {
      if (fallen.has(change.id) || !change.needs.some((id) => fallen.has(id))) continue;
      fallen.add(change.id);
      found.push(change);
      isMore = true;
    }
  }
  return found;
}

/** Those that can be decided; what is being written cannot. */
export const isAcceptable = ({ status }: ChangeView): boolean => status === 'proposed';
export const isRejectable = ({ status }: ChangeView): boolean =>
  status === 'proposed' || status === 'conflict';

export const ACTIONS: Record<ChangeAction, { word: string }> = {
  create: { word: 'Create' },
  update: { word: 'Change' },
  delete: { word: 'Delete' },
};

type Mark = 'healthy' | 'warning' | 'skipped' | 'waiting';

export const STATUSES: Record<ChangeStatus, { word: string; mark: Mark }> = {
  proposed: { word: 'Waiting', mark: 'waiting' },
  accepted: { word: 'Accepted', mark: 'waiting' },
  applied: { word: 'Written', mark: 'healthy' },
  rejected: { word: 'Rejected', mark: 'skipped' },
  conflict: { word: 'In conflict', mark: 'warning' },
  withdrawn: { word: 'Withdrawn', mark: 'skipped' },
};

/** tag “Purchase” */
export const nameOf = ({ kind, name }: Pick<ChangeView, 'kind' | 'name'>): string =>
  `${kind} “${name}”`;

/** The first few by name, the others by their number. */
export function namesOf(changes: readonly ChangeView[], most = 3): string {
  const named = changes.slice(0, most).map(nameOf);
  const rest = changes.length - named.length;
  return listed(rest > 0 ? [...named, plural(rest, 'other')] : named);
}
