import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deviceOf } from '../../server/session/devices.ts';
import { FIRST_KEY, identityApp, identityParts, START } from '../helpers/identity-parts.ts';

const SESSION = '/api/v1/session';
const PASSWORD = 'correct horse';
const DAY = 86_400_000;
const HOME = { host: 'localhost:8737', origin: 'http://localhost:8737' };

type App = Awaited<ReturnType<typeof identityApp>>['app'];

const signIn = (app: App, body: object, headers: Record<string, string> = HOME) =>
  app.inject({ method: 'POST', url: SESSION, headers, body });

const withCookie = (app: App, method: 'GET' | 'DELETE', url: string, token = '') =>
  app.inject({ method, url, headers: HOME, cookies: { vedette_session: token } });

describe('signing in', () => {
  it('by password gives a session in a cookie that scripts cannot read', async () => {
    const { app, tenants, dir } = await identityApp({ password: PASSWORD });
    const answer = await signIn(app, { password: PASSWORD });
    expect(answer.statusCode).toBe(201);
    const expected = {
      tenant_id: tenants.first().id,
      tenant_name: 'Default',
      expires_at: new Date(START + 30 * DAY).toISOString(),
      password_set: true,
    };
    expect(answer.json()).toEqual(expected);
    const [cookie] = answer.cookies;
    expect(cookie).toMatchObject({
      name: 'vedette_session',
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
      maxAge: 30 * 24 * 3600,
    });
    expect(cookie).not.toHaveProperty('secure');
    expect(cookie?.value).toMatch(/^[\w-]{43}$/);
    const shown = await withCookie(app, 'GET', SESSION, cookie?.value);
    expect([shown.statusCode, shown.json()]).toEqual([200, expected]);
    expect(readFileSync(join(dir, 'settings.json'), 'utf8')).not.toContain(cookie?.value);
  });

  it('marks the cookie Secure when the request came by https', async () => {
    const overrides = { dashboard_on_lan: true };
    const { app } = await identityApp({ password: PASSWORD, overrides });
    const headers = {
      host: 'localhost',
      origin: 'https://localhost',
      'x-forwarded-proto': 'https',
    };
    const [cookie] = (await signIn(app, { password: PASSWORD }, headers)).cookies;
    expect(cookie).toMatchObject({ secure: true });
  });

  it('by link works once, and for ten minutes', async () => {
    const { app, desk, clock } = await identityApp();
    const token = desk.createSignInToken(START);
    const late = desk.createSignInToken(START);
    const both = await Promise.all([signIn(app, { token }), signIn(app, { token })]);
    expect(both.map((answer) => answer.statusCode).sort()).toEqual([201, 401]);
    clock.time += 10 * 60_000;
    expect((await signIn(app, { token: late })).statusCode).toBe(401);
  });

  it('is refused with neither password nor link, with both, or with more', async () => {
    const { app } = await identityApp();
    for (const body of [
      {},
      { password: 'x', token: 'y' },
      { password: 1 },
      { token: 'x', more: 1 },
    ])
      expect((await signIn(app, body)).statusCode).toBe(422);
  });

  it('says so when there is no password yet', async () => {
    const { app } = await identityApp();
    const answer = await signIn(app, { password: PASSWORD });
    expect(answer.statusCode).toBe(401);
    expect(answer.body).toContain('No password is set');
  });

  it('by a wrong password slows down, and twenty at once do not slip by', async () => {
    const { app, clock } = await identityApp({ password: PASSWORD });
    const many = Array.from({ length: 20 }, () => signIn(app, { password: 'wrong' }));
    const codes = (await Promise.all(many)).map((answer) => answer.statusCode);
    expect(codes.filter((code) => code === 401)).toHaveLength(5);
    expect(codes.filter((code) => code === 429)).toHaveLength(15);

    const refused = await signIn(app, { password: PASSWORD });
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('1');
    clock.time += 1000;
    expect((await signIn(app, { password: PASSWORD })).statusCode).toBe(201);
  });

  it('is open to links and to browsers that were signed in, however much others guess', async () => {
    const overrides = { dashboard_on_lan: true };
    const { app, desk, clock } = await identityApp({ password: PASSWORD, overrides });
    const as = async (address: string, body: object, device?: string) => {
      const cookies = device === undefined ? {} : { vedette_device: device };
      const url = SESSION;
      return app.inject({
        ...{ method: 'POST', url, headers: HOME, cookies, remoteAddress: address, body },
      });
    };
    const good = await as('192.168.1.7', { password: PASSWORD });
    const cookie = good.cookies.find(({ name }) => name === 'vedette_device');
    expect(cookie).toMatchObject({ path: SESSION, httpOnly: true, sameSite: 'Strict' });
    const device = cookie?.value ?? '';

    // From the owner's address, and from so many others that all strange browsers must wait.
    for (let i = 0; i < 12; i++) await as('192.168.1.7', { password: 'wrong' });
    for (let i = 0; i < 40; i++) await as(`192.168.2.${i}`, { password: 'wrong' });
    expect((await as('192.168.3.1', { password: PASSWORD })).statusCode).toBe(429);
    expect((await as('192.168.1.7', { password: PASSWORD })).statusCode).toBe(429);
    for (const forged of [
      '',
      'x',
      `${device.slice(0, -2)}AA`,
      device.replace(/^.{22}/, 'A'.repeat(22)),
    ]) {
      expect((await as('192.168.1.7', { password: PASSWORD }, forged)).statusCode, forged).toBe(
        429,
      );
    }
    expect((await as('192.168.1.7', { password: PASSWORD }, device)).statusCode).toBe(201);
    const token = desk.createSignInToken(START);
    expect((await as('192.168.1.7', { token: 'wrong' })).statusCode).toBe(401);
    expect((await as('192.168.1.7', { token })).statusCode).toBe(201);

    // A browser that is known guesses no faster than others.
    const guesses = [];
    for (let i = 0; i < 7; i++) {
      guesses.push((await as('192.168.1.7', { password: 'wrong' }, device)).statusCode);
    }
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    // Nobody is kept waiting for longer than a minute.
    clock.time += 60_000;
    expect((await as('192.168.1.7', { password: PASSWORD })).statusCode).toBe(201);
  });

  it('takes a browser for a strange one again once the password has changed', async () => {
    const { app, browser, sessions } = await identityApp({ password: PASSWORD });
    const { cookies } = await signIn(app, { password: PASSWORD });
    const device = cookies.find(({ name }) => name === 'vedette_device')?.value ?? '';
    expect(deviceOf(device, sessions.password())).toBe(device.slice(0, 22));
    const ask = await browser();
    const changed = await ask('PUT', '/api/v1/password', { password: 'battery staple' });
    expect(deviceOf(device, sessions.password())).toBeUndefined();
    // Whoever changed it stays known.
    const renewed = changed.cookies.find(({ name }) => name === 'vedette_device')?.value;
    expect(deviceOf(renewed, sessions.password())).toBeDefined();
  });

  it('is refused from the page of another site, and on another host name', async () => {
    const { app, desk } = await identityApp();
    const token = desk.createSignInToken(START);
    const foreign = { host: 'localhost:8737', origin: 'https://evil.test' };
    expect((await signIn(app, { token }, foreign)).statusCode).toBe(403);
    const fetched = { host: 'localhost:8737', 'sec-fetch-site': 'cross-site' };
    expect((await signIn(app, { token }, fetched)).statusCode).toBe(403);
    const rebound = { host: 'evil.test:8737', origin: 'http://evil.test:8737' };
    expect((await signIn(app, { token }, rebound)).statusCode).toBe(403);
    expect((await signIn(app, { token }, { host: 'localhost:8737' })).statusCode).toBe(201);
  });

  it('does not outlive a password that changed while it was judged', async () => {
    const { sessions, desk } = await identityParts({ password: PASSWORD });
    const visitor = { address: 'a', network: 'a', userAgent: '' };
    const under_way = desk.signIn({ password: PASSWORD }, visitor, START);
    await sessions.setPassword('another', '');
    await expect(under_way).rejects.toMatchObject({ status: 401 });
    expect(sessions.list(START)).toEqual([]);
  });
});

describe('a session', () => {
  it('ends thirty days after its last use, and is pushed out once a day at most', async () => {
    const { app, browser, clock, sessions } = await identityApp();
    const ask = await browser();
    expect((await ask('GET', SESSION)).cookies).toEqual([]);
    clock.time += DAY;
    const extended = await ask('GET', SESSION);
    expect(extended.cookies[0]).toMatchObject({ maxAge: 30 * 24 * 3600 });
    expect(extended.json()).toMatchObject({
      expires_at: new Date(START + 31 * DAY).toISOString(),
    });
    expect((await ask('GET', SESSION)).cookies).toEqual([]);
    clock.time += 30 * DAY;
    expect((await ask('GET', SESSION)).statusCode).toBe(401);
    expect(sessions.list(clock.time)).toEqual([]);
    expect((await withCookie(app, 'GET', SESSION, 'made-up')).statusCode).toBe(401);
    expect((await app.inject({ url: SESSION, headers: HOME })).statusCode).toBe(401);
  });

  it('survives a restart', async () => {
    const { dir, sessions, tenants } = await identityParts();
    const input = { tenantId: tenants.first().id, address: 'a', userAgent: 'b' };
    const { token } = await sessions.open({ ...input, openedBy: 'link' }, START);
    const restarted = await identityParts({ dir });
    expect(restarted.sessions.find(token, START)).toMatchObject({ address: 'a' });
  });

  it('is open to a key in no way', async () => {
    const { byKey } = await identityApp();
    for (const url of [SESSION, '/api/v1/sessions', '/api/v1/settings']) {
      expect((await byKey('GET', url)).statusCode).toBe(403);
      expect((await byKey('GET', url, undefined, 'wrong')).statusCode).toBe(401);
    }
  });

  it('switches to another tenant, and shows that one from then on', async () => {
    const { browser } = await identityApp();
    const ask = await browser();
    const second = (await ask('POST', '/api/v1/tenants', { name: 'Second' })).json<{
      id: string;
    }>();
    const switched = await ask('PATCH', SESSION, { tenant_id: second.id });
    expect(switched.json()).toMatchObject({ tenant_id: second.id, tenant_name: 'Second' });
    expect((await ask('GET', '/api/v1/tenants/me')).json()).toMatchObject({ name: 'Second' });
    const unknown = await ask('PATCH', SESSION, {
      tenant_id: '4f9d7f5e-6f3f-4b8e-9a53-0d4f4a0f9a11',
    });
    expect(unknown.statusCode).toBe(404);
  });

  it('is over after signing out, and its cookie is gone', async () => {
    const ask = await (await identityApp()).browser();
    const answer = await ask('DELETE', SESSION);
    expect(answer.statusCode).toBe(204);
    expect(answer.cookies[0]).toMatchObject({ name: 'vedette_session', value: '', path: '/' });
    expect(answer.cookies[0]?.expires?.getTime()).toBe(0);
    expect((await ask('GET', SESSION)).statusCode).toBe(401);
  });

  it('is listed without its secret, and can be ended from another', async () => {
    const { browser } = await identityApp();
    const [mine, other] = [await browser(), await browser()];
    const list = await mine('GET', '/api/v1/sessions');
    expect(list.body).not.toContain('hash');
    const entries = list.json<{ id: string; current: boolean }[]>();
    expect(entries.map((entry) => entry.current)).toEqual([false, true]);
    expect(entries[0]).toMatchObject({
      ...{ opened_by: 'link', address: '127.0.0.1', browser: 'lightMyRequest' },
    });
    const ended = await mine('DELETE', `/api/v1/sessions/${entries[0]?.id}`);
    expect(ended.statusCode).toBe(204);
    expect((await other('GET', SESSION)).statusCode).toBe(401);
    expect((await mine('GET', SESSION)).statusCode).toBe(200);
    const again = await mine('DELETE', `/api/v1/sessions/${entries[0]?.id}`);
    expect(again.statusCode).toBe(404);
  });

  it('is one of fifty at most; the oldest goes', async () => {
    const { sessions, tenants } = await identityParts();
    const input = { tenantId: tenants.first().id, address: 'a', userAgent: 'x'.repeat(500) };
    const opened = [];
    for (let i = 0; i < 51; i++) {
      opened.push(await sessions.open({ ...input, openedBy: 'link' }, START));
    }
    expect(sessions.list(START)).toHaveLength(50);
    expect(sessions.find(opened[0]?.token ?? '', START)).toBeUndefined();
    expect(sessions.find(opened[1]?.token ?? '', START)?.user_agent).toHaveLength(200);
  });
});

describe('the password', () => {
  const URL = '/api/v1/password';
  const NEW = 'battery staple';

  async function openedByPassword() {
    const made = await identityApp({ password: PASSWORD });
    const answer = await signIn(made.app, { password: PASSWORD });
    const token = answer.cookies[0]?.value ?? '';
    const change = (body: object) =>
      made.app.inject({
        method: 'PUT',
        url: URL,
        headers: HOME,
        cookies: { vedette_session: token },
        body,
      });
    return { ...made, token, change };
  }

  it('is set by whoever came by link, and opens the door from then on', async () => {
    const { app, browser } = await identityApp({ password: PASSWORD });
    const ask = await browser();
    expect((await ask('PUT', URL, { password: NEW })).statusCode).toBe(204);
    expect((await signIn(app, { password: PASSWORD })).statusCode).toBe(401);
    expect((await signIn(app, { password: NEW })).statusCode).toBe(201);
  });

  it('is changed only with the current one by whoever came with that', async () => {
    const { app, change } = await openedByPassword();
    expect((await change({ password: NEW })).statusCode).toBe(422);
    const wrong = await change({ password: NEW, current_password: 'guess' });
    expect(wrong.statusCode).toBe(422);
    expect(wrong.body).toContain('is not the current password');
    expect((await signIn(app, { password: NEW })).statusCode).toBe(401);
    expect((await change({ password: NEW, current_password: PASSWORD })).statusCode).toBe(204);
    expect((await signIn(app, { password: NEW })).statusCode).toBe(201);
  });

  it('cannot be guessed faster here than at the door', async () => {
    const { change } = await openedByPassword();
    const many = Array.from({ length: 8 }, () =>
      change({ password: NEW, current_password: 'guess' }),
    );
    const codes = (await Promise.all(many)).map((answer) => answer.statusCode);
    expect(codes.filter((code) => code === 429)).toHaveLength(3);
  });

  it('ends all other sessions when it changes', async () => {
    const { app, token, browser, change } = await openedByPassword();
    const other = await browser();
    await change({ password: NEW, current_password: PASSWORD });
    expect((await other('GET', SESSION)).statusCode).toBe(401);
    expect((await withCookie(app, 'GET', SESSION, token)).statusCode).toBe(200);
  });

  it.each(['too short', 'x'.repeat(201)])('is not set to %s', async (password) => {
    const ask = await (await identityApp()).browser();
    expect((await ask('PUT', URL, { password })).statusCode).toBe(422);
  });

  it('is not for keys to change', async () => {
    const { byKey } = await identityApp({ apiKey: FIRST_KEY });
    expect((await byKey('PUT', URL, { password: NEW })).statusCode).toBe(403);
  });
});
