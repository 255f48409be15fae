import type { Database } from '../platform/database.ts';
import type { Sql } from '../platform/sql.ts';
import type { Delivery, DeliveryQuery, DeliveryStatus, MessageType } from './schema.ts';

export interface NewDelivery {
  tenant: string;
  id: string;
  alert: string | null;
  type: MessageType;
  payload: string;
}

/** What sending needs to know. */
export interface Due {
  tenant: string;
  id: string;
  type: MessageType;
  payload: string;
  attempts: number;
  begunAt: number;
  begunAttempts: number;
}

/** What became of an attempt, or of giving up without one. */
export interface Result {
  tenant: string;
  id: string;
  status: DeliveryStatus;
  attempts: number;
  nextAt: number | null;
  lastAt: number | null;
  lastStatus: number | null;
  lastError: string | null;
  finishedAt: number | null;
}

const time = (column: string) =>
  `strftime(${column}, '%Y-%m-%dT%H:%M:%S.%gZ') AS ${column.replace('_at', '')}`;

const RECORD = `
  id, type, alert::VARCHAR AS alert, status, attempts::DOUBLE AS attempts,
  last_status::DOUBLE AS last_status, last_error,
  ${['created_at', 'next_at', 'last_at', 'finished_at'].map(time).join(', ')}`;

interface Row extends Pick<
  Delivery,
  'id' | 'type' | 'status' | 'attempts' | 'last_status' | 'last_error'
> {
  alert: string | null;
  created: string;
  next: string | null;
  last: string | null;
  finished: string | null;
}

function recordOf(row: Row): Delivery {
  return {
    id: row.id,
    type: row.type,
    alert_id: row.alert,
    status: row.status,
    attempts: row.attempts,
    created_at: row.created,
    next_attempt_at: row.next,
    last_attempt_at: row.last,
    last_status: row.last_status,
    last_error: row.last_error,
    finished_at: row.finished,
  };
}

// Payloads begin with a brace, so the client, which drops a byte order mark in front, leaves them.
const DUE = `
  tenant, id, type, payload, attempts::DOUBLE AS attempts,
  epoch_ms(begun_at)::DOUBLE AS "begunAt", begun_attempts::DOUBLE AS "begunAttempts"`;

const GIVEN = `'[{"tenant":"VARCHAR","id":"VARCHAR","alert":"UUID","type":"VARCHAR","payload":"VARCHAR"}]'`;

/** One statement however many there are, inside a transaction that its caller began. */
export async function addDeliveries(
  sql: Sql,
  deliveries: readonly NewDelivery[],
  now: number,
): Promise<void> {
  if (deliveries.length === 0) return;
  await sql.run(
    `INSERT INTO deliveries BY NAME
     SELECT given.*, make_timestamp_ms($2::BIGINT) AS created_at, 'pending' AS status, 0 AS attempts,
            created_at AS begun_at, 0 AS begun_attempts, created_at AS next_at
     FROM (SELECT unnest(from_json($1::JSON, ${GIVEN})) AS given)`,
    JSON.stringify(deliveries),
    now,
  );
}

const FIRST = `type <> 'alert.created', next_at, created_at, id`;

export function createDeliveryStore(database: Database) {
  return {
    add: (deliveries: readonly NewDelivery[], now: number) =>
      database.write((sql) => addDeliveries(sql, deliveries, now)),

    list: (tenant: string, { status, alert_id: alert, skip, limit }: DeliveryQuery) =>
      database.read(async (sql) => {
        const rows = await sql.rows<Row>(
          `SELECT ${RECORD} FROM deliveries
           WHERE tenant = $1 AND ($2::VARCHAR IS NULL OR status = $2)
             AND ($3::VARCHAR IS NULL OR alert = $3::UUID)
           ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${skip}`,
          tenant,
          status ?? null,
          alert ?? null,
        );
        return rows.map(recordOf);
      }),

    get: (tenant: string, id: string) =>
      database.read(async (sql) => {
        const [row] = await sql.rows<Row & { payload: string }>(
          `SELECT ${RECORD}, payload FROM deliveries WHERE tenant = $1 AND id = $2`,
          tenant,
          id,
        );
        return row && { record: recordOf(row), payload: row.payload };
      }),

    /**
     * Those that are due, at most `each` of any tenant, without those that are busy: new alerts
     * first, and what became of an alert only behind the word that it is there.
     */
    due: (now: number, each: number, busy: readonly string[]): Promise<Due[]> =>
      database.read((sql) =>
        sql.rows<Due>(
          `SELECT ${DUE} FROM deliveries
           WHERE status = 'pending' AND next_at <= make_timestamp_ms($1::BIGINT)
             AND NOT list_contains(from_json($2::JSON, '["VARCHAR"]'), id)
             AND (type NOT IN ('alert.acknowledged', 'alert.resolved') OR alert NOT IN (
               SELECT alert FROM deliveries WHERE status = 'pending' AND type = 'alert.created'
             ))
           QUALIFY row_number() OVER (PARTITION BY tenant ORDER BY ${FIRST}) <= ${each}
           ORDER BY ${FIRST}`,
          now,
          JSON.stringify(busy),
        ),
      ),

    /** How many are waiting, and when the first of those becomes due that are not yet. */
    waiting: (now: number): Promise<{ count: number; next: number | null }> =>
      database.read(async (sql) => {
        const [row] = await sql.rows<{ count: number; next: number | null }>(
          `SELECT count(*)::DOUBLE AS count,
                  epoch_ms(min(next_at) FILTER (next_at > make_timestamp_ms($1::BIGINT)))::DOUBLE AS next
           FROM deliveries WHERE status = 'pending'`,
          now,
        );
        return row ?? { count: 0, next: null };
      }),

    /** Nothing of what waits may go to whatever is set up next. */
    cancelAll: (tenant: string, why: string, now: number): Promise<void> =>
      database.write((sql) =>
        sql.run(
          `UPDATE deliveries SET status = 'cancelled', next_at = NULL, last_error = $2,
             finished_at = make_timestamp_ms($3::BIGINT)
           WHERE tenant = $1 AND status = 'pending'`,
          tenant,
          why,
          now,
        ),
      ),

    /** What was cancelled meanwhile may have arrived all the same, but does not wait again. */
    finish: (result: Result): Promise<void> =>
      database.write((sql) =>
        sql.run(
          `UPDATE deliveries SET status = $3, attempts = $4,
             next_at = make_timestamp_ms($5::BIGINT),
             last_at = coalesce(make_timestamp_ms($6::BIGINT), last_at),
             last_status = CASE WHEN $6 IS NULL THEN last_status ELSE $7 END,
             last_error = $8, finished_at = make_timestamp_ms($9::BIGINT)
           WHERE tenant = $1 AND id = $2 AND (status = 'pending' OR $3 <> 'pending')`,
          result.tenant,
          result.id,
          result.status,
          result.attempts,
          result.nextAt,
          result.lastAt,
          result.lastStatus,
          result.lastError,
          result.finishedAt,
        ),
      ),

    /** Begins another round of attempts. */
    renew: (tenant: string, id: string, now: number): Promise<void> =>
      database.write((sql) =>
        sql.run(
          `UPDATE deliveries SET status = 'pending', begun_at = make_timestamp_ms($3::BIGINT),
             begun_attempts = attempts, next_at = make_timestamp_ms($3::BIGINT), finished_at = NULL
           WHERE tenant = $1 AND id = $2`,
          tenant,
          id,
          now,
        ),
      ),

    /**
     * What was put off or given up by a clock that was ahead is due now. Not what a receiver that is
     * gone has ended, nor a test, which is an answer to somebody who waited for it.
     */
    takeBack: (now: number): Promise<void> =>
      database.write((sql) =>
        sql.run(
          `UPDATE deliveries SET status = 'pending', next_at = this_moment, finished_at = NULL,
             begun_at = least(begun_at, this_moment), last_at = least(last_at, this_moment)
           FROM (SELECT make_timestamp_ms($1::BIGINT) AS this_moment)
           WHERE (status = 'pending' AND (greatest(begun_at, last_at) > this_moment + INTERVAL 1 MINUTE
               OR next_at > this_moment + INTERVAL 4 DAY))
             OR (status = 'failed' AND finished_at > this_moment + INTERVAL 1 MINUTE
               AND type <> 'test' AND last_status IS DISTINCT FROM 410)`,
          now,
        ),
      ),

    /** Forgets what was finished before `moment`. */
    forget: (moment: number): Promise<void> =>
      database.write((sql) =>
        sql.run(
          `DELETE FROM deliveries
           WHERE status <> 'pending' AND finished_at < make_timestamp_ms($1::BIGINT)`,
          moment,
        ),
      ),
  };
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;
