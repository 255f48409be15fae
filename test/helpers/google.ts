import type { StartOptions } from '../../server/appliance.ts';
import { PUBLIC_CLIENT, startIdentityProvider } from './identity-provider.ts';
import { startTagManagerApi } from './tag-manager-api/start.ts';
import type { TagManagerApiOptions } from './tag-manager-api/start.ts';

/** So much that nobody waits for it. */
const PLENTY = { requests: 10_000, withinMs: 1000, perDay: 1_000_000 };

/**
 * The identity provider and the tag manager's API on this machine, the second of which takes the
 * tokens of the first. `await using` closes them.
 */
export async function startGoogle(options: TagManagerApiOptions = {}) {
  const identity = await startIdentityProvider();
  const api = await startTagManagerApi({
    tokens: (token) => identity.introspect(token),
    ...options,
  });
  const endpoints = { api: api.url, ...identity.endpoints };
  return {
    ...{ identity, api, endpoints, clientId: PUBLIC_CLIENT },
    /** For an appliance that takes these two for Google. */
    options: {
      tagmanagerEndpoints: JSON.stringify(endpoints),
      tagManagerQuota: PLENTY,
    } satisfies Partial<StartOptions>,
    async [Symbol.asyncDispose]() {
      await api.close();
      await identity[Symbol.asyncDispose]();
    },
  };
}

export type Google = Awaited<ReturnType<typeof startGoogle>>;
