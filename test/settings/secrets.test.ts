import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { start } from '../../server/appliance.ts';
import type { StartOptions } from '../../server/appliance.ts';
import { silentLog as log } from '../../server/platform/log.ts';
import type { KeyStoreAtHand } from '../../server/platform/secrets.ts';
import type { AboutView } from '../../server/settings/schema.ts';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { brokenKeyStore, keyStoreOf } from '../platform/key-stores.ts';

/** An appliance, and verbs of somebody who is signed in on this machine. */
async function attended(dataDir: string, keyStore?: StartOptions['keyStore']) {
  const vedette = await startAppliance({ dataDir, keyStore });
  const headers = { host: 'localhost:8737', origin: 'http://localhost:8737' };
  const token = vedette.signInUrl().split('token=')[1];
  const session = { method: 'POST', url: '/api/v1/session', payload: { token } } as const;
  const answer = await vedette.app.inject({ ...session, headers });
  const cookies = { vedette_session: answer.cookies[0]?.value ?? '' };
  const call = (url: string, more: { method?: 'PATCH'; payload?: object } = {}) =>
    vedette.app.inject({ url: `/api/v1${url}`, headers, cookies, ...more });
  const [key] = (await call('/keys')).json<{ id: string }[]>();
  return {
    ...vedette,
    found: vedette.notices,
    call,
    /** Whether the first key and the webhook can be shown again. */
    codes: async () => [
      (await call(`/keys/${key?.id}/secret`)).statusCode,
      (await call('/webhooks/secret')).statusCode,
    ],
    notices: async () => (await call('/settings/about')).json<AboutView>().notices,
  };
}

it('secrets of the key store are locked without it, said so, and there again with it', async () => {
  const dataDir = tempDir();
  const me = keyStoreOf('me');
  {
    await using vedette = await attended(dataDir, me);
    expect(vedette.secretsIn).toBe('key-store');
    const payload = { webhook: { url: 'http://127.0.0.1:9/', allow_private: true } };
    await vedette.call('/tenants/me', { method: 'PATCH', payload });
    expect(await vedette.codes()).toEqual([200, 200]);
    expect(await vedette.notices()).toEqual([]);
  }
  expect(existsSync(path.join(dataDir, 'secret.key'))).toBe(false);
  for (const store of [undefined, brokenKeyStore]) {
    await using vedette = await attended(dataDir, store);
    expect(vedette.secretsIn).toBe('key-file');
    expect(await vedette.notices()).toEqual([expect.stringContaining("system's key store")]);
    expect(await vedette.codes()).toEqual([409, 409]);
    expect((await vedette.get('/events')).statusCode).toBe(200);
  }
  await using vedette = await attended(dataDir, me);
  expect(await vedette.codes()).toEqual([200, 200]);
  expect(await vedette.notices()).toEqual([]);
});

it('secrets of a key file are moved as soon as a key store opens, and so are those to come', async () => {
  const dataDir = tempDir();
  const settings = () => readFileSync(path.join(dataDir, 'settings.json'), 'utf8');
  {
    await using vedette = await attended(dataDir);
    const payload = { webhook: { url: 'http://127.0.0.1:9/', allow_private: true } };
    await vedette.call('/tenants/me', { method: 'PATCH', payload });
  }
  expect(settings()).toMatch(/"g1\./);
  {
    await using vedette = await attended(dataDir, keyStoreOf('me'));
    expect(vedette.secretsIn).toBe('key-store');
    expect(await vedette.codes()).toEqual([200, 200]);
  }
  expect(settings()).not.toMatch(/"g1\./);
  expect(settings().match(/"s1\./g)).toHaveLength(2);
  expect(existsSync(path.join(dataDir, 'secret.key'))).toBe(false);
});

it('secrets of a key file that is gone are named until they are entered again or it is back', async () => {
  const dataDir = tempDir();
  const file = path.join(dataDir, 'secret.key');
  const webhook = { url: 'http://127.0.0.1:9/', allow_private: true };
  const enter = { method: 'PATCH', payload: { webhook } } as const;
  {
    await using vedette = await attended(dataDir);
    await vedette.call('/tenants/me', enter);
  }
  renameSync(file, `${file}.lost`);
  const both = 'these secrets cannot be read: the webhook of Default, the API key First key.';
  for (let start = 0; start < 2; start++) {
    await using vedette = await attended(dataDir);
    expect(await vedette.notices()).toEqual([expect.stringContaining(both)]);
    expect((await vedette.get('/events')).statusCode).toBe(200);
  }
  {
    await using vedette = await attended(dataDir);
    await vedette.call('/tenants/me', { ...enter, payload: { webhook: null } });
    await vedette.call('/tenants/me', enter);
    const one = 'these secrets cannot be read: the API key First key.';
    expect(await vedette.notices()).toEqual([expect.stringContaining(one)]);
    await vedette.call('/tenants/me', { ...enter, payload: { webhook: null } });
  }
  rmSync(file);
  renameSync(`${file}.lost`, file);
  await using vedette = await attended(dataDir);
  expect(await vedette.notices()).toEqual([]);
});

it('a locked keyring holds up neither the start nor the end', async () => {
  const coming = Promise.withResolvers<KeyStoreAtHand>();
  const options = { host: '127.0.0.1', port: 0, log, apiKey: KEY, rateLimitEvents: 1000 };
  const given = { ...options, keyStore: coming.promise, keyStorePatienceMs: 1 };
  const closed = await start({ ...given, dataDir: tempDir() });
  await closed.close();

  const vedette = await start({ ...given, dataDir: tempDir() });
  try {
    expect(vedette.secretsIn).toBe('key-file');
    expect(vedette.notices).toEqual([expect.stringContaining('has not been opened yet')]);
    coming.resolve(keyStoreOf('me'));
    await vi.waitFor(() => expect(vedette.secretsIn).toBe('key-store'));
    expect(vedette.notices).toEqual([]);
  } finally {
    await vedette.close();
  }
});

it('a desktop without a keyring is told so in About, and not as news of each start', async () => {
  await using vedette = await attended(tempDir(), 'none');
  expect(await vedette.notices()).toEqual([expect.stringContaining('no keyring')]);
  expect(vedette.found).toEqual([]);
});
