import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorAnswers } from '../http/answers.ts';
import type { Hook, Identity } from '../http/identity.ts';
import type { Limiter } from '../http/limits.ts';
import { BY_KEY_OR_SESSION, BY_SESSION } from '../http/openapi.ts';
import { WEBHOOK_TRIES_PER_MINUTE } from '../platform/bounds.ts';
import type { Clock } from '../platform/clock.ts';
import { problems } from '../platform/errors.ts';
import type { Deliveries } from './deliveries.ts';
import {
  byMessageId,
  delivery,
  deliveryQuery,
  deliveryWithPayload,
  webhookSecret,
} from './schema.ts';
import type { Targets } from './targets.ts';

interface Parts {
  deliveries: Deliveries;
  targets: Pick<Targets, 'secret'>;
  identity: Identity;
  clock: Clock;
  /** By tenant. */
  tries: Limiter;
}

export const webhookRoutes =
  ({ deliveries, targets, identity, clock, tries }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const about = (summary: string) => ({
      tags: ['Webhooks'],
      summary,
      security: BY_KEY_OR_SESSION,
    });
    const toRead = identity.requires({ scope: 'read' });
    const withinTries: Hook = async ({ caller }) => {
      const wait = tries.take(caller.tenantId, clock.now());
      if (wait > 0) throw problems.tooMany(WEBHOOK_TRIES_PER_MINUTE, wait);
    };
    const toSend = [identity.requires({ scope: 'full' }), withinTries];

    app.get('/api/v1/webhooks/deliveries', {
      schema: {
        ...about('List what was sent or is to be sent, newest first'),
        description: 'What is finished is kept for 30 days.',
        querystring: deliveryQuery,
        response: { 200: z.array(delivery), ...errorAnswers(400, 401, 403, 503) },
      },
      onRequest: toRead,
      handler: ({ caller, query }) => deliveries.list(caller.tenantId, query),
    });

    app.get('/api/v1/webhooks/deliveries/:id', {
      schema: {
        ...about('One delivery, with what it carries'),
        params: byMessageId,
        response: { 200: deliveryWithPayload, ...errorAnswers(400, 401, 403, 404, 503) },
      },
      onRequest: toRead,
      handler: ({ caller, params }) => deliveries.get(caller.tenantId, params.id),
    });

    app.post('/api/v1/webhooks/deliveries/:id/resend', {
      schema: {
        ...about('Send again, under the same webhook-id'),
        description: 'It is tried at once, and for another three days if need be.',
        params: byMessageId,
        response: { 200: delivery, ...errorAnswers(400, 401, 403, 404, 409, 429, 503) },
      },
      onRequest: toSend,
      handler: ({ caller, params }) => deliveries.resend(caller.tenantId, params.id, clock.now()),
    });

    app.post('/api/v1/webhooks/test', {
      schema: {
        ...about('Send a test, and say how it went'),
        description: 'It is tried once. The answer comes when the receiver has answered.',
        response: { 200: delivery, ...errorAnswers(400, 401, 403, 409, 429, 503) },
      },
      onRequest: toSend,
      handler: ({ caller }) => deliveries.test(caller.tenantId, clock.now()),
    });

    app.get('/api/v1/webhooks/secret', {
      schema: {
        tags: ['Webhooks'],
        summary: 'Show the secret of the webhook again',
        security: BY_SESSION,
        response: { 200: webhookSecret, ...errorAnswers(401, 403, 404, 409) },
      },
      onRequest: identity.requires({ scope: 'full', session: 'only', dashboard: true }),
      handler: async ({ caller }, reply) =>
        reply.header('cache-control', 'no-store').send({ secret: targets.secret(caller.tenantId) }),
    });
  };
