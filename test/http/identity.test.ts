import type { FastifyInstance, InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Scope } from '../../server/tenants/schema.ts';
import {
  FIRST_KEY,
  identityApp,
  identityParts,
  START,
  type Parts,
} from '../helpers/identity-parts.ts';

/** One route of each kind, each answering who it took the caller for. */
function probes(app: FastifyInstance, { identity }: Parts): void {
  const needs = {
    read: { scope: 'read' },
    full: { scope: 'full' },
    ingest: { scope: 'ingest', session: 'no' },
    metrics: { scope: 'metrics' },
    mine: { scope: 'full', session: 'only' },
    dashboard: { scope: 'full', dashboard: true },
  } as const;
  for (const [name, need] of Object.entries(needs)) {
    app.route({
      method: ['GET', 'POST'],
      url: `/${name}`,
      onRequest: identity.requires(need),
      handler: async ({ caller }) => caller,
    });
  }
  app.get('/ui', { onRequest: identity.dashboardOnly, handler: async () => ({}) });
}

const code = async (app: FastifyInstance, options: InjectOptions) =>
  (await app.inject(options)).statusCode;

describe('a key', () => {
  async function scoped() {
    const made = await identityApp({}, probes);
    const { id } = made.tenants.first();
    const issue = async (scope: Scope) =>
      (await made.keys.issue(id, { name: scope, scope, allowed_domains: [] }, START)).secret;
    const secrets = {
      read: await issue('read'),
      ingest: await issue('ingest'),
      metrics: await issue('metrics'),
    };
    return { ...made, secrets };
  }

  it('may do what its scope says', async () => {
    const { app, secrets } = await scoped();
    const codes = async (key: string) => {
      const headers = { 'x-api-key': key };
      const urls = ['/read', '/full', '/ingest', '/metrics'];
      return Promise.all(urls.map((url) => code(app, { url, headers })));
    };
    expect(await codes(FIRST_KEY)).toEqual([200, 200, 200, 403]);
    expect(await codes(secrets.read)).toEqual([200, 403, 403, 403]);
    expect(await codes(secrets.ingest)).toEqual([403, 403, 200, 403]);
    expect(await codes(secrets.metrics)).toEqual([403, 403, 403, 200]);
  });

  it('tells who is asking', async () => {
    const { app, tenants } = await scoped();
    const answer = await app.inject({ url: '/read', headers: { 'x-api-key': FIRST_KEY } });
    expect(answer.json()).toMatchObject({
      via: 'key',
      scope: 'full',
      tenantId: tenants.first().id,
      keyId: tenants.listKeys(tenants.first().id)[0]?.id,
      allowedDomains: [],
    });
  });

  it('is judged alone, whoever is signed in beside it', async () => {
    const { app, browser, secrets } = await scoped();
    const ask = await browser();
    expect((await ask('GET', '/full')).statusCode).toBe(200);
    const beside = (key: string) => ask('GET', '/full', undefined, { 'x-api-key': key });
    expect((await beside('wrong')).statusCode).toBe(401);
    expect((await beside(secrets.read)).statusCode).toBe(403);
    expect(await code(app, { url: '/mine', headers: { 'x-api-key': FIRST_KEY } })).toBe(403);
  });

  it('works under any host name and through any proxy', async () => {
    const { app } = await scoped();
    const headers = { 'x-api-key': FIRST_KEY, host: 'any.example', 'x-forwarded-for': '1.2.3.4' };
    expect(await code(app, { url: '/full', headers, remoteAddress: '203.0.113.9' })).toBe(200);
    expect(await code(app, { url: '/dashboard', headers })).toBe(403);
  });

  it('that is wrong is answered 401 sixty times a minute, then 429', async () => {
    const { app, clock } = await scoped();
    const wrong = (remoteAddress: string, key: string) =>
      app.inject({ url: '/read', headers: { 'x-api-key': key }, remoteAddress });
    for (let i = 0; i < 60; i++) {
      expect((await wrong('192.168.1.7', `wrong ${i}`)).statusCode).toBe(401);
    }
    const refused = await wrong('192.168.1.7', 'wrong');
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('60');
    expect((await wrong('192.168.1.8', 'wrong')).statusCode).toBe(401);
    expect((await wrong('192.168.1.7', FIRST_KEY)).statusCode).toBe(200);
    clock.time += 60_000;
    expect((await wrong('192.168.1.7', 'wrong')).statusCode).toBe(401);
  });

  it('that is missing counts as wrong, unless a dashboard asks', async () => {
    const { app } = await scoped();
    for (let i = 0; i < 30; i++) {
      expect(await code(app, { url: '/read' })).toBe(401);
      expect(await code(app, { url: '/ingest' })).toBe(401);
      expect(await code(app, { url: '/mine' })).toBe(401);
      const cookies = { vedette_session: 'ended' };
      expect(await code(app, { url: '/read', cookies })).toBe(401);
    }
    expect(await code(app, { url: '/read' })).toBe(429);
    expect(await code(app, { url: '/ingest' })).toBe(429);
    expect(await code(app, { url: '/mine' })).toBe(401);
  });
});

describe('a session', () => {
  it('may do everything but send events', async () => {
    const ask = await (await identityApp({}, probes)).browser();
    const codes = ['/read', '/full', '/mine', '/dashboard', '/ingest'].map(
      async (url) => (await ask('GET', url)).statusCode,
    );
    expect(await Promise.all(codes)).toEqual([200, 200, 200, 200, 401]);
  });

  it('may change things from its own page alone', async () => {
    const { app, desk } = await identityApp({}, probes);
    const host = 'localhost:8737';
    const body = { token: desk.createSignInToken(START) };
    const method = 'POST';
    const url = '/api/v1/session';
    const signed = await app.inject({ method, url, headers: { host }, body });
    const cookies = { vedette_session: signed.cookies[0]?.value ?? '' };
    for (const [from, headers, expected] of [
      ['its own page', { origin: 'http://localhost:8737' }, 200],
      ['another site', origin('https://evil.test', 'cross-site'), 403],
      ['another port', { origin: 'http://localhost:3000' }, 403],
      ['another scheme', { origin: 'https://localhost:8737' }, 403],
      ['a sandboxed frame', { origin: 'null' }, 403],
      ['its own page without an origin', origin(undefined, 'same-origin'), 200],
      ['a neighbouring site', origin(undefined, 'same-site'), 403],
      ['nowhere', {}, 403],
    ] as const) {
      const ask = { url: '/full', headers: { host, ...headers }, cookies };
      expect(await code(app, { ...ask, method }), from).toBe(expected);
      expect(await code(app, { ...ask, method: 'GET' }), from).toBe(200);
    }
  });

  it('knows its own page behind a proxy that speaks https', async () => {
    const public_url = 'https://events.shop.example';
    const given = { password: 'correct horse', overrides: { public_url, dashboard_on_lan: true } };
    const { app } = await identityApp(given, probes);
    const headers = {
      host: 'events.shop.example',
      origin: public_url,
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '203.0.113.9',
    };
    const body = { password: 'correct horse' };
    const signed = await app.inject({ method: 'POST', url: '/api/v1/session', headers, body });
    expect(signed.cookies[0]).toMatchObject({ secure: true });
    const cookies = { vedette_session: signed.cookies[0]?.value ?? '' };
    expect(await code(app, { method: 'POST', url: '/full', headers, cookies })).toBe(200);
  });

  it('is worth nothing where the dashboard does not answer', async () => {
    const { browser } = await identityApp({}, probes);
    const ask = await browser();
    const forwarded = { 'x-forwarded-for': '192.168.1.7' };
    expect((await ask('GET', '/read', undefined, forwarded)).statusCode).toBe(403);
    expect((await ask('GET', '/read', undefined, { host: 'evil.test' })).statusCode).toBe(403);
  });

  it('goes on for now when its end cannot be pushed out', async () => {
    const { browser, clock, sessions } = await identityApp({}, probes);
    const ask = await browser();
    clock.time += 2 * 86_400_000;
    sessions.extend = () => Promise.reject(new Error('disk full'));
    const answer = await ask('GET', '/read');
    expect([answer.statusCode, answer.cookies]).toEqual([200, []]);
  });
});

function origin(name: string | undefined, site: string): Record<string, string> {
  return { ...(name !== undefined && { origin: name }), 'sec-fetch-site': site };
}

describe('a caller whose answer goes on for long', () => {
  it('is still known until its key ends or is revoked', async () => {
    const { identity, tenants, keys, clock } = await identityParts();
    const { id: tenantId } = tenants.first();
    const input = { name: 'a', scope: 'read' as const, allowed_domains: [] };
    const { id, secret } = await keys.issue(tenantId, input, START);
    const caller = identity.byKey(secret, START);
    if (!caller) throw new Error('no caller');
    expect(identity.stillKnown(caller)).toBe(true);
    await keys.rotate(tenantId, id, 1, START);
    expect(identity.stillKnown(caller)).toBe(true);
    clock.time += 60_000;
    expect(identity.stillKnown(caller)).toBe(false);
    clock.time = START;
    await tenants.removeKey(tenantId, id, {});
    expect(identity.stillKnown(caller)).toBe(false);
  });

  it('is still known until its session ends or turns to another tenant', async () => {
    const { identity, tenants, sessions, clock } = await identityParts();
    const { id: tenantId } = tenants.first();
    const input = { tenantId, openedBy: 'link', address: 'a', userAgent: 'b' } as const;
    const { session } = await sessions.open(input, START);
    const caller = {
      tenantId,
      scope: 'full',
      via: 'session',
      sessionId: session.id,
      allowedDomains: [],
    } as const;
    expect(identity.stillKnown(caller)).toBe(true);
    expect(identity.stillKnown({ ...caller, tenantId: 'other' })).toBe(false);
    clock.time += 30 * 86_400_000;
    expect(identity.stillKnown(caller)).toBe(false);
    clock.time = START;
    await sessions.end(session.id);
    expect(identity.stillKnown(caller)).toBe(false);
  });
});
