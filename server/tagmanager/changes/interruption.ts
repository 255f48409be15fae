import type { TagManagerFault } from '../faults.ts';
import type { NewEntry } from './audit-store.ts';
import type { Batch, Step } from './batch-store.ts';
import type { Asking } from './propose.ts';
import type { Verbs } from './records.ts';
import { BY_ITSELF, plural } from './words.ts';

/** Says in the audit trail, and of each change, that writing ended halfway, and why. */
export async function noteInterrupted(
  verbs: Verbs,
  tenantId: string,
  { code, message, next }: TagManagerFault,
  now: number,
): Promise<void> {
  const left = await verbs.unfinished(tenantId);
  if (left.length === 0) return;
  await noteEach(verbs, { tenantId, who: BY_ITSELF, now }, left, 'interrupted', (batch, steps) => {
    return `${howFar(batch, steps)}: ${message}`;
  });
  // What was stopped goes on by itself, or its end is told elsewhere.
  if (code === 'stopped') return;
  for (const { id: batch, phase } of left) {
    const accepted = await verbs.heads(tenantId, { batch, statuses: ['accepted'] });
    const ids = accepted.map(({ id }) => id);
    // Going on does not mean the same for both.
    const what = phase === 'undoing' ? 'Interrupted while it was taken back' : 'Interrupted';
    await verbs.setAll(tenantId, ids, { problem: `${what}: ${message} ${next}`.trim() });
  }
}

/** Says in the audit trail who goes on with what was left halfway. */
export async function noteResumed(
  verbs: Verbs,
  asking: Asking,
  occasion: string | null = null,
): Promise<void> {
  const left = await verbs.unfinished(asking.tenantId);
  const when = occasion === null ? '' : `, ${occasion}`;
  await noteEach(verbs, asking, left, 'resumed', ({ who }, { length }) => {
    return `${plural(length, 'change')} accepted by ${who}${when}`;
  });
}

async function noteEach(
  verbs: Verbs,
  { tenantId, who, now }: Asking,
  batches: readonly Batch[],
  deed: NewEntry['deed'],
  wordsFor: (batch: Batch, steps: readonly Step[]) => string,
): Promise<void> {
  for (const batch of batches) {
    const words = wordsFor(batch, await verbs.steps(tenantId, batch.id));
    await verbs.note(tenantId, [{ who, deed, words }], now);
  }
}

function howFar({ phase }: Batch, steps: readonly Step[]): string {
  if (phase === 'looking') return 'Before anything was written';
  const there = steps.filter(({ state }) => state === 'written' || state === 'undoing').length;
  const far = `${there} of ${plural(steps.length, 'change')}`;
  return phase === 'undoing' ? `With ${far} still to be taken back` : `With ${far} written`;
}
