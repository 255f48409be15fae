import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorAnswers } from '../../http/answers.ts';
import type { Caller, Identity } from '../../http/identity.ts';
import { BY_KEY_OR_SESSION, BY_SESSION } from '../../http/openapi.ts';
import { optionalBody, paging } from '../../http/schema.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Asking, Changes } from './changes.ts';
import {
  auditEntry,
  byChangeId,
  changeDetail,
  changeIds,
  changeQuery,
  changeView,
  installInput,
  newChanges,
} from './schema.ts';

interface Parts {
  changes: Changes;
  identity: Identity;
  whoIs: (caller: Caller) => string;
  clock: Clock;
}

/** A container of some size in one list of changes. */
const MAX_BODY = 20 * 1024 * 1024;

const BASE = '/api/v1/tag-manager';

export const changeRoutes =
  ({ changes, identity, whoIs, clock }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const about = (summary: string) => ({
      tags: ['Tag manager'],
      summary,
      security: BY_KEY_OR_SESSION,
    });
    const toRead = identity.requires({ scope: 'read' });
    const toPropose = identity.requires({ scope: 'full' });
    // What is written into somebody's container is decided on by a person.
    const toDecide = identity.requires({ scope: 'full', session: 'only' });
    const asking = (caller: Caller): Asking => ({
      tenantId: caller.tenantId,
      who: whoIs(caller),
      now: clock.now(),
    });

    app.get(`${BASE}/changes`, {
      schema: {
        ...about('Changes that were proposed, newest first'),
        querystring: changeQuery,
        response: { 200: z.array(changeView), ...errorAnswers(400, 401, 403, 503) },
      },
      onRequest: toRead,
      handler: ({ caller, query }) => changes.list(caller.tenantId, query),
    });

    app.get(`${BASE}/changes/:id`, {
      schema: {
        ...about('One change, with the whole object before and after it'),
        params: byChangeId,
        response: { 200: changeDetail, ...errorAnswers(400, 401, 403, 404, 503) },
      },
      onRequest: toRead,
      handler: ({ caller, params }) => changes.get(caller.tenantId, params.id),
    });

    app.post(`${BASE}/changes`, {
      bodyLimit: MAX_BODY,
      schema: {
        ...about('Propose changes of the container'),
        description:
          'Nothing is written before a person accepts it in the dashboard. An update replaces the whole object; ids, path and fingerprint in it are ignored.',
        body: newChanges,
        response: {
          201: z.array(changeView),
          ...errorAnswers(400, 401, 403, 404, 409, 413, 422, 503),
        },
      },
      onRequest: toPropose,
      handler: async ({ caller, body }, reply) =>
        reply.code(201).send(await changes.propose(asking(caller), body.changes)),
    });

    app.post(`${BASE}/changes/install`, {
      schema: {
        ...about('Propose to install the template and its tag on all events'),
        description:
          'Answers with what is missing for that, and with an empty list when all of it is there. Asked again, it answers with what it has proposed.',
        body: optionalBody(installInput),
        response: { 201: z.array(changeView), ...errorAnswers(400, 401, 403, 409, 422, 503) },
      },
      onRequest: toPropose,
      handler: async ({ caller, body }, reply) =>
        reply.code(201).send(await changes.install(asking(caller), body.url)),
    });

    app.post(`${BASE}/changes/accept`, {
      schema: {
        ...about('Accept changes, all of them or none'),
        security: BY_SESSION,
        description:
          'They are written into the workspace in the background, in the order in which they need each other. When somebody else has changed one of the objects meanwhile, none is. Nothing is ever published.',
        body: changeIds,
        response: { 202: z.array(changeView), ...errorAnswers(400, 401, 403, 404, 409, 422, 503) },
      },
      onRequest: toDecide,
      handler: async ({ caller, body }, reply) =>
        reply.code(202).send(await changes.accept(asking(caller), body.ids)),
    });

    app.post(`${BASE}/changes/reject`, {
      schema: {
        ...about('Reject changes, and those that need them'),
        security: BY_SESSION,
        body: changeIds,
        response: { 200: z.array(changeView), ...errorAnswers(400, 401, 403, 404, 409, 422, 503) },
      },
      onRequest: toDecide,
      handler: ({ caller, body }) => changes.reject(asking(caller), body.ids),
    });

    app.post(`${BASE}/changes/:id/renew`, {
      schema: {
        ...about('Propose a change in conflict again, over what is there now'),
        params: byChangeId,
        response: { 201: changeView, ...errorAnswers(400, 401, 403, 404, 409, 422, 503) },
      },
      onRequest: toPropose,
      handler: async ({ caller, params }, reply) =>
        reply.code(201).send(await changes.renew(asking(caller), params.id)),
    });

    app.post(`${BASE}/changes/resume`, {
      schema: {
        ...about('Go on with writing that was interrupted'),
        response: { 202: z.array(changeView), ...errorAnswers(401, 403, 409, 503) },
      },
      onRequest: toPropose,
      handler: async ({ caller }, reply) =>
        reply.code(202).send(await changes.resume(asking(caller))),
    });

    app.get(`${BASE}/audit`, {
      schema: {
        ...about('Who did what with the tag manager, newest first'),
        description: 'Kept for good.',
        querystring: paging,
        response: { 200: z.array(auditEntry), ...errorAnswers(400, 401, 403, 503) },
      },
      onRequest: toRead,
      handler: ({ caller, query }) => changes.audit(caller.tenantId, query),
    });
  };
