import type { Alert, AlertGroup } from '$server/alerts/schema.ts';
import type { AlertsFilter, Status } from './filter.ts';

export type Deed = 'acknowledge' | 'resolve' | 'reopen';

/** What each is called before and after, and its key. */
export const DEED_WORDS: Record<Deed, { word: string; done: string; key?: string }> = {
  acknowledge: { word: 'Acknowledge', done: 'Acknowledged', key: 'a' },
  resolve: { word: 'Resolve', done: 'Resolved', key: 'r' },
  reopen: { word: 'Reopen', done: 'Reopened' },
};

/** What a bulk change is about, as the API takes it. */
export type Target = Partial<AlertsFilter> & { ids?: readonly string[] };

/** What can still be done to alerts of a status. */
export const DEEDS: Record<Status, readonly Deed[]> = {
  open: ['acknowledge', 'resolve'],
  acknowledged: ['resolve', 'reopen'],
  resolved: ['reopen'],
  all: ['acknowledge', 'resolve', 'reopen'],
};

const MOST_IDS = 1000;

/**
 * The alerts of a group that are in sight: what fired since it was drawn has not been seen yet and
 * stays as it is.
 */
export function targetOf({ rule_id, last_seen }: AlertGroup, filter: AlertsFilter): Target {
  const seen = new Date(Date.parse(last_seen) + 1).toISOString();
  const until = filter.until !== undefined && filter.until < seen ? filter.until : seen;
  return { ...filter, rule_id, until };
}

export function targetsOf(ids: readonly string[]): Target[] {
  return Array.from({ length: Math.ceil(ids.length / MOST_IDS) }, (_, i) => ({
    ids: ids.slice(i * MOST_IDS, (i + 1) * MOST_IDS),
  }));
}

/** A change that waits for its note. */
export interface Asked {
  deed: Deed;
  /** 12 alerts, this alert */
  what: string;
  targets: readonly Target[];
}

/** A row: a single alert, or a group with its latest. */
export interface Entry {
  key: string;
  alert: Alert;
  group: AlertGroup | undefined;
}
