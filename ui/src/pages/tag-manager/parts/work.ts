import type { ConnectionView, JobView } from '$server/tagmanager/connection/schema.ts';
import { api, wordsOf } from '$lib/api.ts';
import { queries } from '$lib/queries.ts';
import { reads } from '$lib/reads.ts';
import { toasts } from '$lib/toasts.svelte.ts';

export const refresh = (): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['tag-manager'] });

const CONNECTION = reads.tagManager().queryKey;

/** An answer is the newest word on the connection. */
export async function take(view: ConnectionView): Promise<void> {
  // A reading that began before would show what was.
  await queries.cancelQueries({ queryKey: CONNECTION });
  queries.setQueryData(CONNECTION, view);
}

export const refreshConnection = (): Promise<void> =>
  queries.invalidateQueries({ queryKey: CONNECTION });

/** Reads the container anew, in the background. */
export async function startReading(): Promise<void> {
  const job = await api.post<JobView>('/tag-manager/snapshot');
  // However short it is, it is seen to begin, so that its end is seen too.
  await queries.cancelQueries({ queryKey: CONNECTION });
  queries.setQueryData<ConnectionView>(CONNECTION, (view) => view && { ...view, job });
  await refreshConnection();
}

export const readAgain = (): Promise<void> =>
  attempt('The container cannot be read now', startReading);

export const stopReading = (): Promise<void> =>
  attempt('It was not stopped', async () => {
    await api.delete('/tag-manager/snapshot/job');
    await refreshConnection();
  });

async function attempt(problem: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    toasts.failed(`${problem}: ${wordsOf(error)}`);
    await refreshConnection();
  }
}
