import { scryptSync } from 'node:crypto';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { onTestFinished } from 'vitest';
import { createIdentity } from '../../server/http/identity.ts';
import { STRANGERS_PER_MINUTE } from '../../server/platform/bounds.ts';
import { answerErrors } from '../../server/http/errors.ts';
import { createLimiter } from '../../server/http/limits.ts';
import { validatorCompiler } from '../../server/http/validation.ts';
import { silentLog } from '../../server/platform/log.ts';
import { createPasswords } from '../../server/platform/passwords.ts';
import { openKeyFileCipher } from '../../server/platform/secrets.ts';
import { openSettingsFile } from '../../server/platform/settings-file.ts';
import { createAttempts } from '../../server/session/attempts.ts';
import { sessionRoutes } from '../../server/session/routes.ts';
import { createSignIn } from '../../server/session/sign-in.ts';
import { createSessionStore } from '../../server/session/store.ts';
import { initialSettings, settingsFileSchema } from '../../server/settings/file-schema.ts';
import { settingsRoutes } from '../../server/settings/routes.ts';
import type { SettingsPatch } from '../../server/settings/schema.ts';
import { createSettingsStore } from '../../server/settings/store.ts';
import { bootstrap } from '../../server/tenants/bootstrap.ts';
import { createKeys } from '../../server/tenants/keys.ts';
import { createProfiles } from '../../server/tenants/profiles.ts';
import { keyRoutes, tenantRoutes } from '../../server/tenants/routes.ts';
import { createTenantStore } from '../../server/tenants/store.ts';
import { tempDir } from './temp-dir.ts';

export const START = Date.parse('2026-03-01T10:00:00Z');
export const FIRST_KEY = 'first-key-of-this-test';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Given {
  dir?: string;
  apiKey?: string;
  password?: string;
  overrides?: SettingsPatch;
}

/** As passwords are kept, but judged in no time, since the cost stands in the text. */
function cheaplyHashed(password: string): string {
  const hash = scryptSync(password, 'salt', 32, { N: 2, r: 8, p: 1 });
  return [
    'scrypt',
    2,
    8,
    1,
    Buffer.from('salt').toString('base64url'),
    hash.toString('base64url'),
  ].join('$');
}

/** Everything about who is asking, over a settings file of its own and a clock that stands. */
export async function identityParts(given: Given = {}) {
  const dir = given.dir ?? tempDir();
  const clock = { time: START, now: () => clock.time };
  const file = await openSettingsFile({
    dir,
    schema: settingsFileSchema,
    initial: initialSettings,
    log: silentLog,
    clock,
  });
  const cipher = openKeyFileCipher(dir);
  const passwords = createPasswords();
  const tenants = createTenantStore({ file });
  const keys = createKeys({ tenants, cipher });
  // Every name is somebody's on the internet; nobody is asked.
  const resolve = async () => ['192.0.1.1'];
  const profiles = createProfiles({ tenants, cipher, resolve });
  const apiKey = given.apiKey ?? FIRST_KEY;
  await bootstrap({ tenants, cipher, passwords }, { apiKey }, clock.now());
  const sessions = createSessionStore({ file });
  if (given.password !== undefined) await sessions.setPassword(cheaplyHashed(given.password), '');
  const desk = createSignIn({ sessions, tenants, passwords, attempts: createAttempts() });
  const settings = createSettingsStore({ file, overrides: given.overrides ?? {} });
  const limits = { strangers: createLimiter({ limit: () => STRANGERS_PER_MINUTE }) };
  const identity = createIdentity({
    tenants,
    sessions,
    settings,
    clock,
    limits,
    machine: 'Countertop',
  });
  return {
    ...{ dir, clock, file, cipher, passwords, tenants, profiles, keys },
    ...{ sessions, desk, settings, identity },
    deliveries: { cancelAll: async () => undefined },
  };
}

export type Parts = Awaited<ReturnType<typeof identityParts>>;

export async function identityApp(
  given: Given = {},
  more: (app: FastifyInstance, parts: Parts) => void = () => undefined,
) {
  const parts = await identityParts(given);
  const app = Fastify();
  onTestFinished(() => app.close());
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  answerErrors(app);
  await app.register(cookie);
  await app.register(tenantRoutes(parts));
  await app.register(keyRoutes(parts));
  await app.register(sessionRoutes(parts));
  await app.register(
    settingsRoutes({
      ...{ ...parts, backUp: () => Promise.resolve() },
      ...{ about: null as never, storage: null as never, date: null as never },
    }),
  );
  more(app, parts);

  /** Asks as a program with a key. */
  const byKey = (method: Method, url: string, body?: object, key = FIRST_KEY) =>
    app.inject({ method, url, headers: { 'x-api-key': key }, ...(body && { body }) });

  /** Signs in with a link and returns a way to ask as that browser does. */
  async function browser(address = '127.0.0.1', host = 'localhost:8737') {
    const headers = { host, origin: `http://${host}` };
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/session',
      headers,
      remoteAddress: address,
      body: { token: parts.desk.createSignInToken(parts.clock.now()) },
    });
    const token = answer.cookies[0]?.value ?? '';
    return (method: Method, url: string, body?: object, extra: object = {}) =>
      app.inject({
        method,
        url,
        headers: { ...headers, ...extra },
        cookies: { vedette_session: token },
        remoteAddress: address,
        ...(body && { body }),
      });
  }
  return { ...parts, app, byKey, browser };
}
