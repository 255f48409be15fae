import { keepPreviousData } from '@tanstack/svelte-query';
import type { AlertGroup, AlertSummary } from '$server/alerts/schema.ts';
import type { EventActivityPoint, EventCount, EventFields, Usual } from '$server/events/schema.ts';
import type {
  CollectorView,
  Evaluation,
  RuleHistory,
  RuleStates,
} from '$server/evaluator/schema.ts';
import type { TimeRange } from '$server/http/schema.ts';
import type { RuleView } from '$server/rules/schema.ts';
import type { AboutView, SettingsView } from '$server/settings/schema.ts';
import type { ChangeView } from '$server/tagmanager/changes/schema.ts';
import type { ConnectionView } from '$server/tagmanager/connection/schema.ts';
import type { SnapshotView, Verification } from '$server/tagmanager/snapshot/schema.ts';
import type { KeyView, Tenant } from '$server/tenants/schema.ts';
import { api } from './api.ts';

/**
 * What more than one page reads, with one key each, so that it is fetched once and changes
 * everywhere at once. What a single page reads stands beside that page.
 */
const read = <T>(key: readonly unknown[], path: string, query = {}, every = 60_000) => ({
  queryKey: key,
  queryFn: ({ signal }: { signal: AbortSignal }) => api.get<T>(path, query, signal),
  refetchInterval: every,
});

export const reads = {
  /** Source and type pairs with their counts, the busiest first. */
  counts: (range?: TimeRange) =>
    read<EventCount[]>(['events', 'counts', range], '/events/counts', { time_range: range }),
  /** Which fields the payloads of a type have. */
  fields: (type: string, source?: string) => ({
    ...read<EventFields>(['events', 'fields', type, source], '/events/fields', {
      event_type: type,
      source,
    }),
    refetchInterval: false as const,
    staleTime: 60_000,
    enabled: type !== '',
  }),
  /** The same for several types, of which rules are suggested. */
  fieldsOf: (types: readonly string[]) => ({
    queryKey: ['events', 'fields', 'of', types],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      Promise.all(
        types.map((event_type) => api.get<EventFields>('/events/fields', { event_type }, signal)),
      ),
    enabled: types.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    refetchInterval: 60_000,
  }),
  /** The last 24 hours against what is usual. */
  usual: (filter: { source?: string; event_type?: string } = {}) =>
    read<Usual>(['events', 'usual', filter], '/events/usual', filter),
  /** Events in each of the last 60 minutes, the last of them still filling. */
  minutes: () =>
    read<EventActivityPoint[]>(
      ['events', 'activity', '1h', {}],
      '/events/activity',
      { time_range: '1h' },
      10_000,
    ),
  /** All of them: an answer holds a thousand at the most, and a tenant may have more. */
  rules: () => ({
    queryKey: ['rules'],
    queryFn: ({ signal }: { signal: AbortSignal }) => allOf<RuleView>('/rules', signal),
    refetchInterval: 60_000,
  }),
  ruleStates: () => read<RuleStates>(['rules', 'history', 'states'], '/rules/history/states'),
  /** What the last day's cycles found about one rule. */
  historyOf: (id: string | undefined) => ({
    ...read<RuleHistory[]>(['rules', 'history', 'of', id], '/rules/history', { rule_id: id }),
    enabled: id !== undefined,
  }),
  evaluations: () => read<Evaluation[]>(['evaluations'], '/evaluations', { limit: 20 }),
  alertSummary: () => read<AlertSummary>(['alerts', 'summary'], '/alerts/summary', {}, 15_000),
  alertGroups: (filter: Record<string, string | undefined> = {}) =>
    read<AlertGroup[]>(['alerts', 'grouped', filter], '/alerts/grouped', filter, 15_000),
  collector: (range: TimeRange = '24h') =>
    read<CollectorView>(['collector', range], '/collector', { time_range: range }, 15_000),
  keys: () => read<KeyView[]>(['keys'], '/keys', {}, 30_000),
  /** A key itself, for where it is to be taken along; not kept once nobody looks at it. */
  keySecret: (id: string | undefined) => ({
    queryKey: ['keys', id, 'secret'],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      api.get<{ secret: string }>(`/keys/${id}/secret`, {}, signal),
    enabled: id !== undefined,
    staleTime: Infinity,
    gcTime: 0,
  }),
  /** How the tag manager is connected; often while something about it is under way. */
  tagManager: () => ({
    ...read<ConnectionView>(['tag-manager', 'connection'], '/tag-manager/connection'),
    refetchInterval: ({ state: { data } }: { state: { data: ConnectionView | undefined } }) =>
      data?.state === 'waiting' || data?.job ? 1_000 : 15_000,
  }),
  /** The newest snapshot of the container, if there is one. */
  snapshot: () =>
    read<{ latest: SnapshotView | null }>(
      ['tag-manager', 'snapshot'],
      '/tag-manager/snapshot',
      {},
      30_000,
    ),
  /** The three checks of the integration. */
  verification: () =>
    read<Verification>(['tag-manager', 'verification'], '/tag-manager/verification', {}, 15_000),
  /** Changes of the container that wait for a person, or are being written. */
  openChanges: () =>
    read<ChangeView[]>(
      ['tag-manager', 'changes', 'open'],
      '/tag-manager/changes',
      { status: 'open', limit: 100 },
      30_000,
    ),
  tenant: () => read<Tenant>(['tenant'], '/tenants/me'),
  tenants: () => read<Tenant[]>(['tenants'], '/tenants'),
  settings: () => read<SettingsView>(['settings'], '/settings'),
  about: () => read<AboutView>(['about'], '/settings/about'),
};

async function allOf<T>(path: string, signal: AbortSignal): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const some = await api.get<T[]>(path, { limit: MOST, skip: all.length }, signal);
    all.push(...some);
    if (some.length < MOST) return all;
  }
}

const MOST = 1000;
