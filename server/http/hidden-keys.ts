import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { inTurns } from '../platform/turns.ts';
import type { Mask } from '../tenants/key-mask.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of who may only read, set by `hidingKeys`: what is searched has to be masked as well. */
    mask?: Mask;
  }
}

/**
 * Routes whose answers may have an API key in them, since one stands in somebody's container: who
 * may only read must not be able to send events with it.
 */
export const hidingKeys =
  (maskNow: () => Mask, routes: readonly FastifyPluginAsyncZod[]): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('preHandler', async (request) => {
      if (request.caller.scope !== 'full') request.mask = maskNow();
    });
    app.addHook('preSerialization', async ({ caller, mask = maskNow() }, _reply, answer) =>
      caller.scope === 'full' ? answer : hiddenIn(answer, mask),
    );
    for (const plugin of routes) await app.register(plugin);
  };

/** A list may be long. */
const hiddenIn = (answer: unknown, mask: Mask): unknown =>
  Array.isArray(answer) ? inTurns(answer, (one) => hidden(one, mask)) : hidden(answer, mask);

/** A copy, since what is answered may be kept in memory. */
function hidden(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((one) => hidden(one, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [mask(name), hidden(one, mask)]),
  );
}
