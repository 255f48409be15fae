import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorAnswers } from '../../http/answers.ts';
import type { Caller, Identity } from '../../http/identity.ts';
import { BY_KEY_OR_SESSION, BY_SESSION } from '../../http/openapi.ts';
import type { Connection } from './connection.ts';
import {
  accountQuery,
  accountView,
  answerInput,
  clientInput,
  connectionView,
  containerQuery,
  containerView,
  disconnected,
  selection,
  workspaceQuery,
  workspaceView,
} from './schema.ts';

interface Parts {
  connection: Connection;
  whoIs: (caller: Caller) => string;
  identity: Identity;
}

const PATH = '/api/v1/tag-manager';

export const connectionRoutes =
  ({ connection, whoIs, identity }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const about = (summary: string) => ({
      ...{ tags: ['Tag manager'], summary, security: BY_KEY_OR_SESSION },
    });
    const toRead = identity.requires({ scope: 'read' });
    const toConnect = identity.requires({ scope: 'full', dashboard: true });
    const inPerson = identity.requires({ scope: 'full', session: 'only', dashboard: true });
    app.addHook('onSend', async (_request, reply) => {
      // What is shown may be good for an answer to the consent screen.
      reply.header('cache-control', 'no-store');
    });

    app.get(`${PATH}/connection`, {
      schema: {
        ...about('How the connection is'),
        description: 'The address of an open consent screen is shown to a session alone.',
        response: { 200: connectionView, ...errorAnswers(401, 403) },
      },
      onRequest: toRead,
      handler: async ({ caller: { tenantId, via } }) =>
        connection.view(tenantId, { showsConsent: via === 'session' }),
    });

    app.put(`${PATH}/connection/client`, {
      schema: {
        ...about('Set the OAuth client to connect with'),
        description: 'Not while it is connected. The secret is stored encrypted, and never shown.',
        body: clientInput,
        response: { 200: connectionView, ...errorAnswers(400, 401, 403, 409, 422, 503) },
      },
      onRequest: toConnect,
      handler: async ({ caller: { tenantId, via }, body }) => {
        await connection.setClient(tenantId, body);
        return connection.view(tenantId, { showsConsent: via === 'session' });
      },
    });

    app.post(`${PATH}/connection/consent`, {
      schema: {
        ...about('Begin a consent'),
        description:
          '`waiting.authorize_url` is to be opened in a browser within ten minutes. A new one ends the one before.',
        security: BY_SESSION,
        response: { 200: connectionView, ...errorAnswers(401, 403, 409, 503) },
      },
      onRequest: inPerson,
      handler: async ({ caller }) => connection.beginConsent(caller.tenantId, whoIs(caller)),
    });

    app.delete(`${PATH}/connection/consent`, {
      schema: {
        ...about('Wait for no consent any more'),
        security: BY_SESSION,
        response: { 200: connectionView, ...errorAnswers(401, 403) },
      },
      onRequest: inPerson,
      handler: async ({ caller }) => connection.cancelConsent(caller.tenantId),
    });

    app.post(`${PATH}/connection/answer`, {
      schema: {
        ...about('Hand in the answer of the consent screen'),
        description:
          'For a browser on another machine, which cannot be led back: the address that it tried to open.',
        security: BY_SESSION,
        body: answerInput,
        response: { 200: connectionView, ...errorAnswers(400, 401, 403, 422, 503) },
      },
      onRequest: inPerson,
      handler: async ({ caller, body }) => connection.pasteAnswer(caller.tenantId, body.address),
    });

    app.delete(`${PATH}/connection`, {
      schema: {
        ...about('Disconnect'),
        description:
          'Deletes tokens, selection, snapshot and changes in any case, then has the grant withdrawn. The OAuth client stays.',
        response: { 200: disconnected, ...errorAnswers(401, 403, 503) },
      },
      onRequest: toConnect,
      handler: async ({ caller }) => connection.disconnect(caller.tenantId, whoIs(caller)),
    });

    app.get(`${PATH}/accounts`, {
      schema: {
        ...about('Accounts that the connection can see'),
        querystring: accountQuery,
        response: { 200: z.array(accountView), ...errorAnswers(400, 401, 403, 409, 503) },
      },
      onRequest: toConnect,
      handler: ({ caller, query }) => connection.accounts(caller.tenantId, query),
    });

    app.get(`${PATH}/containers`, {
      schema: {
        ...about('Containers of an account'),
        querystring: containerQuery,
        response: { 200: z.array(containerView), ...errorAnswers(400, 401, 403, 404, 409, 503) },
      },
      onRequest: toConnect,
      handler: ({ caller, query }) => connection.containers(caller.tenantId, query),
    });

    app.get(`${PATH}/workspaces`, {
      schema: {
        ...about('Workspaces of a container'),
        querystring: workspaceQuery,
        response: { 200: z.array(workspaceView), ...errorAnswers(400, 401, 403, 404, 409, 503) },
      },
      onRequest: toConnect,
      handler: ({ caller, query }) => connection.workspaces(caller.tenantId, query),
    });

    app.put(`${PATH}/selection`, {
      schema: {
        ...about('Choose the container and its workspace'),
        description: 'A snapshot of it is begun.',
        body: selection,
        response: { 200: connectionView, ...errorAnswers(400, 401, 403, 404, 409, 422, 503) },
      },
      onRequest: toConnect,
      handler: async ({ caller, body }) => {
        await connection.choose(caller.tenantId, body, whoIs(caller));
        return connection.view(caller.tenantId, { showsConsent: caller.via === 'session' });
      },
    });
  };
