import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';

/** One part's word on itself: fine, or what is wrong in plain words. */
export type Check = () => true | string;

const health = z
  .object({
    status: z.enum(['ok', 'degraded']),
    checks: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string().optional() })),
  })
  .meta({ id: 'Health' });

export type Health = z.infer<typeof health>;

/** What all parts say, put together anew each time that it is asked. */
export function createHealth(checks: Record<string, Check>): () => Health {
  return () => {
    const results = Object.entries(checks).map(([name, check]) => {
      const word = check();
      return [name, word === true ? { ok: true } : { ok: false, detail: word }] as const;
    });
    const status = results.every(([, { ok }]) => ok) ? 'ok' : 'degraded';
    return { status, checks: Object.fromEntries(results) };
  };
}

/** Answers without a key, so it says nothing about tenants or data. */
export const healthRoutes =
  (ask: () => Health): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/health',
      {
        schema: {
          tags: ['Appliance'],
          summary: 'How the appliance is',
          security: [],
          response: { 200: health },
        },
      },
      () => ask(),
    );
  };
