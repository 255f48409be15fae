import { TagManagerFault } from '../faults.ts';
import type { MakeApi } from './connection.ts';
import type { Grants } from './grants.ts';
import type { Lists } from './lists.ts';
import type { Attempt } from './consent.ts';
import type { OAuth } from './oauth.ts';
import type { Tokens } from './schema.ts';
import { projectOf } from './view.ts';

interface Parts {
  lists: Pick<Lists, 'accounts'>;
  grants: Pick<Grants, 'isShared'>;
  oauth: Pick<OAuth, 'refresh' | 'withdraw'>;
  createApi: MakeApi;
}

/**
 * Of the grant that another consent took the place of. Google counts all grants of one person as
 * one, so it may be withdrawn only when it was certainly somebody else's: whose accounts are others.
 */
export function createFormerGrant({ lists, grants, oauth, createApi }: Parts) {
  /** Whether it could be judged, and is withdrawn if it had to be. */
  return async ({ tenantId, client }: Attempt, former: Tokens): Promise<boolean> => {
    if (grants.isShared(client.id, tenantId)) return true;
    try {
      // Its access token may have run out long ago.
      const { access, refresh = former.refresh } = await oauth.refresh(client, former.refresh);
      const project = projectOf({ client_id: client.id });
      const api = createApi({ accessToken: async () => access, project });
      const [theirs, ours] = [await api.accounts(), await lists.accounts(tenantId)];
      const ids = (all: typeof theirs) =>
        all
          .map(({ accountId }) => accountId)
          .toSorted()
          .join();
      if (ids(theirs) !== ids(ours)) await oauth.withdraw(client, refresh);
      return true;
    } catch (error) {
      // Otherwise it stands on, as it would if nobody had looked.
      return error instanceof TagManagerFault && error.code === 'grant_ended';
    }
  };
}
