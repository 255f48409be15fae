import { describe, expect, it } from 'vitest';
import type { ConnectionView } from '../../../server/tagmanager/connection/schema.ts';
import {
  CLIENT_SECRET,
  EDIT,
  PUBLIC_CLIENT,
  READ,
  SECRET_CLIENT,
} from '../../helpers/identity-provider.ts';
import { connectionApp } from './parts.ts';

const MINUTE = 60_000;
const BACK = 'You can close this tab and go back to Vedette.';

describe('before there is a connection', () => {
  it('there is nothing but the address that the consent screen will lead back to', async () => {
    const { view, state } = await connectionApp();
    expect(await view()).toEqual({
      state: 'not_connected',
      client: { id: null, has_secret: false },
      redirect_uri: `http://127.0.0.1:${state.port}/oauth/callback`,
      ...{ waiting: null, connected_at: null, may_edit: false, chosen: null, problem: null },
      ...{
        job: null,
        last_failure: null,
        quota: { used_today: 0, per_day: 10_000, waiting_seconds: 0 },
      },
    });
  });

  it('a consent needs a client, and lists and selection need a connection', async () => {
    const { ask, PATH, setClient, choose } = await connectionApp();
    const refused = await ask('POST', `${PATH}/connection/consent`);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toEqual({ detail: 'Enter the OAuth client ID first' });
    await setClient();
    for (const answer of [await ask('GET', `${PATH}/accounts`), await choose()]) {
      expect(answer.statusCode).toBe(409);
      expect(answer.json<{ detail: string }>().detail).toContain('not connected');
    }
  });

  it('the client is set, its secret kept for it unless it is named, and removed by null', async () => {
    const { setClient, view } = await connectionApp();
    const client = async () => (await view()).client;
    expect((await setClient(SECRET_CLIENT, CLIENT_SECRET)).json<ConnectionView>().client).toEqual({
      ...{ id: SECRET_CLIENT, has_secret: true },
    });
    await setClient(SECRET_CLIENT);
    expect(await client()).toEqual({ id: SECRET_CLIENT, has_secret: true });
    await setClient(SECRET_CLIENT, null);
    expect(await client()).toEqual({ id: SECRET_CLIENT, has_secret: false });
    await setClient(SECRET_CLIENT, CLIENT_SECRET);
    await setClient(PUBLIC_CLIENT);
    expect(await client()).toEqual({ id: PUBLIC_CLIENT, has_secret: false });
  });

  it('no client is taken that is none', async () => {
    const { ask, PATH } = await connectionApp();
    for (const [body, path, words] of [
      [{}, 'client_id', 'is required'],
      [{ client_id: ' ' }, 'client_id', 'at least 1'],
      [{ client_id: 'two words' }, 'client_id', 'without spaces'],
      [{ client_id: CLIENT_SECRET }, 'client_id', 'is a client secret'],
      [{ client_id: 'a', client_secret: SECRET_CLIENT }, 'client_secret', 'is a client ID'],
      [{ client_id: 'a', scope: 'publish' }, 'scope', 'is not known here'],
    ] as const) {
      const answer = await ask('PUT', `${PATH}/connection/client`, body);
      expect(answer.statusCode, words).toBe(422);
      const message = expect.stringContaining(words) as string;
      expect(answer.json<{ errors: object[] }>().errors[0]).toMatchObject({ path, message });
    }
  });
});

describe('connecting', () => {
  it.each([
    ['without a secret', PUBLIC_CLIENT, undefined],
    ['with one', SECRET_CLIENT, CLIENT_SECRET],
  ])('by a client %s: waiting, then connected', async (_what, id, secret) => {
    const { provider, clock, setClient, begin, view, open, tenantId, deeds, ...app } =
      await connectionApp();
    await setClient(id, secret);
    const address = await begin();
    expect(await view()).toMatchObject({
      ...{ state: 'waiting', connected_at: null, problem: null },
      waiting: {
        authorize_url: address,
        until: new Date(clock.time + 10 * MINUTE).toISOString(),
      },
    });
    const back = await provider.consent(address);
    expect(back).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback\?/);
    const { status, page } = await open(back);
    expect(status).toBe(200);
    expect(page).toContain('The tag manager is connected');
    expect(page).toContain(BACK);
    await app.connection.lookedAt(tenantId);
    expect(await view()).toMatchObject({
      ...{ state: 'connected', waiting: null, may_edit: true, chosen: null, problem: null },
      connected_at: new Date(clock.time).toISOString(),
    });
    expect(deeds).toEqual([
      {
        deed: 'connected',
        who: expect.stringMatching(/^Dashboard, /) as string,
        words: 'To read and to edit',
      },
    ]);
    expect((await setClient('another')).statusCode).toBe(409);
  });

  it('by an address that was pasted, whole or in part', async () => {
    const { provider, setClient, begin, ask, PATH, deeds } = await connectionApp();
    await setClient();
    const parts = [(back: string) => back, (back: string) => new URL(back).search];
    for (const [i, part] of parts.entries()) {
      const address = part(await provider.consent(await begin()));
      const answer = await ask('POST', `${PATH}/connection/answer`, { address });
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject({ state: 'connected', problem: null });
      expect(deeds).toHaveLength(i + 1);
    }
  });

  it('with the box for editing unticked reads only, and says how to get the rest', async () => {
    const { connect, view } = await connectionApp();
    const { status, page } = await connect({ scopes: [READ] });
    expect(status).toBe(200);
    expect(page).toContain('but not edit');
    expect(await view()).toMatchObject({
      ...{ state: 'connected', may_edit: false, problem: { code: 'missing_scope' } },
    });
  });

  it('with the box for reading unticked is none, and leaves no grant behind', async () => {
    const { connect, view, provider } = await connectionApp();
    const { status, page } = await connect({ scopes: [EDIT] });
    expect(status).toBe(400);
    expect(page).toContain('not connected');
    expect(await view()).toMatchObject({
      ...{ state: 'not_connected', may_edit: false, problem: { code: 'missing_scope' } },
    });
    expect(provider.grants()).toBe(0);
  });

  it('without a refresh token is none', async () => {
    const { connect, view, provider } = await connectionApp();
    provider.switches.givesRefreshTokens = false;
    expect((await connect()).status).toBe(400);
    expect(await view()).toMatchObject({
      ...{ state: 'not_connected', problem: { code: 'no_refresh_token' } },
    });
  });

  it('that was denied says so, until the next attempt', async () => {
    const { connect, view, begin } = await connectionApp();
    const { status, page } = await connect({ deny: true });
    expect(status).toBe(400);
    expect(page).toContain('not granted');
    expect(page).not.toContain('The person said no');
    expect(await view()).toMatchObject({
      ...{ state: 'not_connected', waiting: null, problem: { code: 'denied' } },
    });
    await begin();
    expect((await view()).problem).toBeNull();
    expect((await connect()).status).toBe(200);
    expect((await view()).problem).toBeNull();
  });

  it('that came to nothing says that the connection from before stays', async () => {
    const { connect, consent, view, provider, store, stored } = await connectionApp();
    await connect();
    const before = stored()?.tokens;
    const { change } = store;
    for (const fails of [
      () => consent({ deny: true }),
      () => consent({ scopes: [EDIT] }),
      () => {
        store.change = () => Promise.reject(new Error('The disk is full'));
        return consent();
      },
    ]) {
      const { status, page } = await fails();
      store.change = change;
      expect(status).toBe(400);
      expect(page).toContain('connected as before');
      expect(page).toContain('The connection from before stays as it is');
      expect(page).not.toMatch(/not connected|nothing was connected/i);
      expect((await view()).state).toBe('connected');
      expect(stored()?.tokens).toBe(before);
    }
    // Of what has ended nothing stays.
    await store.change(stored()?.tenant_id ?? '', (record) => (record.tokens = null));
    expect((await consent({ deny: true })).page).toContain('not connected');
    expect(provider.timesAsked('authorization_code')).toBe(3);
  });

  it('that ends in an error is told as that, and nothing of the address is on the page', async () => {
    const { setClient, begin, open, view, state } = await connectionApp();
    await setClient();
    for (const [error, code] of [
      ['access_denied', 'denied'],
      ['unauthorized_client', 'wrong_client'],
      ['redirect_uri_mismatch', 'wrong_client'],
      ['temporarily_unavailable', 'unreachable'],
      ['invalid_scope', 'access_failed'],
      ['<img src=x onerror=alert(1)>', 'access_failed'],
    ] as const) {
      const given = new URL(await begin()).searchParams.get('state') ?? '';
      const query = new URLSearchParams({ error, error_description: '<b>Click here</b>' });
      const address = `http://127.0.0.1:${state.port}/oauth/callback?state=${given}&${query}`;
      const { status, page } = await open(address);
      expect(status, error).toBe(400);
      for (const text of ['<b>', '<img', 'Click here', given]) expect(page).not.toContain(text);
      expect(await view(), error).toMatchObject({ state: 'not_connected', problem: { code } });
    }
  });

  it('with a code that the provider does not take is told as that', async () => {
    const { setClient, begin, provider, open, view } = await connectionApp();
    await setClient();
    const back = new URL(await provider.consent(await begin()));
    back.searchParams.set('code', `${back.searchParams.get('code')}x`);
    const { status, page } = await open(back.href);
    expect(status).toBe(400);
    expect(page).toContain('did not take the code');
    expect(page).not.toContain('in time');
    const { problem } = await view();
    expect(problem).toMatchObject({ code: 'code_refused' });
    expect(problem?.next).toContain('copy all of it');
  });

  it('by a client that the provider does not take names what to check', async () => {
    const { setClient, consent, view } = await connectionApp();
    await setClient(SECRET_CLIENT, 'GOCSPX-another');
    expect((await consent()).status).toBe(400);
    expect(await view()).toMatchObject({
      ...{ state: 'not_connected', problem: { code: 'wrong_client' } },
    });
    await setClient(SECRET_CLIENT, CLIENT_SECRET);
    expect((await view()).problem).toBeNull();
    expect((await consent()).status).toBe(200);
  });

  it('while the provider cannot be reached says so, and works when it can be again', async () => {
    const { connect, view, provider } = await connectionApp();
    provider.switches.tokenDown = true;
    expect((await connect()).status).toBe(400);
    expect(await view()).toMatchObject({
      state: 'not_connected',
      problem: { code: 'unreachable' },
    });
    provider.switches.tokenDown = false;
    expect((await connect()).status).toBe(200);
  });

  it('that cannot be written to disk is withdrawn, and says so', async () => {
    const { connect, view, provider, store, ask, begin, PATH, lines } = await connectionApp();
    await ask('PUT', `${PATH}/connection/client`, { client_id: PUBLIC_CLIENT });
    const { change } = store;
    store.change = () => Promise.reject(new Error('secret-of-the-disk'));
    const { status, page } = await connect();
    expect(status).toBe(400);
    expect(page).toContain('could not be taken');
    const address = await provider.consent(await begin());
    const pasted = await ask('POST', `${PATH}/connection/answer`, { address });
    expect(pasted.statusCode).toBe(503);
    expect(provider.grants()).toBe(0);
    expect((await view()).state).toBe('not_connected');
    expect(lines.join('')).not.toContain('secret-of-the-disk');
    store.change = change;
    expect((await connect()).status).toBe(200);
  });

  it('that was cancelled takes no answer any more', async () => {
    const { setClient, begin, provider, ask, PATH, open, view } = await connectionApp();
    await setClient();
    const address = await begin();
    const cancelled = await ask('DELETE', `${PATH}/connection/consent`);
    expect(cancelled.json()).toMatchObject({
      ...{ state: 'not_connected', waiting: null, problem: { code: 'cancelled' } },
    });
    const { status, page } = await open(await provider.consent(address));
    expect(status).toBe(400);
    expect(page).toContain('cancelled in Vedette');
    expect((await view()).state).toBe('not_connected');
    expect(provider.timesAsked('authorization_code')).toBe(0);
  });

  it('that is cancelled while its tokens are fetched leaves nothing, here or there', async () => {
    const { setClient, begin, provider, ask, PATH, open, view, stored, held } =
      await connectionApp();
    await setClient();
    const { reached, goOn } = held('exchange');
    const opening = open(await provider.consent(await begin()));
    await reached;
    expect((await view()).state).toBe('waiting');
    await ask('DELETE', `${PATH}/connection/consent`);
    goOn();
    expect((await opening).status).toBe(400);
    expect((await view()).state).toBe('not_connected');
    expect(stored()?.tokens).toBeNull();
    expect(provider.grants()).toBe(0);
  });

  it('ten minutes later is too late', async () => {
    const { setClient, begin, provider, clock, open, view } = await connectionApp();
    await setClient();
    const back = await provider.consent(await begin());
    clock.time += 10 * MINUTE - 1;
    expect((await view()).state).toBe('waiting');
    clock.time += 1;
    const at = new Date(clock.time).toISOString();
    clock.time += 50 * MINUTE;
    const problem = { code: 'timed_out', at };
    expect(await view()).toMatchObject({ state: 'not_connected', problem });
    const { status, page } = await open(back);
    expect(status).toBe(400);
    expect(page).toContain('too late');
    expect(provider.timesAsked('authorization_code')).toBe(0);
    await begin();
    expect((await view()).problem).toBeNull();
  });

  it('by the answer to an attempt that was replaced does nothing to the one that is open', async () => {
    const { setClient, begin, provider, open, view } = await connectionApp();
    await setClient();
    const old = await provider.consent(await begin());
    const current = await begin();
    expect((await open(old)).page).toContain('replaced by another one');
    expect((await view()).waiting?.authorize_url).toBe(current);
    expect((await open(await provider.consent(current))).status).toBe(200);
  });
});
