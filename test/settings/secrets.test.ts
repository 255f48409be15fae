import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { StartOptions } from '../../server/appliance.ts';
import type { AboutView } from '../../server/settings/schema.ts';
import { startAppliance } from '../helpers/appliance.ts';
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
    const payload = { webhook: { url: 'http://127.0.0.1:9/' } };
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
