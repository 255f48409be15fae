import { expect, it } from 'vitest';
import { sharedAppliance } from '../helpers/tenant.ts';

interface Operation {
  tags?: string[];
  summary?: string;
  security?: unknown[];
  responses: Record<string, unknown>;
  requestBody?: { content: Record<string, { schema: { properties?: object } }> };
}

/** Those of the parts whose routes are listed here. */
async function operations(): Promise<Record<string, Operation>> {
  const answer = await (await sharedAppliance()).get('/openapi.json', {});
  const { paths } = answer.json<{ paths: Record<string, Record<string, Operation>> }>();
  return Object.fromEntries(
    Object.entries(paths)
      .filter(([path]) => /v1\/(tenants|keys|sessions?|settings|password|webhooks)\b/.test(path))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation]),
      ),
  );
}

it('names every route of tenants, keys, sessions, settings and webhooks in the OpenAPI document', async () => {
  const all = await operations();
  expect(Object.keys(all).sort()).toEqual([
    'delete /api/v1/keys/{id}',
    'delete /api/v1/session',
    'delete /api/v1/sessions/{id}',
    'get /api/v1/keys',
    'get /api/v1/keys/{id}/secret',
    'get /api/v1/session',
    'get /api/v1/session/ways',
    'get /api/v1/sessions',
    'get /api/v1/settings',
    'get /api/v1/settings/about',
    'get /api/v1/settings/storage',
    'get /api/v1/tenants',
    'get /api/v1/tenants/me',
    'get /api/v1/webhooks/deliveries',
    'get /api/v1/webhooks/deliveries/{id}',
    'get /api/v1/webhooks/secret',
    'patch /api/v1/keys/{id}',
    'patch /api/v1/session',
    'patch /api/v1/settings',
    'patch /api/v1/tenants/me',
    'post /api/v1/keys',
    'post /api/v1/keys/{id}/rotate',
    'post /api/v1/session',
    'post /api/v1/settings/backup',
    'post /api/v1/settings/clock/confirm',
    'post /api/v1/tenants',
    'post /api/v1/webhooks/deliveries/{id}/resend',
    'post /api/v1/webhooks/test',
    'put /api/v1/password',
  ]);
  for (const [name, operation] of Object.entries(all)) {
    expect(operation.tags, name).toHaveLength(1);
    expect(operation.summary, name).toBeTruthy();
    expect(operation.security, name).toBeDefined();
    expect(Object.keys(operation.responses), name).toContain('403');
  }
});

it('shows what a body takes, also where the body is reworked before it is judged', async () => {
  const all = await operations();
  const fields = (name: string) =>
    Object.keys(all[name]?.requestBody?.content['application/json']?.schema.properties ?? {});
  expect(fields('post /api/v1/keys')).toEqual(['name', 'scope', 'allowed_domains']);
  expect(fields('post /api/v1/keys/{id}/rotate')).toEqual(['overlap_minutes']);
  expect(fields('post /api/v1/session')).toEqual(['password', 'token']);
  expect(fields('patch /api/v1/settings')).toContain('public_url');
  expect(fields('patch /api/v1/tenants/me')).toContain('webhook');
});
