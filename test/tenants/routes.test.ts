import { describe, expect, it } from 'vitest';
import { FIRST_KEY, identityApp, START } from '../helpers/identity-parts.ts';

const UNKNOWN = '4f9d7f5e-6f3f-4b8e-9a53-0d4f4a0f9a11';
const ME = '/api/v1/tenants/me';
const KEYS = '/api/v1/keys';

interface MadeKey {
  id: string;
  secret: string;
}

describe('tenants/me', () => {
  it('shows the tenant of the key, from anywhere', async () => {
    const { app } = await identityApp();
    const answer = await app.inject({
      url: ME,
      headers: { 'x-api-key': FIRST_KEY, host: 'public.example' },
      remoteAddress: '203.0.113.9',
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ name: 'Default', retention_days: 90 });
  });

  it('changes what is sent and keeps the rest', async () => {
    const { byKey } = await identityApp();
    const answer = await byKey('PATCH', ME, { name: ' Shop ', retention_days: 30 });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      name: 'Shop',
      retention_days: 30,
      rollup_retention_days: 400,
    });
    expect((await byKey('GET', ME)).json()).toEqual(answer.json());
  });

  it('refuses what is out of bounds or unknown, and says why', async () => {
    const { byKey } = await identityApp();
    for (const [body, words] of [
      [{ retention_days: 0 }, 'retention_days must be at least 1'],
      [{ retention_days: 500 }, 'rollup_retention_days must be at least retention_days (500)'],
      [{ rollup_retention_days: 89 }, 'must be at least retention_days (90)'],
      [{ name: '  ' }, 'name must have at least 1 character'],
      [{ colour: 'red' }, 'colour is not known here'],
    ] as const) {
      const answer = await byKey('PATCH', ME, body);
      expect(answer.statusCode, words).toBe(422);
      const [error] = answer.json<{ errors: { path: string; message: string }[] }>().errors;
      expect(`${error?.path} ${error?.message}`).toContain(words);
    }
    expect((await byKey('GET', ME)).json()).toMatchObject({ name: 'Default', retention_days: 90 });
  });

  it('lets a read key look and not touch, and an ingest key neither', async () => {
    const { byKey } = await identityApp();
    const [read, ingest] = await Promise.all(
      ['read', 'ingest'].map(async (scope) =>
        (await byKey('POST', KEYS, { name: scope, scope })).json<MadeKey>(),
      ),
    );
    expect((await byKey('GET', ME, undefined, read?.secret)).statusCode).toBe(200);
    expect((await byKey('PATCH', ME, { name: 'x' }, read?.secret)).statusCode).toBe(403);
    expect((await byKey('GET', ME, undefined, ingest?.secret)).statusCode).toBe(403);
  });
});

describe('tenants', () => {
  it('are listed and made in a session only', async () => {
    const { byKey, browser } = await identityApp();
    expect((await byKey('GET', '/api/v1/tenants')).statusCode).toBe(403);
    const ask = await browser();
    const made = await ask('POST', '/api/v1/tenants', { name: 'Second' });
    expect(made.statusCode).toBe(201);
    expect(made.json()).toMatchObject({ name: 'Second', rollup_retention_days: 400 });
    expect((await ask('GET', '/api/v1/tenants')).json()).toHaveLength(2);
  });

  it('are refused with counts kept shorter than events', async () => {
    const ask = await (await identityApp()).browser();
    const body = { name: 'x', retention_days: 500 };
    expect((await ask('POST', '/api/v1/tenants', body)).statusCode).toBe(422);
  });
});

describe('keys', () => {
  const shop = { name: 'Shop', scope: 'ingest', allowed_domains: ['Shop.example'] };

  it('show their secret when made, and not in lists', async () => {
    const { byKey } = await identityApp();
    const made = await byKey('POST', KEYS, shop);
    expect(made.statusCode).toBe(201);
    expect(made.headers['cache-control']).toBe('no-store');
    const { secret, ...rest } = made.json<MadeKey>();
    expect(secret).toMatch(/^vdt_[\w-]{43}$/);
    const list = await byKey('GET', KEYS);
    expect(list.body).not.toContain(secret);
    expect(list.body).not.toMatch(/hash|encrypted/);
    expect(list.json()).toContainEqual(rest);
    expect(rest).toMatchObject({
      scope: 'ingest',
      allowed_domains: ['shop.example'],
      last_four: secret.slice(-4),
      created_at: new Date(START).toISOString(),
      last_used_at: null,
      expires_at: null,
    });
  });

  it('say what is wrong with a domain, and where', async () => {
    const { byKey } = await identityApp();
    const domains = ['ok.example', 'https://shop.example/'];
    const answer = await byKey('POST', KEYS, { ...shop, allowed_domains: domains });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      errors: [
        { path: 'allowed_domains[1]', message: 'is a full address: write only shop.example' },
      ],
    });
  });

  it('show their secret again in a session, and to no key', async () => {
    const { byKey, browser } = await identityApp();
    const { id, secret } = (await byKey('POST', KEYS, shop)).json<MadeKey>();
    expect((await byKey('GET', `${KEYS}/${id}/secret`)).statusCode).toBe(403);
    const ask = await browser();
    expect((await ask('GET', `${KEYS}/${id}/secret`)).json()).toEqual({ secret });
  });

  it('change name and domains, and nothing else', async () => {
    const { byKey, tenants } = await identityApp();
    const { id, secret } = (await byKey('POST', KEYS, shop)).json<MadeKey>();
    const patch = { name: 'New', allowed_domains: ['*.new.example'] };
    const changed = await byKey('PATCH', `${KEYS}/${id}`, patch);
    expect(changed.json()).toMatchObject({ ...patch, scope: 'ingest' });
    expect(tenants.findKey(secret, START)?.allowedDomains).toEqual(['*.new.example']);
    expect((await byKey('PATCH', `${KEYS}/${id}`, { scope: 'full' })).statusCode).toBe(422);
  });

  it('stop working when revoked', async () => {
    const { byKey } = await identityApp();
    const { id, secret } = (
      await byKey('POST', KEYS, { name: 'r', scope: 'read' })
    ).json<MadeKey>();
    const answer = await byKey('DELETE', `${KEYS}/${id}`);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect((await byKey('GET', ME, undefined, secret)).statusCode).toBe(401);
    expect((await byKey('DELETE', `${KEYS}/${id}`)).statusCode).toBe(404);
  });

  it('are rotated with a day of overlap unless said otherwise', async () => {
    const { byKey, clock } = await identityApp();
    const old = (await byKey('POST', KEYS, { name: 'r', scope: 'read' })).json<MadeKey>();
    const answer = await byKey('POST', `${KEYS}/${old.id}/rotate`);
    expect(answer.statusCode).toBe(201);
    const next = answer.json<MadeKey>();
    expect((await byKey('GET', ME, undefined, old.secret)).statusCode).toBe(200);
    clock.time += 24 * 3_600_000;
    expect((await byKey('GET', ME, undefined, old.secret)).statusCode).toBe(401);
    expect((await byKey('GET', ME, undefined, next.secret)).statusCode).toBe(200);
  });

  it('are rotated once', async () => {
    const { byKey } = await identityApp();
    const { id } = (await byKey('POST', KEYS, shop)).json<MadeKey>();
    const rotate = () => byKey('POST', `${KEYS}/${id}/rotate`, { overlap_minutes: 1 });
    const codes = (await Promise.all([rotate(), rotate()])).map((answer) => answer.statusCode);
    expect(codes.sort()).toEqual([201, 409]);
  });

  it('refuse an overlap that is negative, over 30 days or no whole number', async () => {
    const { byKey } = await identityApp();
    const { id } = (await byKey('POST', KEYS, shop)).json<MadeKey>();
    for (const overlap_minutes of [-1, 43_201, 1.5]) {
      const answer = await byKey('POST', `${KEYS}/${id}/rotate`, { overlap_minutes });
      expect(answer.statusCode).toBe(422);
    }
  });

  it('do not delete themselves as the last full one', async () => {
    const { byKey, browser } = await identityApp();
    const [first] = (await byKey('GET', KEYS)).json<MadeKey[]>();
    const own = `${KEYS}/${first?.id}`;
    expect((await byKey('DELETE', own)).statusCode).toBe(409);

    // One that is about to end does not count as one that is left.
    const other = (await byKey('POST', KEYS, { name: 'b', scope: 'full' })).json<MadeKey>();
    const next = (await byKey('POST', `${KEYS}/${other.id}/rotate`)).json<MadeKey>();
    await byKey('DELETE', `${KEYS}/${next.id}`);
    expect((await byKey('DELETE', own)).statusCode).toBe(409);

    const ask = await browser();
    expect((await ask('DELETE', own)).statusCode).toBe(204);
  });

  it('delete themselves while another full one is left', async () => {
    const { byKey } = await identityApp();
    const [first] = (await byKey('GET', KEYS)).json<MadeKey[]>();
    await byKey('POST', KEYS, { name: 'b', scope: 'full' });
    expect((await byKey('DELETE', `${KEYS}/${first?.id}`)).statusCode).toBe(204);
  });

  it('of another tenant do not exist', async () => {
    const { browser, byKey, keys, tenants } = await identityApp();
    const ask = await browser();
    const second = (await ask('POST', '/api/v1/tenants', { name: 'Second' })).json<MadeKey>();
    const input = { name: 'theirs', scope: 'full' as const, allowed_domains: [] };
    const theirs = await keys.issue(second.id, input, START);
    const url = `${KEYS}/${theirs.id}`;
    expect((await byKey('GET', KEYS)).body).not.toContain(theirs.id);
    expect((await ask('GET', `${url}/secret`)).statusCode).toBe(404);
    expect((await byKey('PATCH', url, { name: 'mine' })).statusCode).toBe(404);
    expect((await byKey('POST', `${url}/rotate`)).statusCode).toBe(404);
    expect((await byKey('DELETE', url)).statusCode).toBe(404);
    expect((await byKey('DELETE', `${KEYS}/${UNKNOWN}`)).statusCode).toBe(404);
    expect((await byKey('DELETE', `${KEYS}/no-uuid`)).statusCode).toBe(400);
    expect(tenants.findKey(theirs.secret, START)?.tenantId).toBe(second.id);
  });

  it('are managed by a full key, on this machine only', async () => {
    const { app, byKey } = await identityApp();
    const read = (await byKey('POST', KEYS, { name: 'r', scope: 'read' })).json<MadeKey>();
    expect((await byKey('GET', KEYS, undefined, read.secret)).statusCode).toBe(403);
    const far = await app.inject({
      url: KEYS,
      headers: { 'x-api-key': FIRST_KEY },
      remoteAddress: '192.168.1.50',
    });
    expect(far.statusCode).toBe(403);
    expect(far.body).toContain('this machine only');
  });
});
