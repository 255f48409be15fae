import { bucketsOf } from '../platform/buckets.ts';
import type { Point } from '../platform/buckets.ts';
import type { Database } from '../platform/database.ts';
import { severity } from '../rules/schema.ts';
import type { Severity } from '../rules/schema.ts';
import type { ActivityQuery, Alert, AlertGroup, AlertSummary, GroupQuery } from './schema.ts';
import { conditions, RECORD, records, STATUS } from './store.ts';

interface GroupRow {
  record: string;
  status: AlertGroup['status'];
  count: number;
  first: number;
  /** The buckets that are not empty, and how many in each. */
  buckets: string | null;
  counts: string | null;
}

/** Alerts by rule and over time. They are few beside events, so they are counted when asked. */
export function createAlertRollups(database: Database) {
  return {
    /**
     * A group for every rule, also for those that are gone; the last to fire first. As JSON, since
     * a thousand groups have a hundred thousand points.
     */
    async groups(tenant: string, query: GroupQuery, now: number): Promise<string> {
      const { time_range: range, limit, ...filter } = query;
      const { first, step, fillText } = bucketsOf(range, now);
      const { where, values } = conditions(tenant, filter);
      const rows = await database.read((sql) =>
        sql.rows<GroupRow>(
          `WITH found AS (SELECT * FROM alerts WHERE ${where}),
           groups AS (
             SELECT arg_max(id, (created_at, id)) AS latest, max(created_at) AS last_seen,
                    CASE WHEN bool_or(NOT is_acknowledged AND NOT is_resolved) THEN 'open'
                         WHEN bool_or(NOT is_resolved) THEN 'acknowledged'
                         ELSE 'resolved' END AS status,
                    count(*)::DOUBLE AS count, epoch_ms(min(created_at))::DOUBLE AS first,
                    histogram(epoch_ms(created_at) // ${step})
                      FILTER (created_at >= make_timestamp_ms(${first}::BIGINT)) AS buckets
             FROM found GROUP BY rule_id ORDER BY last_seen DESC, latest DESC LIMIT ${limit}
           )
           SELECT ${RECORD}, status, count, first,
                  to_json(map_keys(buckets)) AS buckets, to_json(map_values(buckets)) AS counts
           FROM groups JOIN found ON found.id = groups.latest ORDER BY last_seen DESC, latest DESC`,
          ...values,
        ),
      );
      const groups = rows.map(({ record, status, count, first, ...drawn }) => {
        const latest = JSON.parse(record) as Alert;
        const group: Omit<AlertGroup, 'latest' | 'sparkline'> = {
          rule_id: latest.rule_id,
          rule_name: latest.rule_name,
          rule_type: latest.rule_type,
          severity: latest.severity,
          source: latest.source,
          tags: latest.tags,
          category: latest.category,
          status,
          count,
          first_seen: new Date(first).toISOString(),
          last_seen: latest.created_at,
        };
        const sparkline = fillText(countsOf(drawn));
        return `${JSON.stringify(group).slice(0, -1)},"latest":${record},"sparkline":${sparkline}}`;
      });
      return `[${groups.join(',')}]`;
    },

    /** Of all tenants. */
    open: (): Promise<Record<Severity, number>> =>
      database.read(async (sql) => {
        const rows = await sql.rows<{ severity: Severity; count: number }>(
          `SELECT severity, count(*)::DOUBLE AS count FROM alerts
           WHERE ${STATUS.open} GROUP BY severity`,
        );
        const counts = { critical: 0, warning: 0, info: 0 };
        for (const { severity, count } of rows) counts[severity] = count;
        return counts;
      }),

    summary: (tenant: string): Promise<AlertSummary> =>
      database.read(async (sql) => {
        const open = (one: Severity) =>
          `count(*) FILTER (${STATUS.open} AND severity = '${one}')::DOUBLE AS ${one}`;
        const [counts] = await sql.rows<Record<Severity | 'acknowledged', number>>(
          `SELECT ${severity.options.map(open).join(', ')},
                  count(*) FILTER (${STATUS.acknowledged})::DOUBLE AS acknowledged
           FROM alerts WHERE tenant = $1`,
          tenant,
        );
        const [latest] = await records(sql, conditions(tenant, {}), { skip: 0, limit: 1 });
        const { acknowledged = 0, critical = 0, warning = 0, info = 0 } = counts ?? {};
        return { open: { critical, warning, info }, acknowledged, latest: latest ?? null };
      }),

    /** A point for every bucket, empty ones too. */
    async activity(tenant: string, query: ActivityQuery, now: number): Promise<Point[]> {
      const { time_range: range, ...filter } = query;
      const { first, step, fill } = bucketsOf(range, now);
      const { where, values } = conditions(tenant, filter);
      const rows = await database.read((sql) =>
        sql.rows<{ bucket: number; count: number }>(
          `SELECT (epoch_ms(created_at) // ${step})::DOUBLE AS bucket, count(*)::DOUBLE AS count
           FROM alerts WHERE ${where} AND created_at >= make_timestamp_ms(${first}::BIGINT)
           GROUP BY 1`,
          ...values,
        ),
      );
      return fill(rows.map(({ bucket, count }) => [bucket, count]));
    },
  };
}

function countsOf(drawn: Pick<GroupRow, 'buckets' | 'counts'>): [number, number][] {
  const buckets = JSON.parse(drawn.buckets ?? '[]') as number[];
  const counts = JSON.parse(drawn.counts ?? '[]') as number[];
  return buckets.map((bucket, i) => [bucket, counts[i] ?? 0]);
}

export type AlertRollups = ReturnType<typeof createAlertRollups>;
