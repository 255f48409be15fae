import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorAnswers } from '../http/answers.ts';
import type { Identity } from '../http/identity.ts';
import { BY_KEY_OR_SESSION } from '../http/openapi.ts';
import { asText, JSON_TYPE } from '../http/text.ts';
import type { Clock } from '../platform/clock.ts';
import { problems } from '../platform/errors.ts';
import type { Alerts } from './alerts.ts';
import {
  activityPoint,
  activityQuery,
  alert,
  alertGroup,
  alertSummary,
  bulkChanged,
  bulkNoted,
  bulkReopen,
  byAlert,
  groupQuery,
  listQuery,
  noted,
  reopened,
} from './schema.ts';

export interface AlertParts extends Alerts {
  identity: Identity;
  clock: Clock;
}

const about = (summary: string, description?: string) => ({
  tags: ['Alerts'],
  summary,
  security: BY_KEY_OR_SESSION,
  ...(description !== undefined && { description }),
});

const GROUPED = 'Count, status and sparkline are of those alerts that the filter lets through.';

export const alertRoutes =
  ({ store, rollups, identity, clock, changes }: AlertParts): FastifyPluginAsyncZod =>
  async (app) => {
    const errors = errorAnswers(400, 401, 403, 429, 503);
    const onRequest = identity.requires({ scope: 'read' });

    app.get('/api/v1/alerts', {
      schema: {
        ...about('List alerts, newest first'),
        querystring: listQuery,
        response: { 200: z.array(alert), ...errors },
      },
      onRequest,
      handler: async ({ caller, query }) => store.list(caller.tenantId, query),
    });

    app.get('/api/v1/alerts/grouped', {
      schema: {
        ...about('Group alerts by rule, the last to fire first', GROUPED),
        querystring: groupQuery,
        response: { 200: z.array(alertGroup), ...errors },
      },
      serializerCompiler: asText,
      onRequest,
      handler: async ({ caller, query }, reply) => {
        const groups = await rollups.groups(caller.tenantId, query, clock.now());
        return reply.type(JSON_TYPE).send(groups as never);
      },
    });

    app.get('/api/v1/alerts/activity', {
      schema: {
        ...about('Count alerts over time, with a point for every bucket'),
        querystring: activityQuery,
        response: { 200: z.array(activityPoint), ...errors },
      },
      onRequest,
      handler: async ({ caller, query }) => rollups.activity(caller.tenantId, query, clock.now()),
    });

    app.get('/api/v1/alerts/summary', {
      schema: {
        ...about('How many alerts wait for someone, and the newest'),
        querystring: z.strictObject({}),
        response: { 200: alertSummary, ...errors },
      },
      onRequest,
      handler: async ({ caller }) => rollups.summary(caller.tenantId),
    });

    app.get('/api/v1/alerts/:alert_id', {
      schema: {
        ...about('Show an alert'),
        params: byAlert,
        response: { 200: alert, ...errorAnswers(400, 401, 403, 404, 429, 503) },
      },
      onRequest,
      handler: async ({ caller, params }) => {
        const found = await store.one(caller.tenantId, params.alert_id);
        if (found === undefined) throw problems.notFound('Alert');
        return found;
      },
    });

    await app.register(changeRoutes({ changes, identity, clock }));

    app.delete('/api/v1/alerts/:alert_id', {
      schema: {
        ...about('Delete an alert for good'),
        params: byAlert,
        response: {
          204: z.null().describe('Done; no body'),
          ...errorAnswers(400, 401, 403, 404, 429, 503),
        },
      },
      onRequest: identity.requires({ scope: 'full' }),
      handler: async ({ caller, params }, reply) => {
        const found = await changes.remove(caller.tenantId, params.alert_id);
        if (!found) throw problems.notFound('Alert');
        return reply.code(204).send(null);
      },
    });
  };

const WORDS = {
  acknowledge: ['Acknowledge an alert', 'Acknowledge all alerts that a filter lets through'],
  resolve: ['Resolve an alert', 'Resolve all alerts that a filter lets through'],
} as const;

const ONE = 'A second time changes nothing; only a new note takes the place of the old one.';
const MANY =
  '`{"filter": {}}` means all of them. Those that are so already stay as they are, with their notes; `ids` names the others.';

const changeRoutes =
  ({ changes, identity, clock }: Pick<AlertParts, 'changes' | 'identity' | 'clock'>) =>
  async (app: Parameters<FastifyPluginAsyncZod>[0]) => {
    const errors = errorAnswers(400, 401, 403, 404, 422, 429, 503);
    const bulkErrors = errorAnswers(400, 401, 403, 422, 429, 503);
    const onRequest = identity.requires({ scope: 'full' });

    for (const to of ['acknowledge', 'resolve'] as const) {
      const [summary, bulkSummary] = WORDS[to];

      app.post(`/api/v1/alerts/:alert_id/${to}`, {
        schema: {
          ...about(summary, ONE),
          params: byAlert,
          body: noted,
          response: { 200: alert, ...errors },
        },
        onRequest,
        handler: async ({ caller, params, body }) =>
          changes.one(caller.tenantId, params.alert_id, { to, note: body.note, now: clock.now() }),
      });

      app.post(`/api/v1/alerts/${to}`, {
        schema: {
          ...about(bulkSummary, MANY),
          body: bulkNoted,
          response: { 200: bulkChanged, ...bulkErrors },
        },
        onRequest,
        handler: async ({ caller, body: { filter, note } }) =>
          changes.all(caller.tenantId, filter, { to, note, now: clock.now() }),
      });
    }

    app.post('/api/v1/alerts/:alert_id/reopen', {
      schema: {
        ...about(
          'Reopen an alert',
          'Neither acknowledged nor resolved any more, unless told otherwise; notes stay.',
        ),
        params: byAlert,
        body: reopened,
        response: { 200: alert, ...errors },
      },
      onRequest,
      handler: async ({ caller, params, body }) =>
        changes.one(caller.tenantId, params.alert_id, { to: wayBack(body), now: clock.now() }),
    });

    app.post('/api/v1/alerts/reopen', {
      schema: {
        ...about('Reopen all alerts that a filter lets through', MANY),
        body: bulkReopen,
        response: { 200: bulkChanged, ...bulkErrors },
      },
      onRequest,
      handler: async ({ caller, body }) =>
        changes.all(caller.tenantId, body.filter, { to: wayBack(body), now: clock.now() }),
    });
  };

const wayBack = ({ keep_acknowledged: keeps }: { keep_acknowledged: boolean }) =>
  keeps ? 'unresolve' : 'reopen';
