import type { Alert, AlertGroup } from '$server/alerts/schema.ts';
import type { Filter, Status } from './filter.ts';

export type Deed = 'acknowledge' | 'resolve' | 'reopen';

/** What a bulk change is about, as the API takes it. */
export type Target = Partial<Filter> & { ids?: readonly string[] };

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
export function targetOf({ rule_id, last_seen }: AlertGroup, filter: Filter): Target {
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
