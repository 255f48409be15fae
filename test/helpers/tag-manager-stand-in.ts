import type { IncomingMessage, RequestListener } from 'node:http';
import Fastify from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { answerErrors, answerUnknownPaths } from '../../server/http/errors.ts';
import type { Identity } from '../../server/http/identity.ts';
import { validatorCompiler } from '../../server/http/validation.ts';
import { HttpError, problems } from '../../server/platform/errors.ts';
import type { Changes } from '../../server/tagmanager/changes/changes.ts';
import { changeRoutes } from '../../server/tagmanager/changes/routes.ts';
import type { AuditEntry, ChangeView } from '../../server/tagmanager/changes/schema.ts';
import type { Connection } from '../../server/tagmanager/connection/connection.ts';
import { partOf } from '../../server/tagmanager/connection/lists.ts';
import { connectionRoutes } from '../../server/tagmanager/connection/routes.ts';
import type {
  AccountView,
  ConnectionView,
  ContainerView,
  Disconnected,
  WorkspaceView,
} from '../../server/tagmanager/connection/schema.ts';
import type { Container } from '../../server/tagmanager/snapshot/container.ts';
import { snapshotRoutes } from '../../server/tagmanager/snapshot/routes.ts';
import type {
  ContainerObject,
  ObjectDetail,
  ObjectDifference,
  SnapshotView,
  Verification,
} from '../../server/tagmanager/snapshot/schema.ts';
import { detailOf, FEW } from './tag-manager-container.ts';
import { connections, job, snapshot, verifications } from './tag-manager-views.ts';
import type { TestTenant } from './tenant.ts';

/* The appliance's own routes of the tag manager, of tenants for which a test says what is known. */

/** What is answered; a test may change all of it while the page is open. */
export interface Known {
  connection: ConnectionView;
  verification: Verification;
  snapshot: SnapshotView | null;
  accounts: AccountView[];
  containers: ContainerView[];
  workspaces: WorkspaceView[];
  objects: ContainerObject[];
  /** Of objects about which there is more to say, by kind and id. */
  details: Record<string, ObjectDetail>;
  differences: ObjectDifference[];
  /** Those that wait. */
  changes: ChangeView[];
  closed: ChangeView[];
  audit: AuditEntry[];
  /** What proposing comes to, and renewing. */
  proposed: ChangeView[];
  renewed: ChangeView | undefined;
  disconnected: Disconnected;
  /** By method and path: answered with this fault instead. */
  refusals: Record<string, HttpError>;
  /** By method and path: answered only then. */
  holds: Record<string, Promise<unknown>>;
}

interface Asked {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
}

/** A container that is connected, in order and without changes. */
const inOrder = (): Known => ({
  ...{ connection: connections.chosen, verification: verifications.complete, snapshot },
  ...{ accounts: [], containers: [], workspaces: [] },
  ...{ objects: FEW, details: {}, differences: [] },
  ...{ changes: [], closed: [], audit: [], proposed: [], renewed: undefined },
  disconnected: { revoked: true, detail: 'Google has withdrawn the access too.' },
  ...{ refusals: {}, holds: {} },
});

const BASE = '/api/v1/tag-manager';
const stands = new Map<string, { known: Known; asked: Asked[] }>();
const knownOf = (tenantId: string): Known => {
  const stand = stands.get(tenantId);
  if (!stand) throw new Error('Nothing is known of this tenant');
  return stand.known;
};

let begun: Promise<void> | undefined;

/** Of a tenant of the appliance that tests share, this is known of its tag manager. */
export async function standIn(tenant: TestTenant, given: Partial<Known> = {}) {
  begun ??= begin(tenant.app.server);
  await begun;
  const known = { ...inOrder(), ...given };
  const asked: Asked[] = [];
  stands.set(tenant.id, { known, asked });
  const bodiesOf = (wanted: string) =>
    asked.filter(({ method, path }) => `${method} ${path}` === wanted).map(({ body }) => body);
  return {
    known,
    asked,
    bodiesOf,
    /** What was done, not only looked at. */
    deeds: () =>
      asked.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
  };
}

/** The page says for which tenant it asks; the template is the appliance's own. */
function isMeant({ url = '', headers }: IncomingMessage): boolean {
  const tenant = headers['x-vedette-tenant'];
  return stands.has(String(tenant)) && url.startsWith(BASE) && !url.startsWith(`${BASE}/template`);
}

/** From now on the server hands over what is asked for those tenants. */
async function begin(server: TestTenant['app']['server']): Promise<void> {
  const app = await buildRoutes();
  const rest = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (isMeant(request)) app.routing(request, response);
    else for (const listener of rest) listener(request, response);
  });
}

async function buildRoutes() {
  const app = Fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  answerErrors(app);
  answerUnknownPaths(app);
  app.addHook('preValidation', async ({ method, url, query, body, caller }) => {
    const path = (url.split('?')[0] ?? '').replace(BASE, '');
    const stand = stands.get(caller.tenantId);
    stand?.asked.push({ method, path, query: query as Record<string, string>, body });
    const { refusals, holds } = knownOf(caller.tenantId);
    await holds[`${method} ${path}`];
    const refusal = refusals[`${method} ${path}`];
    if (refusal) throw refusal;
  });
  app.addHook('onError', async (_request, _reply, error) => {
    // What no appliance would answer is a fault of the test, and fails it.
    if (!(error instanceof HttpError)) void Promise.reject(error);
  });
  const identity = { requires } as unknown as Identity;
  const whoIs = () => 'Dashboard';
  const clock = { now: Date.now } as never;
  await app.register(connectionRoutes({ connection, whoIs, identity }));
  await app.register(snapshotRoutes({ snapshots, container, verification, identity }));
  await app.register(changeRoutes({ changes, identity, whoIs, clock }));
  await app.ready();
  return app;
}

const requires: Identity['requires'] = () => async (request) => {
  request.caller = {
    tenantId: String(request.headers['x-vedette-tenant']),
    ...{ scope: 'full', via: 'session', allowedDomains: [] },
  };
};

const become = (tenantId: string, next: ConnectionView): ConnectionView =>
  (knownOf(tenantId).connection = next);

const connection = {
  view: (tenantId) => knownOf(tenantId).connection,
  setClient: async (tenantId) => void become(tenantId, connections.ready),
  beginConsent: async (tenantId) => become(tenantId, connections.waiting),
  cancelConsent: async (tenantId) => become(tenantId, connections.ready),
  pasteAnswer: async (tenantId) => become(tenantId, connections.choosing),
  choose: async (tenantId) => void become(tenantId, { ...connections.chosen, job: job() }),
  async disconnect(tenantId) {
    become(tenantId, connections.ready);
    return knownOf(tenantId).disconnected;
  },
  accounts: async (tenantId, query) =>
    partOf(knownOf(tenantId).accounts, query, (one) => [one.name, one.account_id]),
  containers: async (tenantId, query) =>
    partOf(
      knownOf(tenantId).containers.filter((one) => one.account_id === query.account_id),
      query,
      (one) => [one.name, one.public_id, one.container_id],
    ),
  workspaces: async (tenantId, query) =>
    partOf(
      knownOf(tenantId).workspaces.filter((one) => one.container_id === query.container_id),
      query,
      (one) => [one.name, one.workspace_id],
    ),
} satisfies Partial<Connection> as unknown as Connection;

const snapshots: Parameters<typeof snapshotRoutes>[0]['snapshots'] = {
  begin(tenantId) {
    const work = job();
    become(tenantId, { ...knownOf(tenantId).connection, job: work });
    return work;
  },
  async stop(tenantId) {
    become(tenantId, { ...knownOf(tenantId).connection, job: null });
  },
};

const container: Container = {
  latest: async (tenantId) => ({ latest: knownOf(tenantId).snapshot }),
  objects: async (tenantId, query) =>
    partOf(
      knownOf(tenantId).objects.filter(({ kind }) => !query.kind || kind === query.kind),
      { ...query, search: query.search ?? '' },
      (one) => [one.name, one.type, one.type_name, one.id],
    ),
  async object(tenantId, kind, id) {
    const { objects, details } = knownOf(tenantId);
    const object = objects.find((one) => one.kind === kind && one.id === id);
    const detail = details[`${kind} ${id}`] ?? (object && detailOf(object));
    if (!detail) throw problems.notFound('This object');
    return detail;
  },
  differences: async (tenantId) => knownOf(tenantId).differences,
};

const verification: Parameters<typeof snapshotRoutes>[0]['verification'] = {
  check: async (tenantId) => knownOf(tenantId).verification,
};

const writing = (tenantId: string, step: string) =>
  become(tenantId, { ...connections.chosen, job: job({ kind: 'apply', step }) });

const changes = {
  async list(tenantId, { status, skip, limit }) {
    const { changes, closed } = knownOf(tenantId);
    const all = { open: changes, closed, all: [...changes, ...closed] }[status];
    return all.slice(skip, skip + limit);
  },
  async get(tenantId, id) {
    const { changes, closed } = knownOf(tenantId);
    const found = [...changes, ...closed].find((one) => one.id === id);
    if (!found) throw problems.notFound('Change');
    return { ...found, before: null, after: null, current: null };
  },
  propose: async ({ tenantId }) => knownOf(tenantId).proposed,
  install: async ({ tenantId }) => knownOf(tenantId).proposed,
  async accept({ tenantId }, ids) {
    const known = knownOf(tenantId);
    known.changes = known.changes.map((one) =>
      ids.includes(one.id) ? { ...one, status: 'accepted' } : one,
    );
    writing(tenantId, 'Writing template “Vedette”');
    return known.changes.filter(({ id }) => ids.includes(id));
  },
  async reject({ tenantId }, ids) {
    const known = knownOf(tenantId);
    const gone = known.changes.filter(({ id }) => ids.includes(id));
    known.changes = known.changes.filter((one) => !gone.includes(one));
    return gone.map((one) => ({ ...one, status: 'rejected' }));
  },
  async renew({ tenantId }) {
    const known = knownOf(tenantId);
    if (!known.renewed) throw problems.notFound('Change');
    known.changes = [known.renewed];
    return known.renewed;
  },
  async resume({ tenantId }) {
    writing(tenantId, 'Looking');
    return knownOf(tenantId).changes;
  },
  audit: async (tenantId, { skip, limit }) => knownOf(tenantId).audit.slice(skip, skip + limit),
} satisfies Partial<Changes> as unknown as Changes;
