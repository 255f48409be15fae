import { describe, expect, it } from 'vitest';
import type { Tokens } from '../../../server/tagmanager/connection/schema.ts';
import { moveSecrets } from '../../../server/settings/secrets.ts';
import { settingsFileSchema } from '../../../server/settings/file-schema.ts';
import { CLIENT_SECRET, SECRET_CLIENT } from '../../helpers/identity-provider.ts';
import { connectionApp } from './parts.ts';
import type { ConnectionApp } from './parts.ts';

const MINUTE = 60_000;

const tokensOf = ({ stored, cipher }: ConnectionApp) =>
  JSON.parse(cipher.decrypt(stored()?.tokens ?? '')) as Tokens;

/** Asks for a list anew, which needs a token. */
const read = ({ ask, PATH }: ConnectionApp) => ask('GET', `${PATH}/accounts?refresh=true`);

const refreshes = ({ provider }: ConnectionApp) => provider.timesAsked('refresh_token');

describe('an access token', () => {
  it('is refreshed five minutes before it runs out, and not earlier', async () => {
    const app = await connectionApp();
    await app.connect();
    const first = tokensOf(app);
    app.clock.time += 55 * MINUTE - 1;
    expect((await read(app)).statusCode).toBe(200);
    expect(refreshes(app)).toBe(0);
    app.clock.time += 1;
    expect((await read(app)).statusCode).toBe(200);
    expect(refreshes(app)).toBe(1);
    const second = tokensOf(app);
    expect(second.access).not.toBe(first.access);
    expect(second.access_ends).toBe(app.clock.time + 60 * MINUTE);
  });

  it('is asked for once, however many need it', async () => {
    const app = await connectionApp();
    await app.connect();
    app.clock.time += 2 * 60 * MINUTE;
    const before = tokensOf(app).access;
    const api = app.connection.apiFor(app.tenantId);
    await Promise.all(Array.from({ length: 8 }, () => api.accounts()));
    expect(tokensOf(app).access).not.toBe(before);
    expect(refreshes(app)).toBe(1);
  });

  it('is good to its end when the provider cannot be reached, and then no longer', async () => {
    const app = await connectionApp();
    await app.connect();
    app.provider.switches.tokenDown = true;
    app.clock.time += 58 * MINUTE;
    expect((await read(app)).statusCode).toBe(200);
    app.clock.time += 2 * MINUTE;
    const refused = await read(app);
    expect(refused.statusCode).toBe(503);
    expect(refused.headers['retry-after']).toBeDefined();
    expect(refused.json<{ detail: string }>().detail).toContain('could not be reached');
    expect(await app.view()).toMatchObject({ state: 'connected', problem: null });
    app.provider.switches.tokenDown = false;
    expect((await read(app)).statusCode).toBe(200);
  });
});

describe('a refresh token', () => {
  it('that is replaced by each refresh is never lost', async () => {
    const app = await connectionApp();
    app.provider.switches.rotatesRefreshTokens = true;
    await app.connect();
    const seen = new Set([tokensOf(app).refresh]);
    for (let round = 1; round <= 4; round++) {
      app.clock.time += 2 * 60 * MINUTE;
      expect((await read(app)).statusCode).toBe(200);
      seen.add(tokensOf(app).refresh);
    }
    expect(seen.size).toBe(5);
  });

  it('that is replaced while the disk is full is kept in memory until it can be written', async () => {
    const app = await connectionApp();
    app.provider.switches.rotatesRefreshTokens = true;
    await app.connect();
    const before = tokensOf(app);
    const { change } = app.store;
    app.store.change = () => Promise.reject(new Error('The disk is full'));
    for (let round = 1; round <= 2; round++) {
      app.clock.time += 2 * 60 * MINUTE;
      expect((await read(app)).statusCode).toBe(200);
    }
    expect(tokensOf(app)).toEqual(before);
    app.store.change = change;
    app.clock.time += 2 * 60 * MINUTE;
    expect((await read(app)).statusCode).toBe(200);
    expect(tokensOf(app).refresh).not.toBe(before.refresh);
    app.clock.time += 2 * 60 * MINUTE;
    expect((await read(app)).statusCode).toBe(200);
  });
});

describe('a grant that has ended', () => {
  it('leaves the connection and its choice, without tokens, and says so', async () => {
    const app = await connectionApp();
    await app.connect();
    await app.choose();
    app.provider.revokeGrants();
    const refused = await read(app);
    expect(refused.statusCode).toBe(409);
    expect(refused.json<{ detail: string }>().detail).toContain('Connect again');
    expect(await app.view()).toMatchObject({
      ...{ state: 'connected', problem: { code: 'grant_ended' }, chosen: app.choice },
    });
    expect(app.stored()?.tokens).toBeNull();
    await read(app);
    expect(refreshes(app)).toBe(1);

    expect((await app.connect()).status).toBe(200);
    expect(await app.view()).toMatchObject({ problem: null, chosen: app.choice });
    expect((await read(app)).statusCode).toBe(200);
  });

  it('because the client is gone names the client, and keeps the tokens', async () => {
    const app = await connectionApp();
    await app.setClient(SECRET_CLIENT, CLIENT_SECRET);
    await app.connect();
    app.provider.switches.tokenAnswers = (response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: 'deleted_client' }));
    };
    app.clock.time += 2 * 60 * MINUTE;
    expect((await read(app)).statusCode).toBe(409);
    expect((await app.view()).problem).toMatchObject({ code: 'wrong_client' });
    app.provider.switches.tokenAnswers = undefined;
    expect((await read(app)).statusCode).toBe(200);
    expect((await app.view()).problem).toBeNull();
  });
});

describe('while a refresh is under way', () => {
  async function refreshing(rotates = true) {
    const app = await connectionApp();
    app.provider.switches.rotatesRefreshTokens = rotates;
    await app.connect();
    app.clock.time += 2 * 60 * MINUTE;
    const { reached, goOn } = app.held('refresh');
    const reading = read(app);
    await reached;
    return { ...app, reading, goOn };
  }

  it('a new consent wins', async () => {
    const app = await refreshing();
    const { status } = await app.consent();
    expect(status).toBe(200);
    const { refresh } = tokensOf(app);
    app.goOn();
    expect((await app.reading).statusCode).toBe(200);
    expect(tokensOf(app).refresh).toBe(refresh);
    expect((await app.view()).problem).toBeNull();
  });

  it('a disconnect wins, and what comes late is withdrawn too', async () => {
    const app = await refreshing();
    app.provider.switches.revocationDown = true;
    expect((await app.disconnect()).json()).toMatchObject({ revoked: false });
    app.provider.switches.revocationDown = false;
    app.goOn();
    const refused = await app.reading;
    expect(refused.statusCode).toBe(409);
    expect(refused.json<{ detail: string }>().detail).toContain('not connected');
    expect(app.stored()).toMatchObject({ tokens: null, connected_at: null, problem: null });
    expect(app.provider.grants()).toBe(0);
  });

  it('closing waits until it is written', async () => {
    const app = await refreshing();
    const before = tokensOf(app).refresh;
    const closing = app.connection.close();
    app.goOn();
    await closing;
    expect(tokensOf(app).refresh).not.toBe(before);
  });
});

describe('at rest', () => {
  it('a restart keeps the connection', async () => {
    const app = await connectionApp();
    await app.connect();
    await app.choose();
    const before = await app.view();
    const again = await connectionApp({ dir: app.dir, provider: app.provider });
    expect(await again.view()).toMatchObject({
      ...{ state: 'connected', connected_at: before.connected_at, chosen: before.chosen },
    });
    expect((await read(again)).statusCode).toBe(200);
  });

  it('what another key encrypted is moved, and cannot be read until it is', async () => {
    const app = await connectionApp();
    await app.setClient(SECRET_CLIENT, CLIENT_SECRET);
    await app.connect();
    // As another cipher would have written it, which is this one with a mark.
    await moveSecrets(app.file)((text) => `other.${text}`);
    expect(app.stored()?.client_secret).toMatch(/^other\./);
    expect(await app.view()).toMatchObject({
      ...{ state: 'connected', problem: { code: 'tokens_unreadable' } },
    });
    const refused = await read(app);
    expect(refused.statusCode).toBe(409);
    const begun = await app.ask('POST', `${app.PATH}/connection/consent`);
    expect(begun.statusCode).toBe(409);
    await moveSecrets(app.file)((text) => text.replace(/^other\./, ''));
    expect((await app.view()).problem).toBeNull();
    expect((await read(app)).statusCode).toBe(200);
  });

  it('settings from before there were connections have none', async () => {
    const { file } = await connectionApp();
    const old = structuredClone(file.data) as { tag_managers?: unknown };
    delete old.tag_managers;
    expect(settingsFileSchema.parse(old).tag_managers).toEqual([]);
  });
});
