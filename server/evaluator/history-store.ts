import type { Database } from '../platform/database.ts';
import type { Sql } from '../platform/sql.ts';
import { QUARTER } from '../rules/quarter.ts';
import type { Span, Verdict } from '../rules/schema.ts';

const KEPT = 30 * 86_400_000;

export interface VerdictRow {
  tenantId: string;
  ruleId: string;
  at: number;
  verdict: Verdict;
  /** This cycle made an alert of it. */
  alert: boolean;
}

const COLUMNS = JSON.stringify([
  {
    ...{ tenant: 'VARCHAR', rule: 'VARCHAR', at_ms: 'BIGINT', state: 'VARCHAR' },
    ...{ value: 'DOUBLE', expected: 'DOUBLE', alert: 'BOOLEAN' },
  },
]);

/** What each cycle found about each rule. The reasons are with the alerts and evaluations. */
export function createHistoryStore(database: Database) {
  return {
    /** All in one statement, within the transaction of the cycle. */
    async add(sql: Sql, rows: readonly VerdictRow[]): Promise<void> {
      if (rows.length === 0) return;
      const packed = rows.map(({ tenantId, ruleId, at, verdict, alert }) => {
        const { state, value, expected } = verdict;
        return { tenant: tenantId, rule: ruleId, at_ms: at, state, value, expected, alert };
      });
      await sql.run(
        `INSERT INTO verdicts
         SELECT row.tenant, row.rule, make_timestamp_ms(row.at_ms), row.state, row.value,
                row.expected, row.alert
         FROM (SELECT unnest(from_json($1, '${COLUMNS}')) AS row)`,
        JSON.stringify(packed),
      );
    },

    /** Of these rules, as JSON: a thousand rules have a hundred thousand points a day. */
    async of(tenant: string, ruleIds: readonly string[], { from, to }: Span): Promise<string> {
      const rows = await database.read(
        (sql) =>
          sql.rows<{ rule: string; points: string }>(
            `SELECT rule, to_json(list({
             timestamp: strftime(evaluated_at, '%Y-%m-%dT%H:%M:%S.%gZ'),
             state: state, value: value, expected: expected, alert: alert
           } ORDER BY evaluated_at)) AS points
           FROM verdicts
           WHERE tenant = $1 AND evaluated_at >= make_timestamp_ms($2::BIGINT)
             AND evaluated_at < make_timestamp_ms($3::BIGINT)
             AND rule IN (SELECT unnest(from_json($4, '["VARCHAR"]')))
           GROUP BY rule`,
            ...[tenant, from, to, JSON.stringify(ruleIds)],
          ),
        'heavy',
      );
      return `[${rows.map(({ rule, points }) => `{"rule_id":"${rule}","points":${points}}`).join(',')}]`;
    },

    /** Of each rule the quarters of an hour since then that had a cycle, and what it found. */
    async lettersOf(tenant: string, ruleIds: readonly string[], { from, to }: Span) {
      const rows = await database.read(
        (sql) =>
          sql.rows<{ rule: string; quarters: string; letters: string }>(
            `WITH found AS (
             SELECT rule, (epoch_ms(evaluated_at) - $2::BIGINT) // ${QUARTER} AS quarter,
                    max(CASE state WHEN 'quiet' THEN 1 WHEN 'skipped' THEN 2 ELSE 3 END) AS gravest
             FROM verdicts
             WHERE tenant = $1 AND evaluated_at >= make_timestamp_ms($2::BIGINT)
               AND evaluated_at < make_timestamp_ms($3::BIGINT)
               AND rule IN (SELECT unnest(from_json($4, '["VARCHAR"]')))
             GROUP BY ALL
           )
           SELECT rule, to_json(list(quarter ORDER BY quarter)) AS quarters,
                  string_agg(substr('qsf', gravest, 1), '' ORDER BY quarter) AS letters
           FROM found GROUP BY rule`,
            ...[tenant, from, to, JSON.stringify(ruleIds)],
          ),
        'heavy',
      );
      return rows.map((row) => ({ ...row, quarters: JSON.parse(row.quarters) as number[] }));
    },

    forget: (now: number): Promise<void> =>
      database.write((sql) =>
        sql.run(
          'DELETE FROM verdicts WHERE evaluated_at < make_timestamp_ms($1::BIGINT)',
          now - KEPT,
        ),
      ),
  };
}

export type HistoryStore = ReturnType<typeof createHistoryStore>;
