import { randomUUID } from 'node:crypto';
import { problems } from '../../platform/errors.ts';
import type { Chosen } from '../connection/schema.ts';
import { inOrder } from './order.ts';
import type { Asking } from './propose.ts';
import type { Verbs } from './records.ts';
import type { Change } from './store.ts';
import { isIn, whereaboutsOf } from './whereabouts.ts';
import { toDo } from './words.ts';

/** Makes one batch of them, which is to be written; all of them or none. */
export async function accept(
  verbs: Verbs,
  { tenantId, who, now }: Asking,
  ids: readonly string[],
  chosen: Chosen,
): Promise<void> {
  if ((await verbs.unfinished(tenantId)).length > 0) throw problems.changesInterrupted();
  const changes = await verbs.some(tenantId, { ids });
  if (changes.length < ids.length) throw problems.notFound('Change');
  if (changes.some((one) => one.status !== 'proposed' || !isIn(one, chosen))) {
    throw problems.changeClosed();
  }
  await checkNeeds(verbs, tenantId, changes);
  const batch = randomUUID();
  const at = new Date(now).toISOString();
  await verbs.addBatch(tenantId, { id: batch, ...whereaboutsOf(chosen), who, begunAt: at });
  const ordered = inOrder(changes).map(({ id }) => id);
  await verbs.addSteps(tenantId, batch, ordered);
  const decided = { decidedAt: at, decidedBy: who, problem: null };
  await verbs.setAll(tenantId, ordered, { status: 'accepted', batch, ...decided });
  const entries = changes.map((change) => ({
    ...{ who, deed: 'accepted' as const },
    ...{ changeId: change.id, words: toDo(change) },
  }));
  await verbs.note(tenantId, entries, now);
}

async function checkNeeds(
  verbs: Verbs,
  tenantId: string,
  changes: readonly Change[],
): Promise<void> {
  const own = new Set(changes.map(({ id }) => id));
  const outside = [...new Set(changes.flatMap(({ needs }) => needs))].filter((id) => !own.has(id));
  const needed = await verbs.some(tenantId, { ids: outside });
  const missing = needed.filter(({ status }) => status !== 'applied');
  if (missing.length > 0) throw problems.changeNeeds(missing.map(toDo));
}
