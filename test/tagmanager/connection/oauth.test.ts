import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TagManagerFault } from '../../../server/tagmanager/faults.ts';
import { createOAuth } from '../../../server/tagmanager/connection/oauth.ts';
import {
  CLIENT_SECRET,
  EDIT,
  PUBLIC_CLIENT,
  READ,
  SECRET_CLIENT,
  startIdentityProvider,
} from '../../helpers/identity-provider.ts';

const ASKED = {
  client: { id: PUBLIC_CLIENT, secret: null as string | null },
  redirectUri: 'http://127.0.0.1:8737/oauth/callback',
  state: 'a state',
  verifier: 'v'.repeat(43),
};

const codeOf = (address: string) => new URL(address).searchParams.get('code') ?? '';

async function consented(asked = ASKED) {
  const provider = await startIdentityProvider();
  onTestFinished(() => provider[Symbol.asyncDispose]());
  const oauth = createOAuth({ endpoints: provider.endpoints });
  const code = codeOf(await provider.consent(await oauth.consentUrl(asked)));
  return { provider, oauth, code };
}

/** A token endpoint that says whatever it is told to. */
async function odd(answer: (response: ServerResponse) => void, timeoutMs = 5_000) {
  const server = createServer((_request, response) => answer(response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return createOAuth({ endpoints: { authorize: url, token: url, revoke: url }, timeoutMs });
}

const json = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
};

const faultOf = (promise: Promise<unknown>): Promise<TagManagerFault> =>
  promise.then(
    () => {
      throw new Error('nothing went wrong');
    },
    (error: unknown) => error as TagManagerFault,
  );

describe('the consent screen', () => {
  it('is asked for reading and editing, offline, with PKCE and a state', async () => {
    const endpoints = { authorize: 'https://id.example/auth', token: '', revoke: '' };
    const { searchParams: asked } = new URL(await createOAuth({ endpoints }).consentUrl(ASKED));
    expect(Object.fromEntries(asked)).toEqual({
      response_type: 'code',
      client_id: PUBLIC_CLIENT,
      redirect_uri: 'http://127.0.0.1:8737/oauth/callback',
      scope: `${READ} ${EDIT}`,
      state: 'a state',
      // Of 43 times v, by another implementation.
      code_challenge: '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM',
      code_challenge_method: 'S256',
      access_type: 'offline',
      prompt: 'consent select_account',
    });
  });
});

describe('a grant', () => {
  it.each([
    ['without a secret', ASKED],
    ['with one', { ...ASKED, client: { id: SECRET_CLIENT, secret: CLIENT_SECRET } }],
  ])('of a client %s is fetched, refreshed and withdrawn', async (_what, asked) => {
    const { provider, oauth, code } = await consented(asked);
    const granted = await oauth.exchange(asked, code);
    expect(granted).toMatchObject({ expiresInSeconds: 3600, scopes: [READ, EDIT] });
    expect(provider.introspect(granted.access)).toEqual({
      scopes: [READ, EDIT],
      user: 'ada@shop.example',
    });
    const refreshed = await oauth.refresh(asked.client, granted.refresh ?? '');
    expect(refreshed.access).not.toBe(granted.access);
    await oauth.withdraw(asked.client, granted.refresh ?? '');
    expect(provider.grants()).toBe(0);
    expect(provider.introspect(refreshed.access)).toBeUndefined();
    const { body } = provider.asked.at(-1) ?? {};
    expect(Object.fromEntries(body ?? [])).toMatchObject({
      ...{ token: granted.refresh, token_type_hint: 'refresh_token', client_id: asked.client.id },
    });
  });

  it('is not to be had with another verifier, nor twice by one code', async () => {
    const first = await consented();
    const wrong = { ...ASKED, verifier: 'w'.repeat(43) };
    expect(await faultOf(first.oauth.exchange(wrong, first.code))).toMatchObject({
      code: 'code_refused',
    });
    const second = await consented();
    await second.oauth.exchange(ASKED, second.code);
    expect(await faultOf(second.oauth.exchange(ASKED, second.code))).toMatchObject({
      code: 'code_refused',
    });
  });

  it('that was withdrawn has ended, and is withdrawn again without complaint', async () => {
    const { provider, oauth, code } = await consented();
    const { refresh = '' } = await oauth.exchange(ASKED, code);
    provider.revokeGrants();
    expect(await faultOf(oauth.refresh(ASKED.client, refresh))).toMatchObject({
      code: 'grant_ended',
    });
    await oauth.withdraw(ASKED.client, refresh);
  });

  it('is not given to a client that is unknown, or has another secret', async () => {
    const asked = { ...ASKED, client: { id: SECRET_CLIENT, secret: CLIENT_SECRET } };
    const { oauth, code } = await consented(asked);
    for (const client of [
      { id: 'nobody', secret: null },
      { id: SECRET_CLIENT, secret: 'another' },
      { id: SECRET_CLIENT, secret: null },
    ]) {
      expect(await faultOf(oauth.exchange({ ...asked, client }, code))).toMatchObject({
        code: 'wrong_client',
      });
    }
  });
});

describe('an answer that is none', () => {
  it.each<[string, (response: ServerResponse) => void, string]>([
    ['a redirect', (r) => r.writeHead(302, { location: '/elsewhere' }).end(), 'unreachable'],
    ['a failure', (r) => json(r, 500, { error: 'invalid_grant' }), 'unreachable'],
    ['no JSON', (r) => json(r, 200, '<html>'), 'unreachable'],
    ['a list', (r) => json(r, 200, []), 'unreachable'],
    ['no token', (r) => json(r, 200, { token_type: 'bearer' }), 'unreachable'],
    ['too much', (r) => json(r, 200, 'x'.repeat(1 << 20)), 'unreachable'],
    ['a hang-up', (r) => r.destroy(), 'unreachable'],
    ['another code', (r) => json(r, 400, { error: 'invalid_scope' }), 'access_failed'],
    ['a deleted client', (r) => json(r, 401, { error: 'deleted_client' }), 'wrong_client'],
    ['a code with markup', (r) => json(r, 400, { error: '<b>click</b>' }), 'access_failed'],
  ])('%s ends in words of ours', async (_what, answer, code) => {
    const oauth = await odd(answer);
    const fault = await faultOf(oauth.refresh(ASKED.client, 'secret-refresh-token'));
    expect(fault.code).toBe(code);
    expect(`${fault.message} ${fault.next} ${String(fault.cause)}`).not.toMatch(/secret-|<b>/);
  });

  it('that takes too long is not waited for, nor one that nobody wants any more', async () => {
    const late = await odd(() => undefined, 20);
    expect(await faultOf(late.refresh(ASKED.client, 'x'))).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('no answer in time') as string,
    });
    const reached = Promise.withResolvers<undefined>();
    const closing = await odd(() => reached.resolve(undefined));
    const asking = faultOf(closing.refresh(ASKED.client, 'x'));
    await reached.promise;
    closing.close();
    expect(await asking).toMatchObject({ code: 'unreachable' });
  });

  it('that goes on for ever is cut off', async () => {
    const oauth = await odd((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        if (!response.destroyed) response.write('x'.repeat(10_000), more);
      };
      more();
    });
    expect(await faultOf(oauth.refresh(ASKED.client, 'x'))).toMatchObject({ code: 'unreachable' });
  });

  it('by a provider that says neither scope nor lifetime means all, for an hour', async () => {
    const oauth = await odd((r) => json(r, 200, { access_token: 'a', token_type: 'Bearer' }));
    expect(await oauth.refresh(ASKED.client, 'x')).toEqual({
      ...{ access: 'a', expiresInSeconds: 3600, refresh: undefined, scopes: [READ, EDIT] },
    });
  });
});
