import { browserWords } from '../../session/browser-words.ts';
import type { SessionStore } from '../../session/store.ts';
import type { TenantStore } from '../../tenants/store.ts';

/** Of who asks, as much as it takes to name them. */
interface Caller {
  readonly tenantId: string;
  readonly keyId?: string;
  readonly sessionId?: string;
}

interface Parts {
  sessions: Pick<SessionStore, 'get'>;
  tenants: Pick<TenantStore, 'listKeys'>;
}

/** In the middle of what is said. */
const UNNAMED = 'an unnamed program';

/** Who did something, in words that still say it when the session or the key is gone. */
export function createWho({ sessions, tenants }: Parts) {
  return ({ tenantId, keyId, sessionId }: Caller): string => {
    if (keyId !== undefined) {
      const key = tenants.listKeys(tenantId).find(({ id }) => id === keyId);
      return key ? `Key "${key.name}" (…${key.last_four})` : 'A key that is gone';
    }
    if (sessionId === undefined) return 'Somebody';
    try {
      const session = sessions.get(sessionId);
      const browser = session.user_agent === '' ? UNNAMED : browserWords(session.user_agent);
      return `Dashboard, ${browser}, ${session.address}`;
    } catch {
      return 'Dashboard';
    }
  };
}
