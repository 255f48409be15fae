import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Mask } from '../tenants/key-mask.ts';

/**
 * Routes whose answers may have an API key in them, since one stands in somebody's container: who
 * may only read must not be able to send events with it.
 */
export const hidingKeys =
  (maskNow: () => Mask, routes: readonly FastifyPluginAsyncZod[]): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('preSerialization', async ({ caller }, _reply, answer) =>
      caller.scope === 'full' ? answer : hidden(answer, maskNow()),
    );
    for (const plugin of routes) await app.register(plugin);
  };

/** A copy, since what is answered may be kept in memory. */
function hidden(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((one) => hidden(one, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [mask(name), hidden(one, mask)]),
  );
}
