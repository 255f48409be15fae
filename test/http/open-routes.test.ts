import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import { freshTenant, sharedAppliance, signIn } from '../helpers/tenant.ts';

interface Document {
  openapi: string;
  paths: Record<
    string,
    Record<string, { summary?: string; tags?: string[]; responses: Record<string, unknown> }>
  >;
  components: { schemas: Record<string, unknown> };
}

describe('the OpenAPI document', () => {
  it('is 3.1 and describes every route with a summary, a tag and its answers', async () => {
    const vedette = await sharedAppliance();
    const document = (await vedette.get('/openapi.json', {})).json<Document>();
    expect(document.openapi).toBe('3.1.0');
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, route]) => ({ name: `${method} ${path}`, route })),
    );
    expect(routes.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'post /api/v1/events',
        'get /api/v1/events',
        'get /api/v1/events/types',
        'get /api/v1/events/sources',
        'get /api/v1/events/collect',
        'get /api/v1/events/stream',
      ]),
    );
    for (const { name, route } of routes) {
      expect(route.summary, name).toBeTruthy();
      expect(route.tags, name).toHaveLength(1);
      expect(Object.keys(route.responses), name).not.toContain('default');
    }
  });

  it('has no reference that leads nowhere', async () => {
    const vedette = await sharedAppliance();
    const { body } = await vedette.get('/openapi.json', {});
    const { schemas } = (JSON.parse(body) as Document).components;
    const references = [...body.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(10);
    for (const [, name = ''] of references) expect(Object.keys(schemas)).toContain(name);
    const used = new Set(references.map(([, name]) => name));
    expect(Object.keys(schemas).filter((name) => !used.has(name))).toEqual([]);
  });

  it('is readable at /docs without anything from outside', async () => {
    const vedette = await sharedAppliance();
    const page = await vedette.app.inject({ method: 'GET', url: '/docs' });
    const shown = await vedette.app.inject({ method: 'GET', url: '/docs/json' });
    expect(shown.json()).toEqual((await vedette.get('/openapi.json', {})).json());
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toMatch(/(src|href)="(https?:)?\/\//);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|upgrade-insecure-requests|script-src[^;]*unsafe-inline/);
    for (const [, asset = ''] of page.body.matchAll(/(?:src|href)="\.?\/?([^"]+)"/g)) {
      const answer = await vedette.app.inject({
        method: 'GET',
        url: `/docs/${asset.replace(/^docs\//, '')}`,
      });
      expect(answer.statusCode, asset).toBe(200);
    }
  });
});

describe('bodies', () => {
  it('of another type are 415 on every route, and none may be named but not sent', async () => {
    const vedette = await sharedAppliance();
    const ask = (method: 'POST' | 'DELETE' | 'PATCH', url: string, type: string, payload: string) =>
      vedette.app.inject({
        ...{ method, url: `/api/v1${url}`, payload },
        headers: { 'x-api-key': KEY, 'content-type': type },
      });
    for (const [method, url] of [
      ['POST', '/keys'],
      ['PATCH', '/tenants/me'],
    ] as const) {
      expect((await ask(method, url, 'text/plain', 'x')).statusCode).toBe(415);
      expect((await ask(method, url, 'application/json', '{')).statusCode).toBe(400);
      expect((await ask(method, url, 'application/json', '{"__proto__":{}}')).statusCode).toBe(422);
    }
    const made = await ask('POST', '/keys', 'application/json', '{"name":"x","scope":"read"}');
    const { id } = made.json<{ id: string }>();
    expect((await ask('DELETE', `/keys/${id}`, 'application/json', '')).statusCode).toBe(204);
  });

  it('that are zipped or in another charset are 415 on every route that takes one', async () => {
    const vedette = await sharedAppliance();
    const { paths } = (await vedette.get('/openapi.json', {})).json<Document>();
    const { headers: owner } = await signIn(vedette);
    const takers = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, route]) => 'requestBody' in route)
        .map(([method]) => ({ method: method.toUpperCase() as 'POST', path })),
    );
    expect(takers.length).toBeGreaterThan(20);
    for (const { method, path } of takers) {
      const url = path.replace(/\{\w+\}/g, randomUUID());
      const isIngest = path === '/api/v1/events';
      const who = isIngest ? { 'x-api-key': KEY } : owner;
      const type = 'application/json';
      for (const [payload, headers, words] of [
        [gzipSync('{}'), { 'content-type': type, 'content-encoding': 'gzip' }, 'Content-Encoding'],
        [Buffer.from('{}', 'utf16le'), { 'content-type': `${type};charset=utf-16` }, 'UTF-8'],
        [Buffer.from('{}'), { 'content-type': `${type}; Charset="latin1"` }, 'UTF-8'],
      ] as const) {
        const answer = await vedette.app.inject({
          ...{ method, url, payload },
          headers: { ...who, ...headers },
        });
        expect(answer.statusCode, `${method} ${url}`).toBe(415);
        expect(answer.body).toContain(words);
      }
    }
  });

  it('that nothing is served under are 404', async () => {
    const vedette = await sharedAppliance();
    const answer = await vedette.app.inject({ method: 'GET', url: '/docs/static/nope.js' });
    expect(answer.statusCode).toBe(404);
  });
});

describe('GET /metrics', () => {
  it('answers its owner, and else only a key of the scope metrics, which opens nothing more', async () => {
    const vedette = await freshTenant();
    const { headers: owner } = vedette.owner;
    const ask = async (headers: Record<string, string>, url = '/metrics') =>
      (await vedette.app.inject({ method: 'GET', url, headers })).statusCode;
    const host = 'localhost:8737';
    expect(await ask({ host })).toBe(401);
    expect(await ask({ host, 'x-api-key': vedette.key })).toBe(403);
    expect(await ask(owner)).toBe(200);

    const input = { name: 'Prometheus', scope: 'metrics' };
    const made = await vedette.owner.ask('POST', '/keys', input);
    const { id, secret } = made.json<{ id: string; secret: string }>();
    expect(await ask({ 'x-api-key': secret, host: '192.168.1.7' })).toBe(200);
    expect(await ask({ 'x-api-key': secret }, '/api/v1/events')).toBe(403);
    expect((await vedette.post([], { 'x-api-key': secret })).statusCode).toBe(403);
    // A key of one tenant cannot get at one that tells of all.
    expect((await vedette.call('POST', '/keys', input)).statusCode).toBe(403);
    expect((await vedette.call('POST', `/keys/${id}/rotate`, {})).statusCode).toBe(403);
    expect((await vedette.call('GET', `/keys/${id}/secret`)).statusCode).toBe(403);
  });

  it('counts accepted events, refused requests and answers', async () => {
    await using vedette = await startAppliance();
    const { headers } = await signIn(vedette);
    const scrape = async () =>
      (await vedette.app.inject({ method: 'GET', url: '/metrics', headers })).body;
    await scrape();
    await vedette.post([{ source: 'a', event_type: 'b', data: {} }]);
    await vedette.post('broken');
    await vedette.get('/events');
    const text = await scrape();
    expect(text).toContain('vedette_events_accepted_total 1\n');
    expect(text).toContain('vedette_requests_refused_total 1\n');
    expect(text).toContain(
      'vedette_http_answers_total{method="GET",route="/api/v1/events",status="200"} 1\n',
    );
    expect(text).toContain('# TYPE vedette_events_accepted_total counter');
  });
});

describe('a failure of our own', () => {
  it('shows no internals, and is logged with the id that the answer names', async () => {
    const logged: { requestId?: string }[] = [];
    const { default: pino } = await import('pino');
    const log = pino(
      { level: 'error' },
      { write: (line: string) => logged.push(JSON.parse(line) as object) },
    );
    let broken = false;
    const now = () => {
      if (broken) throw new Error('secret internals');
      return Date.now();
    };
    await using vedette = await startAppliance({ log, clock: { now } });
    broken = true;
    const answer = await vedette.get('/events/counts');
    broken = false;
    expect(answer.statusCode).toBe(500);
    const { detail } = answer.json<{ detail: string }>();
    expect(detail).not.toContain('secret internals');
    expect(logged[0]?.requestId).toBeTruthy();
    expect(detail).toContain(logged[0]?.requestId);
  });
});
