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
  let before: string | undefined;
  $effect(() => {
    const stage = connection.data && stageOf(connection.data);
    if (stage === undefined) return;
    if (before !== undefined && before !== stage) untrack(refresh);
    before = stage;
  });
}

function refresh(): void {
  void queries.invalidateQueries({
    queryKey: ['tag-manager'],
    predicate: ({ queryKey }) => queryKey[1] !== 'connection' && queryKey[1] !== 'template',
  });
}

/** Stays the same as long as what is known of the container does. */
function stageOf({ state, chosen, connected_at, job, last_failure }: ConnectionView): string {
  const place = chosen && [chosen.container_id, chosen.workspace_id];
  return JSON.stringify([state, place, connected_at, job?.started_at, last_failure?.at]);
}
