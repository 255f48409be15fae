import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorAnswers } from '../../http/answers.ts';
import type { Identity } from '../../http/identity.ts';
import { BY_KEY_OR_SESSION } from '../../http/openapi.ts';
import { job } from '../connection/schema.ts';
import type { Container } from './container.ts';
import {
  byKindAndId,
  containerObject,
  latestSnapshot,
  objectDetail,
  objectDifference,
  objectQuery,
  verification as verificationView,
} from './schema.ts';
import type { Snapshots } from './take.ts';
import type { VerificationPart } from './verification.ts';

interface Parts {
  snapshots: Pick<Snapshots, 'begin' | 'stop'>;
  container: Container;
  verification: VerificationPart;
  identity: Identity;
}

export const snapshotRoutes =
  ({ snapshots, container, verification, identity }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const about = (summary: string) => ({
      tags: ['Tag manager'],
      summary,
      security: BY_KEY_OR_SESSION,
    });
    const toRead = identity.requires({ scope: 'read' });
    const toSync = identity.requires({ scope: 'full' });

    app.post('/api/v1/tag-manager/snapshot', {
      schema: {
        ...about('Read the chosen workspace anew'),
        description:
          'Goes on in the background at the pace that the API of the tag manager allows; the connection tells how far it is.',
        response: { 202: job, ...errorAnswers(401, 403, 404, 409, 503) },
      },
      onRequest: toSync,
      handler: async ({ caller }, reply) => reply.code(202).send(snapshots.begin(caller.tenantId)),
    });

    app.delete('/api/v1/tag-manager/snapshot/job', {
      schema: {
        ...about('Stop the snapshot that is under way'),
        description: 'The one before it stays. Changes that are being written are not stopped.',
        response: { 204: z.null().describe('Done; no body'), ...errorAnswers(401, 403, 409) },
      },
      onRequest: toSync,
      handler: async ({ caller }, reply) => {
        await snapshots.stop(caller.tenantId);
        return reply.code(204).send(null);
      },
    });

    app.get('/api/v1/tag-manager/snapshot', {
      schema: {
        ...about('The newest snapshot of the chosen workspace'),
        response: { 200: latestSnapshot, ...errorAnswers(401, 403, 503) },
      },
      onRequest: toRead,
      handler: ({ caller }) => container.latest(caller.tenantId),
    });

    app.get('/api/v1/tag-manager/snapshot/objects', {
      schema: {
        ...about('List tags, triggers, variables and templates, by kind and name'),
        querystring: objectQuery,
        response: { 200: z.array(containerObject), ...errorAnswers(400, 401, 403, 503) },
      },
      onRequest: toRead,
      handler: ({ caller, query, mask }) => container.objects(caller.tenantId, query, mask),
    });

    app.get('/api/v1/tag-manager/snapshot/objects/:kind/:id', {
      schema: {
        ...about('One of them, with its settings'),
        params: byKindAndId,
        response: { 200: objectDetail, ...errorAnswers(400, 401, 403, 404, 503) },
      },
      onRequest: toRead,
      handler: ({ caller, params }) => container.object(caller.tenantId, params.kind, params.id),
    });

    app.get('/api/v1/tag-manager/snapshot/differences', {
      schema: {
        ...about('What changed since the snapshot before it'),
        description:
          'Of texts of more than 20,000 characters the part that differs is shown; where very much changed, the last of it without its settings.',
        response: { 200: z.array(objectDifference), ...errorAnswers(401, 403, 503) },
      },
      onRequest: toRead,
      handler: ({ caller }) => container.differences(caller.tenantId),
    });

    app.get('/api/v1/tag-manager/verification', {
      schema: {
        ...about('Whether events arrive by way of the tag manager, and what is missing'),
        response: { 200: verificationView, ...errorAnswers(401, 403, 503) },
      },
      onRequest: toRead,
      handler: ({ caller }) => verification.check(caller.tenantId),
    });
  };
