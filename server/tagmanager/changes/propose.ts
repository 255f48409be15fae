import { problems } from '../../platform/errors.ts';
import type { Draft } from './draft.ts';
import { draftsOf } from './draft.ts';
import type { Ground } from './ground.ts';
import type { Records, Verbs } from './records.ts';
import type { NewChange } from './schema.ts';
import type { Change } from './store.ts';
import type { Whereabouts } from './store.ts';
import { toDo } from './words.ts';

/** Who asks for something, and when. */
export interface Asking {
  tenantId: string;
  who: string;
  now: number;
}

export function proposalOf(
  draft: Draft,
  of: Whereabouts,
  asking: Asking,
  madeFor: Change['madeFor'] = null,
): Change {
  const { id, action, kind, objectId, name, before, after, needs } = draft;
  return {
    ...{ id, action, kind, objectId, name, before, after, needs },
    ...of,
    madeFor,
    takesOver: null,
    batch: null,
    ...undecided(asking),
    appliedAt: null,
  };
}

/** Of a change, what stands of it before anybody has decided on it. */
export const undecided = ({ who, now }: Asking) => ({
  current: null,
  status: 'proposed' as const,
  problem: null,
  proposedAt: new Date(now).toISOString(),
  proposedBy: who,
  decidedAt: null,
  decidedBy: null,
});

/** As many as a person can still decide on, and one answer can hold. */
export const MOST_OPEN = 1000;

/** Keeps proposals, and says so in the audit trail. */
export async function keep(
  verbs: Verbs,
  proposals: readonly Change[],
  { tenantId, who, now }: Asking,
): Promise<void> {
  const open = await verbs.open(tenantId);
  if (open + proposals.length > MOST_OPEN) throw problems.tooManyOpen(open, MOST_OPEN);
  await verbs.add(tenantId, proposals);
  const entries = proposals.map((change) => ({
    ...{ who, deed: 'proposed' as const },
    ...{ changeId: change.id, words: toDo(change) },
  }));
  await verbs.note(tenantId, entries, now);
}

interface Parts {
  ground: (tenantId: string) => Promise<Ground>;
  records: Records;
}

export const createPropose =
  ({ ground, records }: Parts) =>
  async (asking: Asking, changes: readonly NewChange[]): Promise<Change[]> => {
    const base = await ground(asking.tenantId);
    const proposals = draftsOf(changes, base).map((draft) => proposalOf(draft, base.of, asking));
    await records.write((verbs) => keep(verbs, proposals, asking));
    return proposals;
  };
