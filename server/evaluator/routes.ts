import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorAnswers } from '../http/answers.ts';
import type { Identity } from '../http/identity.ts';
import { BY_KEY_OR_SESSION } from '../http/openapi.ts';
import { optionalBody, paging } from '../http/schema.ts';
import type { Evaluator } from './evaluator.ts';
import { evaluation } from './schema.ts';

export const evaluationRoutes =
  ({ evaluator, identity }: { evaluator: Evaluator; identity: Identity }): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Evaluations'];
    const security = BY_KEY_OR_SESSION;

    app.get('/api/v1/evaluations', {
      schema: {
        tags,
        summary: 'List past cycles, newest first',
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
  };
