import { createQuery } from '@tanstack/svelte-query';
import { untrack } from 'svelte';
import type { ConnectionView } from '$server/tagmanager/connection/schema.ts';
import { queries } from '$lib/queries.ts';
import { reads } from '$lib/reads.ts';

/**
 * What is known of the container changes when a job has ended or another container was chosen:
 * then everything that is shown of it is read again.
 */
export function refreshWithConnection(): void {
  const connection = createQuery(() => reads.tagManager());
  let before: ConnectionView | undefined;
  $effect(() => {
    const view = connection.data;
    if (!view) return;
    if (before && isNews(before, view)) untrack(refresh);
    before = view;
  });
}

function isNews(before: ConnectionView, now: ConnectionView): boolean {
  const isOver = before.job !== null && before.job.started_at !== now.job?.started_at;
  return isOver || placeOf(before) !== placeOf(now);
}

function refresh(): void {
  void queries.invalidateQueries({
    queryKey: ['tag-manager'],
    predicate: ({ queryKey }) => queryKey[1] !== 'connection' && queryKey[1] !== 'template',
  });
}

/** Of which container, by whose grant, and how often reading it came to nothing. */
function placeOf({ state, chosen, connected_at, last_failure }: ConnectionView): string {
  const { container_id, workspace_id } = chosen ?? {};
  return [state, container_id, workspace_id, connected_at, last_failure?.at].join();
}
