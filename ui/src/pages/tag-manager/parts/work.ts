import { api, wordsOf } from '$lib/api.ts';
import { queries } from '$lib/queries.ts';
import { toasts } from '$lib/toasts.svelte.ts';

export const refresh = (): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['tag-manager'] });

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
