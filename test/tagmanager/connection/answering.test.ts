import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { PUBLIC_CLIENT } from '../../helpers/identity-provider.ts';
import { connectionApp } from './parts.ts';

describe('the page that is led back to', () => {
  it('takes an answer once, however often it is opened', async () => {
    const { setClient, begin, provider, open, view } = await connectionApp();
    await setClient();
    const back = await provider.consent(await begin());
    const pages = await Promise.all([open(back), open(back), open(back)]);
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect((await open(back)).page).toContain('shown before');
    expect(provider.timesAsked('authorization_code')).toBe(1);
    expect((await view()).state).toBe('connected');
  });

  it('cannot be had to fetch tokens by a code alone, or another state', async () => {
    const { setClient, begin, provider, open, state, view } = await connectionApp();
    await setClient();
    const back = new URL(await provider.consent(await begin()));
    const code = back.searchParams.get('code') ?? '';
    const right = back.searchParams.get('state') ?? '';
    for (const query of [
      '',
      `?code=${code}`,
      `?code=${code}&state=`,
      `?code=${code}&state=${right.slice(1)}`,
      `?code=${code}&state=${right}&state=${right}`,
      `?code=${code}&code=${code}&state=${right}`,
      `?code=${code}&error=access_denied&state=${right}`,
      `?state=${right}`,
    ]) {
      const answer = await open(`http://127.0.0.1:${state.port}/oauth/callback${query}`);
      expect(answer.status, query).toBe(400);
      expect(answer.page).toContain('did not ask for this');
    }
    expect(provider.timesAsked('authorization_code')).toBe(0);
    expect((await view()).state).toBe('waiting');
    expect((await open(back.href)).status).toBe(200);
  });

  it('runs nothing, fetches nothing, and is neither kept nor passed on', async () => {
    const { connect } = await connectionApp();
    const { page, headers } = await connect();
    expect(page).not.toMatch(/<script|src=|href=|\son\w+=/i);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('is not used up by who asks for its headers', async () => {
    const { setClient, begin, provider, open } = await connectionApp();
    await setClient();
    const back = await provider.consent(await begin());
    expect((await fetch(back, { method: 'HEAD' })).status).toBe(404);
    expect((await open(back)).status).toBe(200);
  });

  it.each([{ host: 'vedette.attacker.example' }, { 'x-forwarded-for': '203.0.113.9' }])(
    'asks whoever comes from elsewhere (%j) to copy the address',
    async (headers) => {
      const { setClient, begin, provider, view } = await connectionApp();
      await setClient();
      const back = await provider.consent(await begin());
      const page = await new Promise<string>((done) => {
        request(back, { headers }, (response) => {
          response.setEncoding('utf8');
          let text = '';
          response.on('data', (part: string) => (text += part));
          response.on('end', () => done(text));
        }).end();
      });
      expect(page).toContain('Copy its whole address');
      expect((await view()).state).toBe('waiting');
    },
  );
});

describe('an address that is pasted', () => {
  it('must be the right one, and says which one that is', async () => {
    const { setClient, begin, provider, ask, PATH, view } = await connectionApp();
    await setClient();
    const address = await begin();
    const paste = (text: string) => ask('POST', `${PATH}/connection/answer`, { address: text });
    for (const wrong of [
      'hello',
      address,
      'http://127.0.0.1:1/oauth/callback',
      '?code=1&state=2',
    ]) {
      const answer = await paste(wrong);
      expect(answer.statusCode, wrong).toBe(422);
      expect(answer.json()).toMatchObject({ errors: [{ path: 'address' }] });
    }
    expect((await view()).state).toBe('waiting');
    const back = await provider.consent(address, { deny: true });
    expect((await paste(back)).json()).toMatchObject({ problem: { code: 'denied' } });
    expect((await paste(back)).json<{ detail: string }>().detail).toContain('used already');
  });

  it('counts for the tenant alone that waits for it', async () => {
    const { setClient, begin, provider, ask, PATH, view, tenantId } = await connectionApp();
    await setClient();
    const back = await provider.consent(await begin());
    const { id } = (await ask('POST', '/api/v1/tenants', { name: 'Other' })).json<{ id: string }>();
    await ask('PATCH', '/api/v1/session', { tenant_id: id });
    const answer = await ask('POST', `${PATH}/connection/answer`, { address: back });
    expect(answer.statusCode).toBe(422);
    expect(await view()).toMatchObject({ state: 'not_connected', client: { id: null } });
    await ask('PATCH', '/api/v1/session', { tenant_id: tenantId });
    expect((await view()).state).toBe('waiting');
  });
});

describe('keys', () => {
  it('that may read see how the connection is, but not the open consent screen', async () => {
    const { setClient, begin, byKey, keys, tenantId, clock, PATH } = await connectionApp();
    await setClient();
    await begin();
    for (const scope of ['read', 'full'] as const) {
      const input = { name: scope, scope, allowed_domains: [] };
      const { secret } = await keys.issue(tenantId, input, clock.now());
      const answer = await byKey('GET', `${PATH}/connection`, undefined, secret);
      expect(answer.json()).toMatchObject({ state: 'waiting', waiting: null });
      expect(answer.body).not.toContain('state=');
    }
  });

  it('begin and answer no consent, and only full ones change anything', async () => {
    const { byKey, keys, tenantId, clock, PATH } = await connectionApp();
    const input = { name: 'r', scope: 'read' as const, allowed_domains: [] };
    const { secret } = await keys.issue(tenantId, input, clock.now());
    const codeOf = async (...ask: Parameters<typeof byKey>) => (await byKey(...ask)).statusCode;
    const client = { client_id: PUBLIC_CLIENT };
    expect(await codeOf('POST', `${PATH}/connection/consent`)).toBe(403);
    expect(await codeOf('DELETE', `${PATH}/connection/consent`)).toBe(403);
    expect(await codeOf('POST', `${PATH}/connection/answer`, { address: 'a' })).toBe(403);
    expect(await codeOf('PUT', `${PATH}/connection/client`, client, secret)).toBe(403);
    expect(await codeOf('DELETE', `${PATH}/connection`, undefined, secret)).toBe(403);
    expect(await codeOf('GET', `${PATH}/accounts`, undefined, secret)).toBe(403);
  });
});
