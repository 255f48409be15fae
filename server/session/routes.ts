import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorAnswers } from '../http/answers.ts';
import {
  clearSessionCookie,
  DEVICE_COOKIE,
  setDeviceCookie,
  setSessionCookie,
} from '../http/cookie.ts';
import { sessionOf, type Identity } from '../http/identity.ts';
import { visitorKey } from '../http/limits.ts';
import { BY_SESSION } from '../http/openapi.ts';
import { SIGN_IN_BYTES } from '../platform/bounds.ts';
import type { Clock } from '../platform/clock.ts';
import {
  passwordChange,
  session,
  sessionEntry,
  sessionPatch,
  signIn,
  signInWays,
} from './schema.ts';
import type { SignInDesk, Visitor } from './sign-in.ts';
import { LIFETIME, type SessionStore } from './store.ts';

interface Parts {
  sessions: SessionStore;
  desk: SignInDesk;
  identity: Identity;
  clock: Clock;
}

const tags = ['Session'];
const nothing = z.null().describe('Done; no body');

export const sessionRoutes =
  ({ sessions, desk, identity, clock }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const onRequest = identity.requires({ scope: 'full', session: 'only', dashboard: true });
    const security = BY_SESSION;

    app.post('/api/v1/session', {
      schema: {
        tags,
        summary: 'Sign in with the password or a one-time token',
        security: [],
        body: signIn,
        response: { 201: session, ...errorAnswers(400, 401, 403, 422, 429, 503) },
      },
      // Nobody is known yet, so little is held for them.
      bodyLimit: SIGN_IN_BYTES,
      onRequest: identity.signInOnly,
      handler: async (request, reply) => {
        const opened = await desk.signIn(request.body, visitorOf(request), clock.now());
        setSessionCookie(request, reply, opened.token, LIFETIME);
        nowKnown(request, reply);
        return reply.code(201).send(desk.describe(opened.session));
      },
    });

    app.get('/api/v1/session/ways', {
      schema: {
        tags,
        summary: 'How one can sign in',
        security: [],
        response: { 200: signInWays, ...errorAnswers(403) },
      },
      onRequest: identity.dashboardOnly,
      handler: async () => ({ password: sessions.password() !== null }),
    });

    app.get('/api/v1/session', {
      schema: {
        tags,
        summary: 'Who is signed in',
        security,
        response: { 200: session, ...errorAnswers(401, 403) },
      },
      onRequest,
      handler: async ({ caller }) => desk.describe(sessions.get(sessionOf(caller))),
    });

    app.patch('/api/v1/session', {
      schema: {
        tags,
        summary: 'Switch to another tenant',
        security,
        body: sessionPatch,
        response: { 200: session, ...errorAnswers(400, 401, 403, 404, 422, 503) },
      },
      onRequest,
      handler: async ({ caller, body }) =>
        desk.describe(await desk.switchTenant(sessionOf(caller), body.tenant_id)),
    });

    app.delete('/api/v1/session', {
      schema: {
        tags,
        summary: 'Sign out',
        security,
        response: { 204: nothing, ...errorAnswers(401, 403, 503) },
      },
      onRequest,
      handler: async ({ caller }, reply) => {
        await sessions.end(sessionOf(caller));
        clearSessionCookie(reply);
        return reply.code(204).send(null);
      },
    });

    app.get('/api/v1/sessions', {
      schema: {
        tags,
        summary: 'Everyone who is signed in, newest first',
        security,
        response: { 200: z.array(sessionEntry), ...errorAnswers(401, 403) },
      },
      onRequest,
      handler: async ({ caller }) => desk.list(sessionOf(caller), clock.now()),
    });

    app.delete('/api/v1/sessions/:id', {
      schema: {
        tags,
        summary: 'End a session',
        security,
        params: z.strictObject({ id: z.uuid() }),
        response: { 204: nothing, ...errorAnswers(400, 401, 403, 404, 503) },
      },
      onRequest,
      handler: async ({ params }, reply) => {
        await sessions.end(params.id);
        return reply.code(204).send(null);
      },
    });

    app.put('/api/v1/password', {
      schema: {
        tags,
        summary: 'Set or change the password; ends all other sessions',
        security,
        body: passwordChange,
        response: { 204: nothing, ...errorAnswers(400, 401, 403, 422, 429, 503) },
      },
      onRequest,
      handler: async (request, reply) => {
        const { network } = visitorOf(request);
        await desk.changePassword(sessionOf(request.caller), request.body, network, clock.now());
        nowKnown(request, reply);
        return reply.code(204).send(null);
      },
    });

    function visitorOf(request: FastifyRequest): Visitor {
      const address = identity.addressOf(request.raw);
      return {
        address,
        network: visitorKey(address),
        userAgent: request.headers['user-agent'] ?? '',
        device: request.cookies[DEVICE_COOKIE],
      };
    }

    function nowKnown(request: FastifyRequest, reply: FastifyReply): void {
      const device = desk.deviceFor(request.cookies[DEVICE_COOKIE]);
      if (device !== undefined) setDeviceCookie(request, reply, device);
    }
  };
