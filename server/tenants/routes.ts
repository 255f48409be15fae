import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorAnswers } from '../http/answers.ts';
import { sessionOf, type Caller, type Identity } from '../http/identity.ts';
import { BY_KEY_OR_SESSION, BY_SESSION } from '../http/openapi.ts';
import { uuid } from '../http/schema.ts';
import type { Clock } from '../platform/clock.ts';
import type { Deliveries } from '../webhooks/deliveries.ts';
import type { Keys } from './keys.ts';
import type { Profiles } from './profiles.ts';
import {
  key,
  keyPatch,
  keySecret,
  keyWithSecret,
  newKey,
  newTenant,
  rotation,
  tenant,
  tenantPatch,
  type Scope,
} from './schema.ts';
import type { TenantStore } from './store.ts';

interface Parts {
  tenants: TenantStore;
  profiles: Profiles;
  deliveries: Pick<Deliveries, 'cancelAll'>;
  keys: Keys;
  identity: Identity;
  clock: Clock;
}

const byId = z.strictObject({ id: uuid });
const nothing = z.null().describe('Done; no body');

export const tenantRoutes =
  ({
    profiles,
    deliveries,
    identity,
    clock,
  }: Omit<Parts, 'keys' | 'tenants'>): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Tenants'];

    app.get('/api/v1/tenants/me', {
      schema: {
        tags,
        summary: 'The tenant that the key or session belongs to',
        security: BY_KEY_OR_SESSION,
        response: { 200: tenant, ...errorAnswers(401, 403) },
      },
      onRequest: identity.requires({ scope: 'read' }),
      handler: async ({ caller }) => profiles.get(caller.tenantId, caller.scope),
    });

    app.patch('/api/v1/tenants/me', {
      schema: {
        tags,
        summary: 'Change name, retention or webhook',
        description:
          'Send a `url` to make a webhook. Its `secret` is shown only in the answer to the request that made or set it. Messages are signed as https://www.standardwebhooks.com describes. An address on a private network needs `allow_private`, which only a session can set. Link-local addresses and those of cloud metadata are always refused.',
        security: BY_KEY_OR_SESSION,
        body: tenantPatch,
        response: { 200: tenant, ...errorAnswers(400, 401, 403, 422, 503) },
      },
      onRequest: identity.requires({ scope: 'full' }),
      handler: async ({ caller, body }, reply) => {
        const changed = await profiles.change(caller.tenantId, body, caller.via);
        if (body.webhook === null) await deliveries.cancelAll(caller.tenantId, clock.now());
        const showsSecret = typeof changed.webhook?.secret === 'string';
        if (showsSecret) reply.header('cache-control', 'no-store');
        return reply.send(changed);
      },
    });

    const bySession = identity.requires({ scope: 'full', session: 'only', dashboard: true });

    app.get('/api/v1/tenants', {
      schema: {
        tags,
        summary: 'All tenants of this appliance',
        security: BY_SESSION,
        response: { 200: z.array(tenant), ...errorAnswers(401, 403) },
      },
      onRequest: bySession,
      handler: async () => profiles.list(),
    });

    app.post('/api/v1/tenants', {
      schema: {
        tags,
        summary: 'Make a tenant',
        security: BY_SESSION,
        body: newTenant,
        response: { 201: tenant, ...errorAnswers(400, 401, 403, 422, 503) },
      },
      onRequest: bySession,
      handler: async ({ body }, reply) =>
        reply.code(201).send(await profiles.create(body, clock.now())),
    });
  };

export const keyRoutes =
  ({
    tenants,
    keys,
    identity,
    clock,
  }: Omit<Parts, 'profiles' | 'deliveries'>): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Keys'];
    const security = BY_KEY_OR_SESSION;
    const onRequest = identity.requires({ scope: 'full', dashboard: true });

    app.get('/api/v1/keys', {
      schema: {
        tags,
        summary: 'API keys, without their secrets',
        security,
        response: { 200: z.array(key), ...errorAnswers(401, 403) },
      },
      onRequest,
      handler: async ({ caller }) => tenants.listKeys(caller.tenantId),
    });

    app.post('/api/v1/keys', {
      schema: {
        tags,
        summary: 'Make an API key; the answer shows its secret',
        security,
        body: newKey,
        response: { 201: keyWithSecret, ...errorAnswers(400, 401, 403, 422, 503) },
      },
      onRequest,
      handler: async ({ caller, body }, reply) => {
        mayHandOut(body.scope, caller);
        return reply
          .code(201)
          .header('cache-control', 'no-store')
          .send(await keys.issue(caller.tenantId, body, clock.now()));
      },
    });

    app.get('/api/v1/keys/:id/secret', {
      schema: {
        tags,
        summary: 'Show the secret of a key again',
        security: BY_SESSION,
        params: byId,
        response: { 200: keySecret, ...errorAnswers(400, 401, 403, 404, 409) },
      },
      onRequest: identity.requires({ scope: 'full', session: 'only', dashboard: true }),
      handler: async ({ caller, params }, reply) =>
        reply
          .header('cache-control', 'no-store')
          .send({ secret: keys.secret(caller.tenantId, params.id) }),
    });

    app.patch('/api/v1/keys/:id', {
      schema: {
        tags,
        summary: 'Change name or allowed domains of a key',
        security,
        params: byId,
        body: keyPatch,
        response: { 200: key, ...errorAnswers(400, 401, 403, 404, 422, 503) },
      },
      onRequest,
      handler: async ({ caller, params, body }) =>
        tenants.changeKey(caller.tenantId, params.id, body),
    });

    app.delete('/api/v1/keys/:id', {
      schema: {
        tags,
        summary: 'Revoke a key at once',
        security,
        params: byId,
        response: { 204: nothing, ...errorAnswers(400, 401, 403, 404, 409, 503) },
      },
      onRequest,
      handler: async ({ caller, params }, reply) => {
        await tenants.removeKey(caller.tenantId, params.id, caller);
        return reply.code(204).send(null);
      },
    });

    app.post('/api/v1/keys/:id/rotate', {
      schema: {
        tags,
        summary: 'Make a successor; the old key works on for a while',
        security,
        params: byId,
        body: rotation,
        response: { 201: keyWithSecret, ...errorAnswers(400, 401, 403, 404, 409, 422, 503) },
      },
      onRequest,
      handler: async ({ caller, params, body }, reply) => {
        const old = tenants.listKeys(caller.tenantId).find(({ id }) => id === params.id);
        mayHandOut(old?.scope, caller);
        return reply
          .code(201)
          .header('cache-control', 'no-store')
          .send(await keys.rotate(caller.tenantId, params.id, body.overlap_minutes, clock.now()));
      },
    });
  };

/** Or else a key of one tenant could make one that tells of all tenants. */
function mayHandOut(scope: Scope | undefined, caller: Caller): void {
  if (scope === 'metrics') sessionOf(caller);
}
