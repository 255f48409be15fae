import type {
  Chosen,
  ConnectionView,
  FaultCode,
  FaultView,
  JobView,
} from '../../server/tagmanager/connection/schema.ts';
import type { Check, SnapshotView, Verification } from '../../server/tagmanager/snapshot/schema.ts';

/* What the appliance answers about a tag manager, in states that a real one is hard to bring to. */

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
