import type { Page, Route } from 'playwright-core';
import type { ChangeView } from '../../server/tagmanager/changes/schema.ts';
import type {
  AccountView,
  Chosen,
  ConnectionView,
  ContainerView,
  Disconnected,
  FaultCode,
  FaultView,
  JobView,
  WorkspaceView,
} from '../../server/tagmanager/connection/schema.ts';
import type { Check, SnapshotView, Verification } from '../../server/tagmanager/snapshot/schema.ts';

/* The answers about a tag manager that is not there, typed by the schemas of those that are. */

export const CONSENT = 'https://accounts.google.example/o/oauth2/v2/auth?state=abc';
export const ago = (minutes: number): string =>
  new Date(Date.now() - minutes * 60_000).toISOString();

export const chosen: Chosen = {
  ...{ account_id: '600', account_name: 'Shop Ltd' },
  ...{ container_id: '700', container_name: 'shop.example', public_id: 'GTM-SHOP123' },
  ...{ workspace_id: '12', workspace_name: 'Default Workspace' },
};

const CLIENT = { id: '1234567890-abc.apps.googleusercontent.com', has_secret: true };

const nobody: ConnectionView = {
  state: 'not_connected',
  client: { id: null, has_secret: false },
  redirect_uri: 'http://127.0.0.1:4000/oauth/callback',
  ...{ waiting: null, connected_at: null, may_edit: false, chosen: null },
  ...{ problem: null, job: null, last_failure: null },
  quota: { used_today: 0, per_day: 10_000, waiting_seconds: 0 },
};
const connected: Partial<ConnectionView> = {
  ...{ state: 'connected', client: CLIENT, connected_at: ago(3_000), may_edit: true },
  quota: { used_today: 212, per_day: 10_000, waiting_seconds: 0 },
};

/** One connection for each state that the page knows. */
export const connections = {
  none: nobody,
  ready: { ...nobody, client: CLIENT },
  waiting: {
    ...{ ...nobody, client: CLIENT, state: 'waiting' as const },
    waiting: { authorize_url: CONSENT, until: ago(-9) },
  },
  choosing: { ...nobody, ...connected },
  chosen: { ...nobody, ...connected, chosen },
} satisfies Record<string, ConnectionView>;

export const fault = (code: FaultCode, what: string, next: string): FaultView => ({
  ...{ code, what, next, at: ago(2) },
});

export const job = (patch: Partial<JobView> = {}): JobView => ({
  ...{ kind: 'snapshot', step: 'Reading tags', requests: 18, expected: 30 },
  ...{ waiting_seconds: 40, left_seconds: 95, started_at: ago(1) },
  ...patch,
});

export const snapshot: SnapshotView = {
  ...{ id: crypto.randomUUID(), taken_at: ago(5), of: chosen },
  ...{ tag_count: 84, trigger_count: 41, variable_count: 1_260, built_in_variable_count: 12 },
  ...{ template_count: 3, has_unpublished_changes: true, unpublished_count: 2 },
  ...{ merge_conflict_count: 0, template_present: true, tag_active: true },
  ...{ templates: [], tags: [], requests: 9, previous_taken_at: ago(600), difference_count: 3 },
  live: { version_id: '12', name: 'Autumn', templates: [], tags: [] },
};

const holding: Record<Check['name'], Check> = {
  template: {
    ...{ name: 'template', holds: true, title: 'The template is in the workspace, and current' },
    evidence: ['Template “Vedette”, sends to https://events.shop.example'],
    ...{ next: null, action: null },
  },
  tag: {
    ...{ name: 'tag', holds: true, title: 'The tag is live' },
    evidence: ['Live, version 12: tag “Vedette” fires on All events', 'Draft: the same'],
    ...{ next: null, action: null },
  },
  events: {
    ...{ name: 'events', holds: true, title: '18,204 events came in the last 24 hours' },
    evidence: ['The last one came 12 seconds ago'],
    ...{ next: null, action: null },
  },
};
const failing: Record<Check['name'], Partial<Check>> = {
  template: {
    ...{ title: 'Vedette’s template is not in the workspace', evidence: ['3 other templates'] },
    ...{ next: 'Let Vedette propose it.', action: 'install' },
  },
  tag: {
    ...{ title: 'There is no tag of Vedette', evidence: ['Live, version 12: none', 'Draft: none'] },
    ...{ next: 'It is proposed together with the template.', action: 'install' },
  },
  events: {
    ...{ title: 'Nothing came from the tag manager in the last 24 hours', evidence: [] },
    ...{ next: 'See what to look at.', action: 'look' },
  },
};

/** The checks that do not hold, with what is special about them. */
export function verificationOf(
  lacks: Partial<Record<Check['name'], Partial<Check>>> = {},
  readAt: string | null = ago(5),
): Verification {
  const checks = Object.values(holding).map((check) => {
    const lack = lacks[check.name];
    return lack ? { ...check, holds: false, ...failing[check.name], ...lack } : check;
  });
  const complete = checks.every(({ holds }) => holds);
  return { complete, checked_at: ago(0), snapshot_taken_at: readAt, checks };
}

const unknown = (next: string, action: Check['action']) => ({
  ...{ title: 'Not known yet', evidence: [], next, action },
});
export const verifications = {
  complete: verificationOf(),
  notConnected: verificationOf(
    {
      template: unknown('Connect the tag manager.', 'connect'),
      tag: unknown('Connect the tag manager.', 'connect'),
      events: {},
    },
    null,
  ),
};

/** What the stand-in answers; a test may change all of it while the page is open. */
export interface Known {
  connection: ConnectionView;
  verification: Verification;
  snapshot: SnapshotView | null;
  changes: ChangeView[];
  proposed: ChangeView[];
  disconnected: Disconnected;
  accounts: AccountView[];
  containers: ContainerView[];
  workspaces: WorkspaceView[];
  /** By method and path: answered with this fault instead. */
  refusals: Record<string, { status: number; json: object }>;
}

interface Asked {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
}

/** Answers all that the page asks about the tag manager, but for the template. */
export async function standIn(page: Page, given: Partial<Known> = {}) {
  const known: Known = {
    ...{ connection: connections.none, verification: verifications.notConnected },
    ...{ snapshot: null, changes: [], proposed: [] },
    disconnected: { revoked: true, detail: 'Google has withdrawn the access too.' },
    ...{ accounts: [], containers: [], workspaces: [], refusals: {} },
    ...given,
  };
  const asked: Asked[] = [];
  await page
    .context()
    .route('https://accounts.google.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Consent</title><h1>Consent</h1>' }),
    );
  await page.route('**/api/v1/tag-manager/**', async (route) => {
    const request = route.request();
    const url = new URL(request.url());
    const path = url.pathname.replace('/api/v1/tag-manager', '');
    if (path.startsWith('/template')) return route.fallback();
    const query = Object.fromEntries(url.searchParams);
    const ask = { method: request.method(), path, query, body: bodyOf(request.postData()) };
    asked.push(ask);
    const refusal = known.refusals[`${ask.method} ${path}`];
    return refusal ? route.fulfill(refusal) : answer(route, ask, known);
  });
  return {
    known,
    asked,
    /** What was done, not only looked at. */
    deeds: () =>
      asked.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
  };
}

const bodyOf = (text: string | null): unknown => (text === null ? undefined : JSON.parse(text));

function answer(route: Route, { method, path, query }: Asked, known: Known): Promise<void> {
  const json = (value: unknown, status = 200) => route.fulfill({ status, json: value });
  const become = (connection: ConnectionView) => json((known.connection = connection));
  const list = (items: object[]) => json(pageOf(items, query));
  switch (`${method} ${path}`) {
    case 'GET /connection':
      return json(known.connection);
    case 'GET /verification':
      return json(known.verification);
    case 'GET /snapshot':
      return json({ latest: known.snapshot });
    case 'GET /changes':
      return json(known.changes);
    case 'GET /accounts':
      return list(known.accounts);
    case 'GET /containers':
      return list(known.containers.filter(({ account_id }) => account_id === query['account_id']));
    case 'GET /workspaces':
      return list(
        known.workspaces.filter(({ container_id }) => container_id === query['container_id']),
      );
    case 'PUT /connection/client':
      return become(connections.ready);
    case 'POST /connection/consent':
      return become(connections.waiting);
    case 'DELETE /connection/consent':
      return become(connections.ready);
    case 'POST /connection/answer':
      return become(connections.choosing);
    case 'PUT /selection':
      return become({ ...connections.chosen, job: job() });
    case 'DELETE /connection':
      known.connection = connections.ready;
      return json(known.disconnected);
    case 'POST /snapshot':
      known.connection = { ...known.connection, job: job() };
      return json(job(), 202);
    case 'DELETE /snapshot/job':
      known.connection = { ...known.connection, job: null };
      return route.fulfill({ status: 204 });
    case 'POST /changes/install':
      return json(known.proposed, 201);
    default:
      return json({ detail: `Nobody answers ${method} ${path}` }, 404);
  }
}

function pageOf<Item extends object>(items: Item[], query: Record<string, string>): Item[] {
  const { search = '', skip = '0', limit = '100' } = query;
  const wanted = search.toLowerCase();
  const fitting = items.filter((item) =>
    Object.values(item).join(' ').toLowerCase().includes(wanted),
  );
  return fitting.slice(Number(skip), Number(skip) + Number(limit));
}
