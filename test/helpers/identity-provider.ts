import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Provider, { interactionPolicy } from 'oidc-provider';
import type { Adapter, AdapterPayload, Configuration } from 'oidc-provider';

export const READ = 'https://www.googleapis.com/auth/tagmanager.readonly';
export const EDIT = 'https://www.googleapis.com/auth/tagmanager.edit.containers';

export const PUBLIC_CLIENT = '4711-public.apps.googleusercontent.com';
/** As Google makes them for desktop programs. */
export const SECRET_CLIENT = '4712-desktop.apps.googleusercontent.com';
export const CLIENT_SECRET = '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';

/** What a person does on the consent screen. */
export interface Consent {
  account?: string;
  /** All that are asked for, unless fewer are named. */
  scopes?: readonly string[];
  deny?: boolean;
}

interface Switches {
  /** Whether a consent gives a refresh token, and whether each refresh gives another one. */
  givesRefreshTokens: boolean;
  rotatesRefreshTokens: boolean;
  /** The endpoint hangs up on whoever asks. */
  tokenDown: boolean;
  revocationDown: boolean;
  /** Answers instead of the provider, for what it would never say. */
  tokenAnswers: ((response: ServerResponse) => void) | undefined;
}

const UNTOUCHED: Switches = {
  ...{ givesRefreshTokens: true, rotatesRefreshTokens: false },
  ...{ tokenDown: false, revocationDown: false },
  tokenAnswers: undefined,
};

export interface Asked {
  path: string;
  body: URLSearchParams;
}

const NATIVE = {
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1/oauth/callback', 'http://[::1]/oauth/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  id_token_signed_response_alg: 'ES256',
} as const;

/**
 * An identity provider on loopback that nobody here wrote, with a consent screen that a browser or
 * a test can answer. `await using` closes it.
 */
export async function startIdentityProvider(accounts = ['ada@shop.example', 'bob@shop.example']) {
  const switches = { ...UNTOUCHED };
  const asked: Asked[] = [];
  const storage = new Map<string, AdapterPayload>();
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(url, configuration(storage, switches));
  provider.use(async (context, next) => {
    await next();
    const { oidc, path } = context as { oidc?: { body?: Record<string, string> }; path: string };
    if (oidc?.body) asked.push({ path, body: new URLSearchParams(oidc.body) });
  });
  const answer = provider.callback();

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', url);
    if (pathname.startsWith('/consent/')) return answerConsent(request, response);
    if (pathname === '/token') {
      if (switches.tokenDown) return void request.socket.destroy();
      if (switches.tokenAnswers) {
        switches.tokenAnswers(response);
        return;
      }
    }
    if (pathname === '/revoke' && switches.revocationDown) return void request.socket.destroy();
    void answer(request, response);
  }

  async function answerConsent(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(request, response);
    const scopes = String(params['scope']).split(' ');
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(consentPage(accounts, scopes));
      return;
    }
    const form = new URLSearchParams(await text(request));
    const result = form.has('deny')
      ? { error: 'access_denied', error_description: 'The person said no' }
      : await granted(form, scopes, String(params['client_id']));
    const options = { mergeWithLastSubmission: false };
    await provider.interactionFinished(request, response, result, options);
  }

  async function granted(form: URLSearchParams, asked: string[], clientId: string) {
    const accountId = form.get('account') ?? '';
    const scopes = form.getAll('scope');
    const grant = new provider.Grant({ accountId, clientId });
    if (scopes.length > 0) grant.addOIDCScope(scopes.join(' '));
    const others = asked.filter((scope) => !scopes.includes(scope));
    if (others.length > 0) grant.rejectOIDCScope(others.join(' '));
    const grantId = await grant.save();
    return { login: { accountId }, select_account: {}, consent: { grantId } };
  }

  const payloads = (kind: string) => [...storage].filter(([key]) => key.startsWith(`${kind}:`));

  return {
    url,
    endpoints: { authorize: `${url}/auth`, token: `${url}/token`, revoke: `${url}/revoke` },
    switches,
    /** Every POST, oldest first. */
    asked,
    /** How often the token endpoint was asked for this kind of grant. */
    timesAsked: (grant: 'authorization_code' | 'refresh_token') =>
      asked.filter(({ path, body }) => path === '/token' && body.get('grant_type') === grant)
        .length,

    /** Answers the consent screen as a person does, and returns where it leads back to. */
    consent: (authorizeUrl: string, how: Consent = {}) =>
      walk(authorizeUrl, { account: accounts[0] ?? '', ...how }),

    /** Whether a token is good, and for what; for an API that takes them. */
    introspect(token: string): { scopes: string[]; user: string } | undefined {
      const found = storage.get(`AccessToken:${token}`);
      if (found === undefined || (found.exp ?? 0) * 1000 < Date.now()) return undefined;
      return {
        scopes: (found.scope ?? '').split(' ').filter(Boolean),
        user: found.accountId ?? '',
      };
    },
    /** How many grants stand that could still be used. */
    grants: () => payloads('RefreshToken').filter(([, payload]) => !payload.consumed).length,
    /** As if the person had removed the access in their account. */
    revokeGrants(): void {
      for (const kind of ['AccessToken', 'RefreshToken', 'Grant'])
        for (const [key] of payloads(kind)) storage.delete(key);
    },
    expireAccessTokens(): void {
      for (const [key] of payloads('AccessToken')) storage.delete(key);
    },
    /** As if it had just been started, for tests that share it. */
    reset(): void {
      storage.clear();
      asked.length = 0;
      Object.assign(switches, UNTOUCHED);
    },
    [Symbol.asyncDispose]: () => closed(server),
  };
}

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

function configuration(storage: Map<string, AdapterPayload>, switches: Switches): Configuration {
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
  const day = 86_400;
  return {
    adapter: (kind: string) => memoryAdapter(kind, storage),
    clients: [
      { ...copyOf(NATIVE), client_id: PUBLIC_CLIENT, token_endpoint_auth_method: 'none' },
      {
        ...copyOf(NATIVE),
        ...{ client_id: SECRET_CLIENT, client_secret: CLIENT_SECRET },
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    scopes: [READ, EDIT],
    claims: { openid: ['sub'] },
    clientAuthMethods: ['none', 'client_secret_post'],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_context, by, of) => by.clientId === of.clientId,
      },
    },
    jwks: {
      keys: [
        generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
          format: 'jwk',
        }),
      ],
    },
    routes: { authorization: '/auth', token: '/token', revocation: '/revoke' },
    interactions: { policy, url: (_context, { uid }) => `/consent/${uid}` },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    issueRefreshToken: (_context, client) =>
      switches.givesRefreshTokens && client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: () => switches.rotatesRefreshTokens,
    cookies: { keys: ['of a test'] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    ttl: {
      ...{ AccessToken: 3600, AuthorizationCode: 60, RefreshToken: 30 * day },
      ...{ Grant: 30 * day, Interaction: 3600, Session: day, IdToken: 3600 },
    },
  };
}

const copyOf = ({ redirect_uris, grant_types, response_types, ...rest }: typeof NATIVE) => ({
  ...rest,
  redirect_uris: [...redirect_uris],
  grant_types: [...grant_types],
  response_types: [...response_types],
});

function memoryAdapter(kind: string, storage: Map<string, AdapterPayload>): Adapter {
  const keyOf = (id: string) => `${kind}:${id}`;
  return {
    upsert: async (id, payload) => void storage.set(keyOf(id), payload),
    find: async (id) => storage.get(keyOf(id)),
    findByUid: async (uid) =>
      [...storage].find(([key, one]) => key.startsWith(`${kind}:`) && one.uid === uid)?.[1],
    findByUserCode: async () => undefined,
    consume: async (id) => void Object.assign(storage.get(keyOf(id)) ?? {}, { consumed: true }),
    destroy: async (id) => void storage.delete(keyOf(id)),
    async revokeByGrantId(grantId) {
      for (const [key, one] of storage) if (one.grantId === grantId) storage.delete(key);
    },
  };
}

function consentPage(accounts: string[], scopes: string[]): string {
  const account = accounts.map(
    (name, i) =>
      `<label><input type="radio" name="account" value="${name}"${i ? '' : ' checked'}> ${name}</label>`,
  );
  const scope = scopes.map(
    (name) => `<label><input type="checkbox" name="scope" value="${name}" checked> ${name}</label>`,
  );
  return `<!doctype html><html lang="en"><title>Consent</title><h1>Who are you, and what may it do?</h1>
<form method="post">${[...account, ...scope].join('<br>')}
<button name="allow" value="1">Allow</button> <button name="deny" value="1">Deny</button></form>`;
}

/** As a browser goes, with its cookies, up to the address that leads back. */
async function walk(start: string, { account = '', scopes, deny }: Consent): Promise<string> {
  const cookies = new Map<string, string>();
  const { origin } = new URL(start);
  let at = start;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 12; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(at, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    });
    form = undefined;
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const page = await response.text();
    const location = response.headers.get('location');
    if (location !== null) {
      at = new URL(location, at).href;
      if (new URL(at).origin !== origin) return at;
    } else if (response.ok && at.includes('/consent/')) {
      const offered = [...page.matchAll(/name="scope" value="([^"]+)"/g)].map(
        ([, one = '']) => one,
      );
      const fields = (scopes ?? offered).map((scope) => ['scope', scope]);
      form = new URLSearchParams([
        ['account', account],
        ...fields,
        ...(deny ? [['deny', '1']] : []),
      ]);
    } else {
      throw new Error(`The consent screen answered ${response.status}: ${page.slice(0, 300)}`);
    }
  }
  throw new Error('The consent screen leads in circles');
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}
