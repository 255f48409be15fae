import type { Database } from '../platform/database.ts';
import { conditionsOf } from '../platform/sql.ts';
import type { Sql, SqlValue } from '../platform/sql.ts';
import type { Alert, AlertFilter, AlertList } from './schema.ts';

export interface NewAlert {
  tenantId: string;
  alert: Alert;
  /** A webhook message about it was queued, so its end is worth one too. */
  pushed: boolean;
}

const shown = (time: string) => `strftime(${time}, '%Y-%m-%dT%H:%M:%S.%gZ')`;

/** One JSON text, since the client drops a byte order mark from the front of plain text. */
export const RECORD = `to_json({
  id: id::VARCHAR, rule_id: rule_id::VARCHAR, severity: severity, message: message,
  is_resolved: is_resolved, is_acknowledged: is_acknowledged, created_at: ${shown('created_at')},
  rule_name: rule_name, rule_type: rule_type, event_type: event_type, source: source,
  tags: tags::JSON, category: category, value: value,
  missing_fields: missing_fields::JSON, window_minutes: window_minutes,
  acknowledged_at: ${shown('acknowledged_at')}, acknowledge_note: acknowledge_note,
  resolved_at: ${shown('resolved_at')}, resolve_note: resolve_note
}) AS record`;

export const NEWEST_FIRST = 'created_at DESC, id DESC';

const COLUMNS = JSON.stringify([
  {
    ...{ tenant: 'VARCHAR', id: 'UUID', rule_id: 'UUID', severity: 'VARCHAR', message: 'VARCHAR' },
    ...{ is_resolved: 'BOOLEAN', is_acknowledged: 'BOOLEAN', created_at: 'TIMESTAMP' },
    ...{ rule_name: 'VARCHAR', rule_type: 'VARCHAR', event_type: 'VARCHAR', source: 'VARCHAR' },
    ...{ tags: 'VARCHAR', category: 'VARCHAR', value: 'DOUBLE' },
    ...{ missing_fields: 'VARCHAR', window_minutes: 'DOUBLE' },
    ...{ acknowledged_at: 'TIMESTAMP', acknowledge_note: 'VARCHAR' },
    ...{ resolved_at: 'TIMESTAMP', resolve_note: 'VARCHAR', pushed: 'BOOLEAN' },
  },
]);

export function createAlertStore(database: Database) {
  const removed = (statement: string, ...values: SqlValue[]): Promise<number> =>
    database.write(async (sql) => {
      const [row] = await sql.rows<{ Count: bigint }>(statement, ...values);
      return Number(row?.Count ?? 0);
    });

  return {
    /** All in one statement, so that a cycle that makes a thousand does not hold up the rest. */
    async insert(sql: Sql, alerts: readonly NewAlert[]): Promise<void> {
      if (alerts.length === 0) return;
      const rows = alerts.map(({ tenantId, alert, pushed }) => {
        const tags = JSON.stringify(alert.tags, wellFormed);
        const missing_fields = JSON.stringify(alert.missing_fields, wellFormed);
        return { ...alert, tags, missing_fields, tenant: tenantId, pushed };
      });
      await sql.run(
        `INSERT INTO alerts BY NAME SELECT unnest(from_json($1, '${COLUMNS}'), recursive := true)`,
        JSON.stringify(rows, wellFormed),
      );
    },

    list: (tenant: string, { skip, limit, ...filter }: AlertList): Promise<Alert[]> =>
      database.read((sql) => records(sql, conditions(tenant, filter), { skip, limit })),

    one: (tenant: string, id: string): Promise<Alert | undefined> =>
      database.read((sql) => oneAlert(sql, tenant, id)),

    /** Says how many there were. */
    remove: (tenant: string, id: string): Promise<number> =>
      removed('DELETE FROM alerts WHERE tenant = $1 AND id = $2::UUID', tenant, id),

    /** Deletes alerts made before then, whatever their state; says how many. */
    forget: (tenant: string, before: number): Promise<number> =>
      removed(
        'DELETE FROM alerts WHERE tenant = $1 AND created_at < make_timestamp_ms($2::BIGINT)',
        tenant,
        before,
      ),
  };
}

export type AlertStore = ReturnType<typeof createAlertStore>;

/** The database takes no half of a surrogate pair, which a careless cut may leave in a name. */
const wellFormed = (_key: string, value: unknown) =>
  typeof value === 'string' ? value.toWellFormed() : value;

export async function oneAlert(sql: Sql, tenant: string, id: string): Promise<Alert | undefined> {
  const [found] = await records(sql, conditions(tenant, { ids: [id] }), { skip: 0, limit: 1 });
  return found;
}

interface Conditions {
  where: string;
  values: SqlValue[];
}

/** Only what is shown is made into text: first the rows, then their records. */
export async function records(
  sql: Sql,
  { where, values }: Conditions,
  { skip, limit }: { skip: number; limit: number },
): Promise<Alert[]> {
  const rows = await sql.rows<{ record: string }>(
    `SELECT ${RECORD} FROM (
       SELECT * FROM alerts WHERE ${where} ORDER BY ${NEWEST_FIRST} LIMIT ${limit} OFFSET ${skip}
     ) ORDER BY ${NEWEST_FIRST}`,
    ...values,
  );
  return rows.map(({ record }) => JSON.parse(record) as Alert);
}

export const STATUS = {
  open: 'NOT is_acknowledged AND NOT is_resolved',
  acknowledged: 'is_acknowledged AND NOT is_resolved',
  resolved: 'is_resolved',
  all: 'true',
};

export function conditions(
  tenant: string,
  filter: AlertFilter & { resolved?: boolean | undefined },
): Conditions {
  const { where, values } = conditionsOf(tenant, [
    [`id IN (SELECT unnest(from_json(?, '["UUID"]')))`, filter.ids && JSON.stringify(filter.ids)],
    ['rule_id = ?::UUID', filter.rule_id],
    ['severity = ?', filter.severity],
    ['rule_type = ?', filter.rule_type],
    ['source = ?', filter.source],
    [`list_contains(from_json(tags, '["VARCHAR"]'), ?)`, filter.tag],
    ['category = ?', filter.category],
    ['created_at >= make_timestamp_ms(?::BIGINT)', filter.since],
    ['created_at < make_timestamp_ms(?::BIGINT)', filter.until],
  ]);
  const status = STATUS[filter.status ?? 'all'];
  const resolved = filter.resolved === undefined ? 'true' : `is_resolved = ${filter.resolved}`;
  return { where: `${where} AND ${status} AND ${resolved}`, values };
}
