import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsFileSchema } from '../../server/settings/file-schema.ts';
import type { Tenant } from '../../server/tenants/schema.ts';
import { FIRST_KEY, identityApp } from '../helpers/identity-parts.ts';

const ME = '/api/v1/tenants/me';
const URL_ = 'https://hooks.shop.example/T000/secret-part';
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

async function webhookApp() {
  const app = await identityApp();
  const patch = (webhook: unknown, key = FIRST_KEY) => app.byKey('PATCH', ME, { webhook }, key);
  const tenant = async (key = FIRST_KEY) =>
    (await app.byKey('GET', ME, undefined, key)).json<Tenant>();
  return { ...app, patch, tenant };
}

describe('a webhook', () => {
  it('is made from an address alone, and shows the secret that was made this once', async () => {
    const { patch, tenant } = await webhookApp();
    expect(await tenant()).toMatchObject({ webhook: null, webhook_problem: null });
    const made = await patch({ url: URL_ });
    expect(made.statusCode).toBe(200);
    expect(made.headers['cache-control']).toBe('no-store');
    const { webhook } = made.json<Tenant>();
    expect(webhook?.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const shown = {
      url: URL_,
      secret: null,
      enabled: true,
      severities: ['critical', 'warning', 'info'],
      repeat_after_minutes: 240,
      format: 'standard',
      headers: {},
      allow_private: false,
    };
    expect(webhook).toEqual({ ...shown, secret: webhook?.secret });
    expect((await tenant()).webhook).toEqual(shown);
  });

  it('changes only what is sent', async () => {
    const { patch, tenant } = await webhookApp();
    await patch({ url: URL_, headers: { 'X-A': '1', 'X-B': '2' } });
    const { webhook: before } = await tenant();
    const changed = { format: 'slack', severities: ['info', 'critical', 'info'], enabled: false };
    const answer = await patch(changed);
    expect(answer.json<Tenant>().webhook).toEqual({
      ...before,
      ...{ format: 'slack', severities: ['info', 'critical'], enabled: false, secret: null },
    });
    expect(answer.headers['cache-control']).not.toBe('no-store');
  });

  it('takes back what it shows, and nothing changes by that', async () => {
    const { patch, tenant, dir } = await webhookApp();
    await patch({ url: URL_, headers: { 'X-A': '1' }, repeat_after_minutes: 0.5 });
    const { webhook } = await tenant();
    const before = readFileSync(join(dir, 'settings.json'), 'utf8');
    expect((await patch(webhook)).json<Tenant>().webhook).toEqual(webhook);
    expect(readFileSync(join(dir, 'settings.json'), 'utf8')).toBe(before);
  });

  it('is removed by null', async () => {
    const { patch, tenant } = await webhookApp();
    await patch({ url: URL_ });
    expect((await patch(null)).json()).toMatchObject({ webhook: null, webhook_problem: null });
    expect((await tenant()).webhook).toBeNull();
    expect((await patch(null)).statusCode).toBe(200);
  });

  it('is changed together with the rest, or not at all', async () => {
    const { byKey, tenant } = await webhookApp();
    const body = { name: 'New', retention_days: 500, webhook: { url: URL_ } };
    expect((await byKey('PATCH', ME, body)).statusCode).toBe(422);
    expect(await tenant()).toMatchObject({ name: 'Default', webhook: null });
  });

  it.each([
    [SECRET, SECRET],
    [SECRET.slice(6), SECRET],
    [SECRET.replace('=', ''), SECRET],
  ])('takes the secret %s', async (secret, kept) => {
    const { patch, tenant } = await webhookApp();
    const answer = await patch({ url: URL_, secret });
    expect(answer.json<Tenant>().webhook?.secret).toBe(kept);
    expect((await tenant()).webhook?.secret).toBeNull();
  });

  it('keeps its secret until another is set', async () => {
    const { patch, browser } = await webhookApp();
    const ask = await browser();
    const current = async () => (await ask('GET', ME)).json<Tenant>().webhook;
    await patch({ url: URL_, secret: SECRET });
    await patch({ url: `${URL_}/2`, secret: null });
    expect((await current())?.secret).toBeNull();
    expect((await patch({ secret: SECRET })).json<Tenant>().webhook?.secret).toBe(SECRET);
  });

  it('sends no stored header to another place', async () => {
    const { patch } = await webhookApp();
    const elsewhere = 'https://elsewhere.example/in';
    await patch({ url: URL_, headers: { Authorization: 'Bearer 1' } });
    for (const change of [{}, { headers: { Authorization: null } }]) {
      const refused = await patch({ url: elsewhere, ...change });
      expect(refused.statusCode).toBe(422);
      expect(refused.json()).toMatchObject({ errors: [{ path: 'webhook.headers' }] });
    }
    expect((await patch({ url: `${URL_}/other` })).statusCode).toBe(200);
    expect((await patch({ url: elsewhere, headers: {} })).statusCode).toBe(200);
  });

  it('replaces all headers by those sent, keeping values that are null', async () => {
    const { patch, tenants, cipher } = await webhookApp();
    const stored = () =>
      JSON.parse(cipher.decrypt(tenants.first().webhook?.sealed ?? '')) as {
        headers: Record<string, string>;
      };
    await patch({ url: URL_, headers: { Authorization: 'Bearer 1', 'X-Old': 'o' } });
    const answer = await patch({ headers: { authorization: null, 'X-New': 'n' } });
    expect(answer.json<Tenant>().webhook?.headers).toEqual({ authorization: null, 'X-New': null });
    expect(stored().headers).toEqual({ authorization: 'Bearer 1', 'X-New': 'n' });
    const refused = await patch({ headers: { 'X-Old': null } });
    expect(refused.statusCode).toBe(422);
    expect(refused.json()).toMatchObject({ errors: [{ path: 'webhook.headers.X-Old' }] });
  });

  it('shows a read key where it leads, and not how to get in', async () => {
    const { byKey, patch, tenant } = await webhookApp();
    const key = (await byKey('POST', '/api/v1/keys', { name: 'r', scope: 'read' })).json<{
      secret: string;
    }>();
    await patch({ url: URL_ });
    expect((await tenant(key.secret)).webhook?.url).toBe('https://hooks.shop.example/…');
    expect((await patch({ enabled: false }, key.secret)).statusCode).toBe(403);
  });

  it('is not in the answer to who makes a tenant or lists them in another form', async () => {
    const { browser, patch } = await webhookApp();
    await patch({ url: URL_ });
    const ask = await browser();
    const list = await ask('GET', '/api/v1/tenants');
    expect(list.json<Tenant[]>()[0]?.webhook).toMatchObject({ url: URL_, secret: null });
    expect(list.body).not.toContain('sealed');
    const made = await ask('POST', '/api/v1/tenants', { name: 'Second' });
    expect(made.json()).toMatchObject({ webhook: null, webhook_problem: null });
  });

  it('leaves nothing secret on disk', async () => {
    const { patch, dir } = await webhookApp();
    const value = 'Bearer very-secret-value';
    await patch({ url: URL_, secret: SECRET, headers: { Authorization: value } });
    for (const name of readdirSync(dir).filter((file) => file.startsWith('settings'))) {
      const text = readFileSync(join(dir, name), 'utf8');
      for (const secret of [URL_, 'secret-part', SECRET, SECRET.slice(6), value, 'Authorization']) {
        expect(text, name).not.toContain(secret);
      }
    }
  });

  it('that can no longer be decrypted says so, and can be set up again', async () => {
    const { byKey, patch, tenant, tenants, browser } = await webhookApp();
    await patch({ url: URL_, secret: SECRET, severities: ['info'], headers: { 'X-A': '1' } });
    await tenants.change(tenants.first().id, ({ webhook }) => {
      if (webhook) webhook.sealed = 'g1.sealed-with-a-lost-key';
    });
    const lost = await tenant();
    expect(lost.webhook).toBeNull();
    expect(lost.webhook_problem).toContain('set it up again');
    const ask = await browser();
    expect((await ask('GET', ME)).json()).toEqual(lost);
    expect((await byKey('PATCH', ME, { name: 'Still works' })).statusCode).toBe(200);
    expect((await patch({ enabled: true })).statusCode).toBe(422);
    const { webhook, webhook_problem: problem } = (await patch({ url: URL_ })).json<Tenant>();
    expect(webhook).toMatchObject({ url: URL_, severities: ['info'], headers: {} });
    expect(webhook?.secret).toMatch(/^whsec_/);
    expect(webhook?.secret).not.toBe(SECRET);
    expect(problem).toBeNull();
  });

  it('is none in a settings file from before there were webhooks', async () => {
    const { file } = await webhookApp();
    const old = structuredClone(file.data) as unknown as { tenants: { webhook?: unknown }[] };
    for (const tenant of old.tenants) delete tenant.webhook;
    expect(settingsFileSchema.parse(old).tenants[0]?.webhook).toBeNull();
  });
});

const long = (length: number) => Buffer.alloc(length).toString('base64');
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, 'v']));
const withHeader = (name: string, value: unknown = 'v') => ({ headers: { [name]: value } });

describe('a wrong webhook', () => {
  const WRONG: [object | string, string, string][] = [
    ['text', 'webhook', 'must be an object'],
    [{ colour: 1 }, 'webhook.colour', 'is not known here'],
    [{ enabled: true }, 'webhook.url', 'is required'],
    [{ url: null }, 'webhook.url', 'must be a string'],
    [{ url: 5 }, 'webhook.url', 'must be a string'],
    [{ url: '' }, 'webhook.url', 'must be a web address'],
    [{ url: 'ftp://shop.example/' }, 'webhook.url', 'must be a web address'],
    [{ url: 'javascript:alert(1)' }, 'webhook.url', 'must be a web address'],
    [{ url: 'https://' }, 'webhook.url', 'must be a web address'],
    [{ url: 'https://256.256.256.256/' }, 'webhook.url', 'must be a web address'],
    [{ url: 'https://shop.example/a b' }, 'webhook.url', 'must not have spaces'],
    [{ url: 'https://shop.example/\n' }, 'webhook.url', 'must not have spaces'],
    [{ url: 'https://me:pw@shop.example/' }, 'webhook.url', 'use the header Authorization'],
    [{ url: 'https://me@shop.example/' }, 'webhook.url', 'use the header Authorization'],
    [{ url: `https://shop.example/${'x'.repeat(2000)}` }, 'webhook.url', 'at most 2000'],
    [{ secret: 5 }, 'webhook.secret', 'must be a string'],
    [{ secret: '' }, 'webhook.secret', 'must be whsec_ and then'],
    [{ secret: 'whsec_' }, 'webhook.secret', 'in base64'],
    [{ secret: 'whsec_not base64!' }, 'webhook.secret', 'in base64'],
    [{ secret: long(23) }, 'webhook.secret', '24 to 64 random bytes'],
    [{ secret: long(65) }, 'webhook.secret', '24 to 64 random bytes'],
    [{ enabled: 'yes' }, 'webhook.enabled', 'must be true or false'],
    [{ enabled: null }, 'webhook.enabled', 'must be true or false'],
    [{ severities: 'critical' }, 'webhook.severities', 'must be a list'],
    [{ severities: [] }, 'webhook.severities', 'at least 1 entry'],
    [{ severities: ['info', 'fatal'] }, 'webhook.severities[1]', 'must be one of critical'],
    [{ repeat_after_minutes: '5' }, 'webhook.repeat_after_minutes', 'must be a number'],
    [{ repeat_after_minutes: -1 }, 'webhook.repeat_after_minutes', 'at least 0'],
    [{ repeat_after_minutes: 43_201 }, 'webhook.repeat_after_minutes', 'at most 43200'],
    [{ format: 'irc' }, 'webhook.format', 'must be one of standard'],
    [{ headers: [] }, 'webhook.headers', 'must be an object'],
    [{ headers: null }, 'webhook.headers', 'must be an object'],
    [{ headers: many(21) }, 'webhook.headers', 'at most 20'],
    [{ headers: { 'X-A': '1', 'x-a': '2' } }, 'webhook.headers.x-a', 'is there twice'],
    [withHeader('X A'), 'webhook.headers.X A', 'is not a name'],
    [withHeader(''), 'webhook.headers.', 'is not a name'],
    [withHeader('X-A', 5), 'webhook.headers.X-A', 'must be a string'],
    [withHeader('X-A', 'a\r\nb: c'), 'webhook.headers.X-A', 'no control characters'],
    [withHeader('X-A', '\u20ac'), 'webhook.headers.X-A', 'do not fit'],
    [withHeader('X-A', 'x'.repeat(4001)), 'webhook.headers.X-A', 'at most 4000'],
    [withHeader('X-A', null), 'webhook.headers.X-A', 'none is'],
    ...'Host content-length Content-Type connection transfer-encoding upgrade te trailer keep-alive expect Proxy-Authorization webhook-id Webhook-Signature'
      .split(' ')
      .map((name): [object, string, string] => [
        withHeader(name),
        `webhook.headers.${name}`,
        'is set by the sending itself',
      ]),
  ];

  it('is refused at the place of what is wrong', async () => {
    const { patch, tenant } = await webhookApp();
    for (const [change, path, words] of WRONG) {
      const isWhole = typeof change === 'string' || 'enabled' in change || 'url' in change;
      const answer = await patch(isWhole ? change : { url: URL_, ...change });
      const sent = JSON.stringify(change);
      expect(answer.statusCode, sent).toBe(422);
      const { errors } = answer.json<{ errors: { path: string; message: string }[] }>();
      expect(errors, sent).toEqual([{ path, message: expect.stringContaining(words) as string }]);
    }
    expect((await tenant()).webhook).toBeNull();
  });

  it('is not one without what has a value of its own', async () => {
    const { patch } = await webhookApp();
    const keys = ['secret', 'severities', 'repeat_after_minutes', 'format', 'headers', 'enabled'];
    for (const key of keys) {
      const full: Record<string, unknown> = {
        ...{ url: URL_, secret: SECRET, enabled: true, severities: ['info'] },
        ...{ repeat_after_minutes: 1, format: 'teams', headers: {} },
      };
      Reflect.deleteProperty(full, key);
      await patch(null);
      expect((await patch(full)).statusCode, key).toBe(200);
    }
  });
});
