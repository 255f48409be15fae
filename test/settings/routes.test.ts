import { describe, expect, it } from 'vitest';
import { publicUrl } from '../../server/settings/schema.ts';
import { identityApp } from '../helpers/identity-parts.ts';

const URL = '/api/v1/settings';
const DEFAULTS = {
  public_url: null,
  trusted_proxies: ['127.0.0.0/8', '::1'],
  dashboard_on_lan: false,
  rate_limit_events: 1000,
  rate_limit_collect: 2000,
  backup_dir: null,
};

describe('settings', () => {
  it('begin with defaults', async () => {
    const ask = await (await identityApp()).browser();
    expect((await ask('GET', URL)).json()).toEqual({ ...DEFAULTS, overridden: [] });
  });

  it('change at once, one by one, and stay', async () => {
    const { browser, settings, file } = await identityApp({ password: 'correct horse' });
    const ask = await browser();
    await ask('PATCH', URL, { rate_limit_events: 5 });
    const answer = await ask('PATCH', URL, { public_url: 'https://Events.shop.example' });
    const expected = { public_url: 'https://events.shop.example', rate_limit_events: 5 };
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject(expected);
    expect(settings.current()).toMatchObject(expected);
    expect(file.data.settings).toMatchObject(expected);
    const cleared = await ask('PATCH', URL, { public_url: null });
    expect(cleared.json()).toMatchObject({ public_url: null });
  });

  it('refuse what is out of bounds or unknown', async () => {
    const { browser, file } = await identityApp();
    const ask = await browser();
    for (const body of [
      ...[{ rate_limit_events: 0 }, { rate_limit_collect: 1_000_001 }, { rate_limit_collect: 1.5 }],
      ...[{ dashboard_on_lan: 'yes' }, { public_url: 'https://shop.example/' }, { overridden: [] }],
      ...[{ backup_dir: 'relative' }, { backup_dir: '/not/there' }],
      ...[{ trusted_proxies: ['shop.example'] }, { trusted_proxies: ['10.0.0.0/33'] }],
    ]) {
      expect((await ask('PATCH', URL, body)).statusCode, JSON.stringify(body)).toBe(422);
      expect(file.data.settings).toEqual(DEFAULTS);
    }
  });

  it('give way to start options, which are not stored and cannot be changed', async () => {
    const overrides = { rate_limit_events: 7, public_url: undefined };
    const { browser, settings, file } = await identityApp({ overrides });
    const ask = await browser();
    const expected = { ...DEFAULTS, rate_limit_events: 7, overridden: ['rate_limit_events'] };
    expect((await ask('GET', URL)).json()).toEqual(expected);
    const refused = await ask('PATCH', URL, { rate_limit_events: 9, rate_limit_collect: 9 });
    expect(refused.statusCode).toBe(409);
    expect(refused.body).toContain('rate_limit_events');
    expect((await ask('PATCH', URL, { rate_limit_collect: 9 })).statusCode).toBe(200);
    expect(settings.current()).toMatchObject({ rate_limit_events: 7, rate_limit_collect: 9 });
    expect(file.data.settings).toMatchObject({ rate_limit_events: 1000, rate_limit_collect: 9 });
  });

  it('open the dashboard to the LAN only behind a password', async () => {
    const ask = await (await identityApp()).browser();
    const early = await ask('PATCH', URL, { dashboard_on_lan: true });
    expect(early.statusCode).toBe(409);
    expect(early.body).toContain('Set a password');
    await ask('PUT', '/api/v1/password', { password: 'correct horse' });
    expect((await ask('PATCH', URL, { dashboard_on_lan: true })).statusCode).toBe(200);
  });

  it('take a public address only behind a password, and go without one as before', async () => {
    const ask = await (await identityApp()).browser();
    const early = await ask('PATCH', URL, { public_url: 'https://events.shop.example' });
    expect(early.statusCode).toBe(409);
    expect(early.body).toContain('Set a password');
    expect((await ask('PATCH', URL, { public_url: null })).statusCode).toBe(200);
    await ask('PUT', '/api/v1/password', { password: 'correct horse' });
    const late = await ask('PATCH', URL, { public_url: 'https://events.shop.example' });
    expect(late.statusCode).toBe(200);
  });

  it('do not open it without a password, even when a start option says so', async () => {
    const { settings } = await identityApp({ overrides: { dashboard_on_lan: true } });
    expect(settings.current().dashboard_on_lan).toBe(true);
    expect(settings.dashboardOnLan()).toBe(false);
  });

  it('are for sessions on this machine', async () => {
    const { app, byKey } = await identityApp();
    expect((await byKey('GET', URL)).statusCode).toBe(403);
    expect((await app.inject({ url: URL })).statusCode).toBe(401);
    const far = await app.inject({ url: URL, remoteAddress: '192.168.1.7' });
    expect(far.statusCode).toBe(403);
  });
});

describe('a public address', () => {
  it.each([
    ['https://events.shop.example', 'https://events.shop.example'],
    ['HTTP://192.168.1.20:8737', 'http://192.168.1.20:8737'],
    ['https://shop.example:443', 'https://shop.example'],
    ['http://[fd00::1]:8737', 'http://[fd00::1]:8737'],
    ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
  ])('%s is kept as %s', (text, kept) => {
    expect(publicUrl.parse(text)).toBe(kept);
  });

  it.each([
    ['https://shop.example/', 'must not end with a slash: write https://shop.example'],
    ['https://shop.example/path', 'must not have a path: write https://shop.example'],
    ['https://shop.example?x=1', 'must not have a path'],
    ['https://shop.example#x', 'must not have a path'],
    ['https://shop.example\\x', 'must not have a path'],
    ['https://me:pw@shop.example', 'must not have a user name'],
    [' https://shop.example', 'must not have spaces'],
    ['shop.example', 'must be an address like'],
    ['ftp://shop.example', 'must be an address like'],
    ['https://', 'must be an address like'],
    ['https:///shop.example', 'must be an address like'],
    ['https://shop.example:99999', 'must be an address like'],
    ["https://shop'+x+'.example", 'must be an address like'],
    ['https://shop*.example', 'must be an address like'],
    ['https://..', 'must be an address like'],
    [`https://${'a'.repeat(254)}`, 'must be an address like'],
    ['https://-', 'must be an address like'],
    ['https://shop-.example', 'must be an address like'],
    ['', 'must be an address like'],
  ])('%s is refused: %s', (text, words) => {
    expect(publicUrl.safeParse(text).error?.issues[0]?.message).toContain(words);
  });
});
