import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Metric } from '../platform/metric.ts';
import type { Identity } from './identity.ts';

/** Counts answers by route and status, on every route below `app`. */
export function countAnswers(app: FastifyInstance): Metric {
  const counts = new Map<string, { labels: Record<string, string>; value: number }>();
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const key = `${request.method} ${route} ${reply.statusCode}`;
    let count = counts.get(key);
    if (!count) {
      const labels = { method: request.method, route, status: String(reply.statusCode) };
      counts.set(key, (count = { labels, value: 0 }));
    }
    count.value++;
    done();
  });
  return {
    name: 'vedette_http_answers_total',
    help: 'Answers by method, route and status; the two doors for events have their own',
    type: 'counter',
    labels: ['method', 'route', 'status'],
    read: () => [...counts.values()],
  };
}

/** Prometheus text. It tells of all tenants, so no key that belongs to one may read it. */
export const metricRoutes =
  (metrics: readonly Metric[], identity: Identity): FastifyPluginAsync =>
  async (app) => {
    let scrape: (() => Promise<string>) | undefined;

    app.get(
      '/metrics',
      {
        schema: { hide: true },
        onRequest: identity.requires({ scope: 'metrics' }),
      },
      async (_request, reply) => {
        scrape ??= await registry(metrics);
        return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await scrape());
      },
    );
  };

/** Loaded at the first scrape: most appliances never see one. */
async function registry(metrics: readonly Metric[]): Promise<() => Promise<string>> {
  const { collectDefaultMetrics, Counter, Gauge, Registry } = await import('prom-client');
  const register = new Registry();
  collectDefaultMetrics({ register });
  for (const { name, help, type, labels: labelNames = [], read } of metrics) {
    const values = () => {
      const now = read();
      return typeof now === 'number' ? [{ labels: {}, value: now }] : now;
    };
    if (type === 'gauge') {
      new Gauge({
        name,
        help,
        labelNames,
        registers: [register],
        collect() {
          for (const { labels, value } of values()) this.set(labels, value);
        },
      });
    } else {
      new Counter({
        name,
        help,
        labelNames,
        registers: [register],
        collect() {
          this.reset();
          for (const { labels, value } of values()) this.inc(labels, value);
        },
      });
    }
  }
  return () => register.metrics();
}
