import type { Sql } from '../platform/sql.ts';
import type { Severity } from '../rules/schema.ts';
import { MAX_CHANGED_IDS } from './schema.ts';
import type { Alert, AlertFilter, BulkChanged } from './schema.ts';
import { conditions, NEWEST_FIRST, records } from './store.ts';

export interface Change {
  /** To `unresolve` takes back the resolution alone, to `reopen` everything. */
  to: 'acknowledge' | 'resolve' | 'reopen' | 'unresolve';
  note?: string | undefined;
  now: number;
}

/** What each change does, to which alerts; a note stays until another is given. */
const CHANGES = {
  acknowledge: {
    due: 'NOT is_acknowledged',
    set: `is_acknowledged = true, acknowledged_at = make_timestamp_ms($1::BIGINT),
          acknowledge_note = coalesce($2, acknowledge_note)`,
    note: 'acknowledge_note',
  },
  resolve: {
    due: 'NOT is_resolved',
    set: `is_resolved = true, resolved_at = make_timestamp_ms($1::BIGINT),
          resolve_note = coalesce($2, resolve_note)`,
    note: 'resolve_note',
  },
  reopen: {
    due: '(is_acknowledged OR is_resolved)',
    set: `is_acknowledged = false, acknowledged_at = NULL, is_resolved = false, resolved_at = NULL`,
    note: undefined,
  },
  unresolve: {
    due: 'is_resolved',
    set: 'is_resolved = false, resolved_at = NULL',
    note: undefined,
  },
} as const;

/** What changes the state of alerts, all of it within a transaction of the caller's. */
export const alertChanges = {
  /** The change itself, within the caller's transaction; only to those that it changes. */
  async change(
    sql: Sql,
    tenant: string,
    filter: AlertFilter,
    { to, note, now }: Change,
  ): Promise<BulkChanged> {
    const { due, set, note: noteColumn } = CHANGES[to];
    const { where, values } = conditions(tenant, filter);
    await sql.run(
      `CREATE OR REPLACE TEMP TABLE changed_alerts AS
       SELECT id, created_at FROM alerts WHERE ${where} AND ${due}`,
      ...values,
    );
    await sql.run(
      `UPDATE alerts SET ${set} WHERE id IN (SELECT id FROM changed_alerts)`,
      ...(noteColumn ? [now, note ?? null] : []),
    );
    const [count] = await sql.rows<{ changed: number }>(
      'SELECT count(*)::DOUBLE AS changed FROM changed_alerts',
    );
    const ids = await sql.rows<{ id: string }>(
      `SELECT id::VARCHAR AS id FROM changed_alerts ORDER BY ${NEWEST_FIRST} LIMIT ${MAX_CHANGED_IDS}`,
    );
    return { changed: count?.changed ?? 0, ids: ids.map(({ id }) => id) };
  },

  /** Of those that were just changed, the ones whose receiver heard of their beginning. */
  async changedAndPushed(
    sql: Sql,
    severities: readonly Severity[],
    page: { skip: number; limit: number },
  ): Promise<Alert[]> {
    const where = `pushed AND id IN (SELECT id FROM changed_alerts)
      AND list_contains(string_split($1, ','), severity)`;
    return records(sql, { where, values: [severities.join(',')] }, page);
  },

  async setNote(sql: Sql, tenant: string, id: string, to: Change['to'], note: string) {
    const column = CHANGES[to].note;
    if (column === undefined) return;
    await sql.run(
      `UPDATE alerts SET ${column} = $3 WHERE tenant = $1 AND id = $2::UUID`,
      tenant,
      id,
      note,
    );
  },
};
