import type { OAuth, OAuthClient } from './oauth.ts';
import type { ConnectionStore } from './store.ts';
import { projectOf } from './view.ts';

interface Parts {
  store: Pick<ConnectionStore, 'list'>;
  oauth: Pick<OAuth, 'withdraw'>;
}

/** Where a person sees and removes what was granted. */
export const GRANTS = 'https://myaccount.google.com/connections';

export type Grants = ReturnType<typeof createGrants>;

/**
 * Google counts all that one person has granted to one project as a single grant, and withdraws it
 * whole; whose grants they are it does not tell.
 */
export function createGrants({ store, oauth }: Parts) {
  /** Whether a connection here may live on the same grant: one of any other tenant than that. */
  function isShared(clientId: string, besides?: string): boolean {
    const project = projectOf({ client_id: clientId });
    return store
      .list()
      .some(
        (record) =>
          record.tenant_id !== besides && record.tokens !== null && projectOf(record) === project,
      );
  }

  return {
    isShared,
    /** What is of no use here should not stand there; unless it could be the end of another. */
    async drop(client: OAuthClient, token: string): Promise<void> {
      if (!isShared(client.id)) await oauth.withdraw(client, token).catch(() => undefined);
    },
  };
}
