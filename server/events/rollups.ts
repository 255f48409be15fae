import { bucketsBetween, bucketsOf, RANGES } from '../platform/buckets.ts';
import type { Point } from '../platform/buckets.ts';
import type { Database } from '../platform/database.ts';
import type { Sql } from '../platform/sql.ts';
import type { TimeRange } from '../http/schema.ts';
import type { ActivityQuery } from './schema.ts';

/**
 * Counts per minute and per hour, kept with every flush, so that types, sources and charts never
 * look at events.
 */
export async function rollUp(sql: Sql, segment: number): Promise<void> {
  await sql.run(`
    CREATE OR REPLACE TEMP TABLE arrived AS
    SELECT tenant, date_trunc('minute', received_at) AS start, source, event_type,
           count(*)::BIGINT AS events, min(received_at) AS first_seen, max(received_at) AS last_seen
    FROM events WHERE segment = ${segment} GROUP BY ALL`);
  await addTo(sql, 'minutes', 'SELECT tenant, start, source, event_type, events FROM arrived');
  await addTo(
    sql,
    'hours',
    `SELECT tenant, date_trunc('hour', start) AS start, source, event_type, sum(events)::BIGINT AS events
     FROM arrived GROUP BY ALL`,
  );
  await sql.run(`
    MERGE INTO series AS known USING (
      SELECT tenant, source, event_type, min(first_seen) AS first_seen, max(last_seen) AS last_seen
      FROM arrived GROUP BY ALL
    ) AS seen
    ON known.tenant = seen.tenant AND known.source = seen.source AND known.event_type = seen.event_type
    WHEN MATCHED THEN UPDATE SET
      first_seen = least(known.first_seen, seen.first_seen),
      last_seen = greatest(known.last_seen, seen.last_seen)
    WHEN NOT MATCHED THEN INSERT (tenant, source, event_type, first_seen, last_seen)
      VALUES (seen.tenant, seen.source, seen.event_type, seen.first_seen, seen.last_seen)`);
}

async function addTo(sql: Sql, table: 'minutes' | 'hours', counts: string): Promise<void> {
  await sql.run(`
    MERGE INTO ${table} AS kept USING (${counts}) AS new
    ON kept.tenant = new.tenant AND kept.start = new.start
       AND kept.source = new.source AND kept.event_type = new.event_type
    WHEN MATCHED THEN UPDATE SET events = kept.events + new.events
    WHEN NOT MATCHED THEN INSERT (tenant, start, source, event_type, events)
      VALUES (new.tenant, new.start, new.source, new.event_type, new.events)`);
}

const HOUR = 3_600_000;

/** Where the counts of each range are: an hour is the finest that the longer ones need. */
const TABLES: Record<TimeRange, 'minutes' | 'hours'> = {
  '1h': 'minutes',
  '24h': 'minutes',
  '7d': 'hours',
  '30d': 'hours',
};

export function createRollups(database: Database) {
  return {
    types: (tenant: string) => distinct(database, tenant, 'event_type'),
    sources: (tenant: string) => distinct(database, tenant, 'source'),

    /** A point for every bucket, empty ones too. */
    async activity(tenant: string, query: ActivityQuery, now: number): Promise<Point[]> {
      const { source, event_type, time_range: range, since, until = now } = query;
      const { first, end, step, fill } =
        since === undefined
          ? bucketsOf(range, now)
          : bucketsBetween(Math.max(0, since), Math.min(until, now));
      if (end <= first) return [];
      const rows = await database.read((sql) =>
        sql.rows<{ bucket: number; count: number }>(
          `SELECT (epoch_ms(start) // ${step})::DOUBLE AS bucket, sum(events)::DOUBLE AS count
           FROM ${step < HOUR ? 'minutes' : 'hours'}
           WHERE tenant = $1 AND start >= make_timestamp_ms($2::BIGINT)
             AND start < make_timestamp_ms($5::BIGINT)
             AND ($3::VARCHAR IS NULL OR source = $3) AND ($4::VARCHAR IS NULL OR event_type = $4)
           GROUP BY 1`,
          tenant,
          first,
          source ?? null,
          event_type ?? null,
          end,
        ),
      );
      return fill(rows.map(({ bucket, count }) => [bucket, count]));
    },

    /** Every pair of source and type, the busiest first. */
    async counts(tenant: string, range: TimeRange | undefined, now: number) {
      const span = range ? RANGES[range].span : now;
      const table = range ? TABLES[range] : 'hours';
      const rows = await database.read((sql) =>
        sql.rows<{
          source: string;
          event_type: string;
          count: number;
          first: number;
          last: number;
        }>(
          `SELECT to_json(s.source) AS source, to_json(s.event_type) AS event_type,
                  coalesce(r.events, 0)::DOUBLE AS count,
                  epoch_ms(first_seen)::DOUBLE AS first, epoch_ms(last_seen)::DOUBLE AS last
           FROM series s LEFT JOIN (
             SELECT source, event_type, sum(events) AS events FROM ${table}
             WHERE tenant = $1 AND start >= make_timestamp_ms($2::BIGINT) GROUP BY ALL
           ) r ON r.source = s.source AND r.event_type = s.event_type
           WHERE s.tenant = $1
           ORDER BY count DESC, s.source, s.event_type`,
          tenant,
          now - span,
        ),
      );
      return rows.map((row) => ({
        source: JSON.parse(row.source) as string,
        event_type: JSON.parse(row.event_type) as string,
        count: row.count,
        first_seen: new Date(row.first).toISOString(),
        last_seen: new Date(row.last).toISOString(),
      }));
    },
  };
}

async function distinct(
  database: Database,
  tenant: string,
  column: 'event_type' | 'source',
): Promise<string[]> {
  const rows = await database.read((sql) =>
    // As JSON, since the client drops a byte order mark from the front of plain text.
    sql.rows<{ value: string }>(
      `SELECT to_json(value) AS value FROM (SELECT DISTINCT ${column} AS value FROM series WHERE tenant = $1)
       ORDER BY value`,
      tenant,
    ),
  );
  return rows.map(({ value }) => JSON.parse(value) as string);
}
