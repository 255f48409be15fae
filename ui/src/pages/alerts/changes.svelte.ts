import type { BulkChanged } from '$server/alerts/schema.ts';
import { api, wordsOf } from '$lib/api.ts';
import { queries } from '$lib/queries.ts';
import { toasts } from '$lib/toasts.svelte.ts';
import { plural } from '$lib/words.ts';
import { DEED_WORDS, targetsOf } from './targets.ts';
import type { Deed, Target } from './targets.ts';

/** Counts what was changed from this window: then lists may move, since somebody wanted it. */
let version = $state(0);
export const ownChanges = (): number => version;

export async function refresh(): Promise<void> {
  await queries.invalidateQueries({ queryKey: ['alerts'] });
  version += 1;
}

/** Changes them, says how many there were, and offers the way back. */
export async function carryOut(
  deed: Deed,
  targets: readonly Target[],
  note?: string,
): Promise<boolean> {
  const ids: string[] = [];
  let changed = 0;
  let failure: unknown;
  try {
    for (const target of targets) {
      // What is resolved needs nobody to look at it any more.
      const filter = deed === 'acknowledge' ? { ...target, status: 'open' } : target;
      const answer = await api.post<BulkChanged>(`/alerts/${deed}`, {
        filter,
        ...(note && deed !== 'reopen' && { note }),
      });
      changed += answer.changed;
      ids.push(...answer.ids);
    }
  } catch (error) {
    failure = error;
  }
  const { done } = DEED_WORDS[deed];
  const canUndo = deed !== 'reopen' && changed > 0 && ids.length === changed;
  if (changed > 0) {
    const words = `${done} ${plural(changed, 'alert')}`;
    toasts.done(words, canUndo ? () => takeBack(deed, ids) : undefined);
  } else if (failure === undefined) {
    toasts.done(`Nothing changed: ${deed === 'reopen' ? 'open' : done.toLowerCase()} already`);
  }
  if (failure !== undefined) toasts.failed(wordsOf(failure));
  await refresh();
  return failure === undefined;
}

/** Only what is still as it was left: somebody else may have gone on since. */
async function takeBack(deed: Deed, ids: readonly string[]): Promise<void> {
  const status = deed === 'resolve' ? 'resolved' : 'acknowledged';
  try {
    for (const target of targetsOf(ids)) {
      await api.post('/alerts/reopen', {
        filter: { ...target, status },
        ...(deed === 'resolve' && { keep_acknowledged: true }),
      });
    }
  } catch (error) {
    toasts.failed(wordsOf(error));
  }
  await refresh();
}
