import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { createApi } from '../../../server/tagmanager/api/client.ts';
import { callbackRoutes } from '../../../server/tagmanager/connection/callback-routes.ts';
import { createConnection } from '../../../server/tagmanager/connection/connection.ts';
import type { Audit } from '../../../server/tagmanager/connection/audit.ts';
import { createConsents, redirectUriOf } from '../../../server/tagmanager/connection/consent.ts';
import { createOAuth } from '../../../server/tagmanager/connection/oauth.ts';
import type { Granted, OAuth } from '../../../server/tagmanager/connection/oauth.ts';
import { connectionRoutes } from '../../../server/tagmanager/connection/routes.ts';
import type { ConnectionView, JobView } from '../../../server/tagmanager/connection/schema.ts';
import { createConnectionStore } from '../../../server/tagmanager/connection/store.ts';
import { createWho } from '../../../server/tagmanager/connection/who.ts';
import { identityApp } from '../../helpers/identity-parts.ts';
import { PUBLIC_CLIENT, startIdentityProvider } from '../../helpers/identity-provider.ts';
import type { Consent, IdentityProvider } from '../../helpers/identity-provider.ts';
import { createTagManagerApi } from '../../helpers/tag-manager-api/create.ts';

export const ADA = 'ada@shop.example';
export const BOB = 'bob@shop.example';

let shared: Promise<IdentityProvider> | undefined;

/** The provider that the tests of a worker share, with nothing granted to anybody. */
async function freshProvider(): Promise<IdentityProvider> {
  shared ??= startIdentityProvider();
  const provider = await shared;
  provider.reset();
  return provider;
}

interface Given {
  dir?: string;
  provider?: IdentityProvider;
  /** Who sees the account with the container. */
  users?: string[];
}

/** The connection's routes on a real port, before a provider of the tests. */
export async function connectionApp(given: Given = {}) {
  const provider = given.provider ?? (await freshProvider());
  const google = createTagManagerApi({ tokens: (token) => provider.introspect(token) });
  const accountId = google.account({ users: given.users ?? [ADA] });
  const place = google.container({ accountId, name: 'shop.example', publicId: 'GTM-SHOP1' });
  const choice = {
    ...{ account_id: accountId, container_id: place.containerId },
    workspace_id: place.workspaceId,
  };
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const deeds: Parameters<Audit>[1][] = [];
  const stopped: string[] = [];
  const state = {
    ...{ port: 0, job: null as JobView | null },
    /** What the tag manager's API answers instead of what it would. */
    answers: null as number | null,
    /** Tenants of which it was forgotten how the last work went. */
    forgotten: [] as string[],
  };

  const app = await identityApp(given.dir === undefined ? {} : { dir: given.dir });
  const { file, cipher, clock, sessions, tenants, identity } = app;
  const endpoints = provider.endpoints;
  const oauth = createOAuth({ endpoints, timeoutMs: 10_000 });
  const store = createConnectionStore({ file });
  const consents = createConsents({ clock, oauth });
  const jobs = {
    current: () => state.job,
    lastFailure: () => null,
    stop: async (tenantId: string): Promise<void> => void stopped.push(tenantId),
    forget: (tenantId: string): void => void state.forgotten.push(tenantId),
  };
  const connection = createConnection({
    ...{ store, oauth, consents, clock, cipher, log, jobs },
    pacer: {
      usedToday: (project) => (project === '4711' ? 7 : 0),
      perDay: 10_000,
      waitingMs: () => 0,
    },
    createApi: (asking) =>
      createApi({
        ...{ ...asking, endpoint: 'https://google.example' },
        pacer: { take: async () => undefined, hold: () => undefined, pause: async () => undefined },
        fetch: async (...request) =>
          state.answers === null
            ? google.fetch(...request)
            : new Response('{}', { status: state.answers }),
      }),
    audit: (_tenantId, deed) => deeds.push(deed),
    redirectUri: () => redirectUriOf({ host: '127.0.0.1', port: state.port }),
  });
  onTestFinished(() => connection.close());
  await app.app.register(
    connectionRoutes({ connection, whoIs: createWho({ sessions, tenants }), identity }),
  );
  await app.app.register(callbackRoutes({ connection }));
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  state.port = (app.app.server.address() as AddressInfo).port;

  const ask = await app.browser();
  const tenantId = tenants.first().id;
  const PATH = '/api/v1/tag-manager';
  const view = async () => (await ask('GET', `${PATH}/connection`)).json<ConnectionView>();
  const setClient = (client_id = PUBLIC_CLIENT, client_secret?: string | null) =>
    ask('PUT', `${PATH}/connection/client`, {
      client_id,
      ...(client_secret !== undefined && { client_secret }),
    });
  const begin = async () => {
    const answer = await ask('POST', `${PATH}/connection/consent`);
    return answer.json<ConnectionView>().waiting?.authorize_url ?? '';
  };
  /** Opens an address as a browser does. */
  const open = async (address: string) => {
    const answer = await fetch(address);
    return { status: answer.status, headers: answer.headers, page: await answer.text() };
  };
  /** The consent screen from its opening to its last page. */
  const consent = async (how: Consent = {}) => open(await provider.consent(await begin(), how));

  return {
    ...app,
    ...{
      provider,
      google,
      place,
      choice,
      lines,
      deeds,
      stopped,
      jobs,
      state,
      store,
      consents,
      oauth,
      connection,
    },
    ...{ ask, tenantId, view, setClient, begin, open, consent, PATH },
    /** The whole way to a connection. */
    connect: async (how: Consent = {}) => {
      if ((await view()).client.id === null) await setClient();
      const shown = await consent(how);
      await connection.lookedAt(tenantId);
      return shown;
    },
    /** Holds up the verb of OAuth: `reached` when it is asked for, and it goes on when told to. */
    held: (verb: 'exchange' | 'refresh') => held(oauth, verb),
    choose: (other: object = choice) => ask('PUT', `${PATH}/selection`, other),
    disconnect: () => ask('DELETE', `${PATH}/connection`),
    stored: () => store.find(tenantId),
  };
}

export type ConnectionApp = Awaited<ReturnType<typeof connectionApp>>;

function held(oauth: OAuth, verb: 'exchange' | 'refresh') {
  const gate = Promise.withResolvers<undefined>();
  const reached = Promise.withResolvers<undefined>();
  const original = oauth[verb] as (...given: unknown[]) => Promise<Granted>;
  oauth[verb] = async (...given: unknown[]) => {
    reached.resolve(undefined);
    await gate.promise;
    return original(...given);
  };
  return { reached: reached.promise, goOn: () => gate.resolve(undefined) };
}
