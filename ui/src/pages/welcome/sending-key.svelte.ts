import { createQuery } from '@tanstack/svelte-query';
import type { KeyView, KeyWithSecret } from '$server/tenants/schema.ts';
import { api } from '$lib/api.ts';
import { now } from '$lib/now.svelte.ts';
import { queries } from '$lib/queries.ts';
import { reads } from '$lib/reads.ts';

/** The key for the snippets: one that may only send events, the newest that is in use. */
export function useSendingKey() {
  const keys = createQuery(() => reads.keys());
  const usable = $derived((keys.data ?? []).filter(isUsable));
  let chosenId = $state('');
  const chosen = $derived(usable.find(({ id }) => id === chosenId) ?? usable[0]);
  const secret = createQuery(() => reads.keySecret(chosen?.id));

  return {
    get error() {
      return keys.error ?? secret.error;
    },
    get isKnown() {
      return keys.data !== undefined;
    },
    get all() {
      return usable;
    },
    get chosen() {
      return chosen;
    },
    get secret() {
      return chosen && secret.data?.secret;
    },
    choose(id: string) {
      chosenId = id;
    },
    async make() {
      const made = await api.post<KeyWithSecret>('/keys', { name: 'Website', scope: 'ingest' });
      queries.setQueryData(['keys', made.id, 'secret'], { secret: made.secret });
      chosenId = made.id;
      await queries.invalidateQueries({ queryKey: ['keys'], exact: true });
    },
  };
}

export type SendingKey = ReturnType<typeof useSendingKey>;

const isUsable = ({ scope, expires_at, replaced_by }: KeyView) =>
  scope === 'ingest' &&
  replaced_by === null &&
  (expires_at === null || Date.parse(expires_at) > now.value);
