import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorAnswers } from '../http/answers.ts';
import type { Identity } from '../http/identity.ts';
import { BY_KEY_OR_SESSION } from '../http/openapi.ts';
import { optionalBody, paging } from '../http/schema.ts';
import { asText, JSON_TYPE } from '../http/text.ts';
import type { Clock } from '../platform/clock.ts';
import type { Collector } from './collector.ts';
import type { Evaluator } from './evaluator.ts';
import type { History } from './history.ts';
import {
  collectorQuery,
  collectorView,
  evaluation,
  historyQuery,
  ruleHistory,
  ruleStates,
  statesQuery,
} from './schema.ts';

export interface EvaluationParts {
  evaluator: Evaluator;
  history: History;
  collector: Collector;
  identity: Identity;
  clock: Clock;
}

const KEPT = 'Kept for 30 days. Rules that no cycle has judged in that time are left out.';

export const evaluationRoutes =
  ({ evaluator, history, collector, identity, clock }: EvaluationParts): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Evaluations'];
    const security = BY_KEY_OR_SESSION;

    app.get('/api/v1/evaluations', {
      schema: {
        tags,
        summary: 'List past cycles, newest first',
        description: 'Of the checks without an active rule, only the newest is kept.',
        security,
        querystring: paging,
        response: { 200: z.array(evaluation), ...errorAnswers(400, 401, 403, 429, 503) },
      },
      onRequest: identity.requires({ scope: 'read' }),
      handler: async ({ caller, query }) => evaluator.list(caller.tenantId, query),
    });

    app.post('/api/v1/evaluations', {
      schema: {
        tags,
        summary: 'Evaluate all active rules now',
        description: 'Counts as a cycle. Everything that was received before this request is seen.',
        security,
        body: optionalBody(z.strictObject({})),
        response: { 201: evaluation, ...errorAnswers(400, 401, 403, 422, 429, 503) },
      },
      onRequest: identity.requires({ scope: 'full' }),
      handler: async ({ caller }, reply) =>
        reply.code(201).send(await evaluator.runNow(caller.tenantId)),
    });

    app.get('/api/v1/rules/history', {
      schema: {
        tags: ['Rules'],
        summary: 'What the past cycles found about each rule, oldest first',
        description: `${KEPT} Of all rules at most 24 hours; of one, named in rule_id, up to 168.`,
        security,
        querystring: historyQuery,
        response: { 200: z.array(ruleHistory), ...errorAnswers(400, 401, 403, 429, 503) },
      },
      serializerCompiler: asText,
      onRequest: identity.requires({ scope: 'read' }),
      handler: async ({ caller, query }, reply) =>
        reply
          .type(JSON_TYPE)
          .send((await history.points(caller.tenantId, query, clock.now())) as never),
    });

    app.get('/api/v1/rules/history/states', {
      schema: {
        tags: ['Rules'],
        summary: 'What the past cycles found about each rule, in a letter for each quarter hour',
        description: KEPT,
        security,
        querystring: statesQuery,
        response: { 200: ruleStates, ...errorAnswers(400, 401, 403, 429, 503) },
      },
      onRequest: identity.requires({ scope: 'read' }),
      handler: async ({ caller, query }) => history.states(caller.tenantId, query, clock.now()),
    });

    app.get('/api/v1/collector', {
      schema: {
        tags: ['Collector'],
        summary: 'Whether the collector listens, and when it did not',
        security,
        querystring: collectorQuery,
        response: { 200: collectorView, ...errorAnswers(400, 401, 403, 429, 503) },
      },
      onRequest: identity.requires({ scope: 'read' }),
      handler: async ({ caller, query }) =>
        collector(caller.tenantId, query.time_range, clock.now()),
    });
  };
