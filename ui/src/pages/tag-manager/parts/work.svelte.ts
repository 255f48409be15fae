import type { JobView } from '$server/tagmanager/connection/schema.ts';
import { api, wordsOf } from '$lib/api.ts';
import { queries } from '$lib/queries.ts';
import { toasts } from '$lib/toasts.svelte.ts';

export const refresh = (): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['tag-manager'] });

/** What work in the background has changed is read again once it has ended. */
export function refreshAfter(work: () => JobView | null | undefined): void {
  let before: string | undefined;
  $effect(() => {
    const now = work()?.started_at;
    if (before !== undefined && now !== before) void refresh();
    before = now;
  });
}

/** Reads the container anew, in the background. */
export const readAgain = (): Promise<void> =>
  attempt('The container cannot be read now', () => api.post('/tag-manager/snapshot'));

export const stopReading = (): Promise<void> =>
  attempt('It was not stopped', () => api.delete('/tag-manager/snapshot/job'));

async function attempt(problem: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    toasts.failed(`${problem}: ${wordsOf(error)}`);
  }
  await queries.invalidateQueries({ queryKey: ['tag-manager', 'connection'] });
}
