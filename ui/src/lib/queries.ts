import { QueryClient } from '@tanstack/svelte-query';
import { ApiError } from './api.ts';
import { connection } from './connection.svelte.ts';

/**
 * What was read from the appliance. Pages show what is here at once and ask again quietly; keys
 * begin with the capability: ['alerts', 'grouped', filter].
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // Long enough for the parts of one page to share an answer.
      staleTime: 1_000,
      gcTime: 10 * 60_000,
      retry: (failures, error) => isPassing(error) && failures < 2,
      retryDelay: (failures, error) => waitOf(error) || 1_000 * 2 ** failures,
      refetchOnWindowFocus: true,
      // Else what is read only after something else has come would stay as it was at first.
      notifyOnChangeProps: 'all',
      // Loopback and LAN work without the internet, which is what the browser would ask about.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

connection.onReturn(() => void queries.invalidateQueries());

function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.status === 0 || error.status === 429 || error.status >= 500;
}

/** As long as the answer said, in milliseconds, but for no longer than somebody would wait. */
function waitOf(error: unknown): number {
  return error instanceof ApiError ? Math.min(error.wait, 10) * 1_000 : 0;
}
