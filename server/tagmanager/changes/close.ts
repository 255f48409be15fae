import type { Batch, Step } from './batch-store.ts';
import type { Asking } from './propose.ts';
import type { Verbs } from './records.ts';
import type { Deed } from './schema.ts';
import type { Change, Head } from './store.ts';
import { called, done, problemWords, toDo } from './words.ts';

/** Ends a change without writing it. */
export async function close(
  verbs: Verbs,
  { tenantId, who, now }: Asking,
  change: Head,
  status: 'rejected' | 'withdrawn',
  why: string | null,
  deed: Deed = status,
): Promise<void> {
  const decidedAt = new Date(now).toISOString();
  await verbs.set(tenantId, change.id, { status, problem: why, decidedAt, decidedBy: who });
  const words = why === null ? toDo(change) : `${toDo(change)}: ${why}`;
  await verbs.note(tenantId, [{ who, deed, changeId: change.id, words }], now);
}

/** Ends a batch that nobody goes on with: what was written of it stays, and is said to. */
export async function abandon(
  verbs: Verbs,
  asking: Asking,
  batch: Batch,
  status: 'rejected' | 'withdrawn',
  why: string,
): Promise<void> {
  const { tenantId, who, now } = asking;
  const changes = await verbs.some(tenantId, { batch: batch.id });
  const steps = await verbs.steps(tenantId, batch.id);
  const words = `Cannot be gone on with: ${why} ${summary(batch, steps, changes)}`;
  await verbs.note(tenantId, [{ who, deed: 'failed', words }], now);
  for (const step of steps) {
    const change = changes.find(({ id }) => id === step.change);
    if (change === undefined) continue;
    const fate = fateOf(batch, step);
    if (fate === 'stays') await stay(verbs, asking, change, step, why);
    else {
      const problem = fate === 'unknown' ? `${why} ${problemWords.unknown}` : why;
      await close(verbs, asking, change, status, problem);
    }
  }
  await verbs.removeSteps(tenantId, batch.id);
  const finishedAt = new Date(now).toISOString();
  await verbs.setBatch(tenantId, batch.id, { phase: 'abandoned', finishedAt });
}

/** It was written, whatever became of the rest. */
async function stay(
  verbs: Verbs,
  { tenantId, who, now }: Asking,
  change: Change,
  { objectId }: Step,
  why: string,
): Promise<void> {
  const problem = `${why} ${problemWords.stays}`;
  const appliedAt = new Date(now).toISOString();
  const to = { status: 'applied', appliedAt, objectId: objectId ?? change.objectId } as const;
  await verbs.set(tenantId, change.id, { ...to, problem });
  const words = `${done(change)}: ${problem}`;
  await verbs.note(tenantId, [{ who, deed: 'applied', changeId: change.id, words }], now);
}

type Fate = 'stays' | 'unknown' | 'nothing';

function fateOf({ verdict }: Batch, { state, change }: Step): Fate {
  if (state === 'writing' || state === 'undoing') return 'unknown';
  if (state === 'left') return change === verdict?.change ? 'unknown' : 'stays';
  return state === 'written' ? 'stays' : 'nothing';
}

/** What of it stays in the tag manager. */
function summary(batch: Batch, steps: readonly Step[], changes: readonly Change[]): string {
  const names = (fate: Fate) =>
    steps
      .filter((step) => fateOf(batch, step) === fate)
      .flatMap((step) => changes.filter(({ id }) => id === step.change))
      .map((change) => `${change.action} ${called(change)}`)
      .join(', ');
  const [written, unknown] = [names('stays'), names('unknown')];
  const parts = [
    written && `Was written and stays: ${written}.`,
    unknown && `May have been written or taken back: ${unknown}.`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' ') : 'Nothing of it was written.';
}
