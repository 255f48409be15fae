import { start } from '../../server/appliance.ts';
import type { StartOptions } from '../../server/appliance.ts';
import { silentLog } from '../../server/platform/log.ts';
import { tempDir } from './temp-dir.ts';

export const KEY = 'test-key-0123456789';

/** A whole appliance on a free port with a data directory of its own; `await using` closes it. */
export async function startAppliance(options: Partial<StartOptions> = {}) {
  const dataDir = options.dataDir ?? tempDir();
  const { clock } = options;
  const appliance = await start({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    apiKey: KEY,
    rateLimitEvents: 100_000,
    rateLimitCollect: 100_000,
    // What a test adds to its clock has passed, unless it says otherwise.
    ...(clock && { elapsed: () => clock.now() }),
    ...options,
    dataDir,
  });
  return {
    ...appliance,
    dataDir,
    /** Some come up only while it runs. */
    get notices() {
      return appliance.notices;
    },
    [Symbol.asyncDispose]: () => appliance.close(),

    get: (path: string, headers: Record<string, string> = { 'x-api-key': KEY }) =>
      appliance.app.inject({ method: 'GET', url: `/api/v1${path}`, headers }),

    post: (body: unknown, headers: Record<string, string> = {}) =>
      appliance.app.inject({
        method: 'POST',
        url: '/api/v1/events',
        headers: { 'x-api-key': KEY, 'content-type': 'application/json', ...headers },
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),

    pixel: (d: string, key = KEY) =>
      appliance.app.inject({
        method: 'GET',
        url: `/api/v1/events/collect?k=${encodeURIComponent(key)}&d=${d}`,
      }),
  };
}

export type TestAppliance = Awaited<ReturnType<typeof startAppliance>>;
