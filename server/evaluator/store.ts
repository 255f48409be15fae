import type { Paging } from '../http/schema.ts';
import type { Database } from '../platform/database.ts';
import type { Sql } from '../platform/sql.ts';
import type { RuleState, Span } from '../rules/schema.ts';
import type { Evaluation } from './schema.ts';

const DAY = 86_400_000;
const KEPT_EVALUATIONS = 30 * DAY;
/** Longer than any window that a rule can look back on. */
const KEPT_LISTENING = 400 * DAY;

export interface StateRow {
  tenantId: string;
  ruleId: string;
  state: RuleState;
}

export interface EvaluationRow {
  tenantId: string;
  evaluation: Evaluation;
}

const EVALUATIONS = `'[{"tenant":"VARCHAR","id":"UUID","trigger":"VARCHAR","evaluated_at":"BIGINT",
  "started_at":"BIGINT","duration_ms":"DOUBLE","rules":"UINTEGER","fired":"UINTEGER",
  "alerts":"UINTEGER","skipped":"VARCHAR"}]'`;

export function createEvaluatorStore(database: Database) {
  return {
    states: () =>
      database.read(async (sql) => {
        const rows = await sql.rows<{ rule: string; state: string }>(
          'SELECT rule, to_json(state) AS state FROM rule_states',
        );
        return new Map(
          rows.map(({ rule, state }) => [
            rule,
            JSON.parse(JSON.parse(state) as string) as RuleState,
          ]),
        );
      }),

    /** Those of the same rules are replaced, and those of rules that are gone removed. */
    async saveStates(
      sql: Sql,
      rows: readonly StateRow[],
      goneIds: readonly string[],
    ): Promise<void> {
      const old = JSON.stringify([...rows.map(({ ruleId }) => ruleId), ...goneIds]);
      await sql.run(
        `DELETE FROM rule_states WHERE rule IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`,
        old,
      );
      const packed = rows.map(({ tenantId, ruleId, state }) => ({
        tenant: tenantId,
        rule: ruleId,
        state: JSON.stringify(state),
      }));
      await sql.run(
        `INSERT INTO rule_states
         SELECT row.tenant, row.rule, row.state
         FROM (SELECT unnest(from_json($1, '[{"tenant":"VARCHAR","rule":"VARCHAR","state":"VARCHAR"}]')) AS row)`,
        JSON.stringify(packed),
      );
    },

    /**
     * However many there are, they take two statements. Of the cycles that had nothing to judge the
     * newest is enough.
     */
    async addEvaluations(sql: Sql, rows: readonly EvaluationRow[]): Promise<void> {
      if (rows.length === 0) return;
      const idle = rows.filter(({ evaluation: { trigger, rules, skipped } }) => {
        return trigger !== 'manual' && rules + skipped.length === 0;
      });
      if (idle.length > 0) {
        await sql.run(
          `DELETE FROM evaluations WHERE rules = 0 AND skipped = '[]'
           AND tenant IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`,
          JSON.stringify(idle.map(({ tenantId }) => tenantId)),
        );
      }
      const packed = rows.map(({ tenantId: tenant, evaluation }) => ({
        ...evaluation,
        tenant,
        evaluated_at: Date.parse(evaluation.evaluated_at),
        started_at: Date.parse(evaluation.started_at),
        skipped: JSON.stringify(evaluation.skipped),
      }));
      await sql.run(
        `INSERT INTO evaluations
         SELECT row.tenant, row.id, row.trigger, make_timestamp_ms(row.evaluated_at),
                make_timestamp_ms(row.started_at), row.duration_ms, row.rules, row.fired, row.alerts,
                row.skipped
         FROM (SELECT unnest(from_json($1, ${EVALUATIONS})) AS row)`,
        JSON.stringify(packed),
      );
    },

    list: (tenant: string, { skip, limit }: Paging): Promise<Evaluation[]> =>
      database.read(async (sql) => {
        const rows = await sql.rows<Omit<Evaluation, 'skipped'> & { skipped: string }>(
          `SELECT id::VARCHAR AS id, trigger,
                  strftime(evaluated_at, '%Y-%m-%dT%H:%M:%S.%gZ') AS evaluated_at,
                  strftime(started_at, '%Y-%m-%dT%H:%M:%S.%gZ') AS started_at,
                  duration_ms, rules, fired, alerts, to_json(skipped) AS skipped
           FROM evaluations WHERE tenant = $1
           ORDER BY evaluations.started_at DESC, evaluations.evaluated_at DESC, evaluations.id DESC LIMIT ${limit} OFFSET ${skip}`,
          tenant,
        );
        return rows.map((row) => ({
          ...row,
          skipped: JSON.parse(JSON.parse(row.skipped) as string) as Evaluation['skipped'],
        }));
      }),

    /** The moment of the newest cycle that was not asked for by hand; none before the first, nor what a clock that was ahead has left. */
    lastCycle: (now: number) =>
      database.read(async (sql) => {
        const [row] = await sql.rows<{ last: number | null }>(
          `SELECT epoch_ms(max(evaluated_at))::DOUBLE AS last FROM evaluations
           WHERE trigger <> 'manual' AND evaluated_at <= make_timestamp_ms($1::BIGINT)`,
          now,
        );
        return row?.last ?? undefined;
      }),

    listening: () =>
      database.read((sql) =>
        sql.rows<Span>(
          `SELECT epoch_ms(started)::DOUBLE AS "from", epoch_ms(ended)::DOUBLE AS "to"
           FROM listening ORDER BY started`,
        ),
      ),

    /** A span that goes on replaces what was known of it. */
    keepSpan: ({ from, to }: Span) =>
      database.write(async (sql) => {
        await sql.run('DELETE FROM listening WHERE started = make_timestamp_ms($1::BIGINT)', from);
        await sql.run(
          'INSERT INTO listening VALUES (make_timestamp_ms($1::BIGINT), make_timestamp_ms($2::BIGINT))',
          from,
          to,
        );
      }),

    /** The newest cycle stays, however old: it says up to when everything was evaluated. */
    forget: (now: number) =>
      database.write(async (sql) => {
        await sql.run(
          `DELETE FROM evaluations WHERE started_at < make_timestamp_ms($1::BIGINT)
           AND evaluated_at < (SELECT max(evaluated_at) FROM evaluations WHERE trigger <> 'manual')`,
          now - KEPT_EVALUATIONS,
        );
        await sql.run(
          'DELETE FROM listening WHERE ended < make_timestamp_ms($1::BIGINT)',
          now - KEPT_LISTENING,
        );
      }),
  };
}

export type EvaluatorStore = ReturnType<typeof createEvaluatorStore>;
