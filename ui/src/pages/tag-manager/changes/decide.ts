import type { ChangeView } from '$server/tagmanager/changes/schema.ts';
import { api, ApiError, wordsOf } from '$lib/api.ts';
import { confirm } from '$lib/confirm.svelte.ts';
import { toasts } from '$lib/toasts.svelte.ts';
import { plural } from '$lib/words.ts';
import { refresh } from '../parts/work.ts';
import { isAcceptable, isRejectable, namesOf, neededBy, needing } from './groups.ts';

/** As many as the appliance decides at once. */
export const MOST_AT_ONCE = 500;

/** What is to be accepted, with what it needs; without what stands on a change in conflict. */
export function acceptable(
  changes: readonly ChangeView[],
  open: readonly ChangeView[],
): ChangeView[] {
  const ready = changes.filter(
    (change) => isAcceptable(change) && neededBy([change], open).every(isAcceptable),
  );
  return [...neededBy(ready, open), ...ready];
}

/** Takes along what they need; asks before anything is deleted. */
export async function accept(
  changes: readonly ChangeView[],
  open: readonly ChangeView[],
): Promise<void> {
  const all = acceptable(changes, open);
  const deleted = all.filter(({ action }) => action === 'delete');
  if (all.length === 0 || (deleted.length > 0 && !(await mayDelete(deleted, all.length)))) return;
  await decide('accepted', async () => {
    await api.post('/tag-manager/changes/accept', { ids: all.map(({ id }) => id) });
    return `Accepted ${plural(all.length, 'change')}. They are written now; nothing is published.`;
  });
}

const mayDelete = (deleted: readonly ChangeView[], all: number) =>
  confirm.ask({
    title:
      deleted.length === 1
        ? `Delete ${namesOf(deleted)}?`
        : `Delete ${plural(deleted.length, 'object')}?`,
    text: `${namesOf(deleted, 5)} will be gone from the workspace${others(all - deleted.length)}. Until the workspace is published, visitors still get what is live.`,
    action: 'Accept and delete',
  });

const others = (count: number): string =>
  count === 0 ? '' : `; ${plural(count, 'other change')} ${count === 1 ? 'is' : 'are'} written too`;

export async function reject(
  changes: readonly ChangeView[],
  open: readonly ChangeView[],
): Promise<void> {
  const asked = changes.filter(isRejectable);
  const fallen = needing(asked, open).filter(isRejectable);
  const all = [...asked, ...fallen];
  if (asked.length === 0) return;
  const along =
    fallen.length === 0
      ? ''
      : `, and what needs ${asked.length === 1 ? 'it' : 'them'}: ${namesOf(fallen, 5)}`;
  const yes =
    all.length === 1 ||
    (await confirm.ask({
      title: `Reject ${plural(all.length, 'change')}?`,
      text: `${namesOf(asked, 5)}${along}. Nothing is written; they stay in the history, and would have to be proposed again.`,
      action: 'Reject',
    }));
  if (!yes) return;
  await decide('rejected', async () => {
    await api.post('/tag-manager/changes/reject', { ids: all.map(({ id }) => id) });
    return `Rejected ${plural(all.length, 'change')}.`;
  });
}

/** The same again, over what somebody else made of it meanwhile. */
export const renew = (change: ChangeView): Promise<void> =>
  decide('proposed again', async () => {
    await api.post(`/tag-manager/changes/${change.id}/renew`);
    return 'Proposed again, over what is there now.';
  });

export const resume = (): Promise<void> =>
  decide('resumed', async () => {
    await api.post('/tag-manager/changes/resume');
    return 'Going on with what was interrupted.';
  });

/** Says how it went, and shows how things stand then, whoever else was at them. */
async function decide(word: string, act: () => Promise<string>): Promise<void> {
  try {
    toasts.done(await act());
  } catch (error) {
    const isMeanwhile = error instanceof ApiError && [404, 409].includes(error.status);
    const now = isMeanwhile ? ' What is shown is now as it stands.' : '';
    toasts.failed(`Not ${word}: ${sentence(wordsOf(error))}${now}`);
  }
  await refresh();
}

const sentence = (words: string): string => (/[.!?]$/.test(words) ? words : `${words}.`);
