import { NAME_CHARS } from '../platform/bounds.ts';
import { RANGES } from '../platform/buckets.ts';
import type { Database } from '../platform/database.ts';
import type { Sql } from '../platform/sql.ts';
import type { TimeRange } from '../http/schema.ts';
import type { EventCount, NamesQuery } from './schema.ts';

/** How many pairs of source and type are counted by name, for each tenant. */
export type MostNames = (tenant: string) => number;

/**
 * Counts per minute and per hour, kept with every flush, so that types, sources and charts never
 * look at events. Anybody can make up names, so those over the bound are counted as the rest.
 */
export async function rollUp(sql: Sql, segment: number, mostNames: MostNames): Promise<void> {
  await sql.run(`
    CREATE OR REPLACE TEMP TABLE arrived AS
    SELECT tenant, date_trunc('minute', received_at) AS start, source, event_type,
           count(*)::BIGINT AS events, min(id) AS first_id,
           min(received_at) AS first_seen, max(received_at) AS last_seen
    FROM events WHERE segment = ${segment} GROUP BY ALL`);
  const counted = (await areNamed(sql)) ? 'arrived' : await named(sql, mostNames);
  await addCounts(
    sql,
    'minutes',
    `(SELECT tenant, start, source, event_type, events FROM ${counted})`,
  );
  await addCounts(
    sql,
    'hours',
    `(SELECT tenant, date_trunc('hour', start) AS start, source, event_type, sum(events)::BIGINT AS events
      FROM ${counted} GROUP BY ALL)`,
  );
  await addSeries(sql, counted);
}

/** Nearly always all that arrives has a name already. */
async function areNamed(sql: Sql): Promise<boolean> {
  const unnamed = await sql.rows(
    'SELECT 1 FROM arrived ANTI JOIN series USING (tenant, source, event_type) LIMIT 1',
  );
  return unnamed.length === 0;
}

/** What arrived, by the names that it is counted by. */
async function named(sql: Sql, mostNames: MostNames): Promise<string> {
  await giveNames(sql, mostNames);
  // A type that has a name is counted in full, whatever its sources.
  await sql.run(`
    CREATE OR REPLACE TEMP TABLE counted AS
    SELECT tenant, start, named.source, type.event_type, sum(events)::BIGINT AS events,
           min(arrived.first_seen) AS first_seen, max(arrived.last_seen) AS last_seen
    FROM arrived
    LEFT JOIN series AS named USING (tenant, source, event_type)
    LEFT JOIN (SELECT DISTINCT tenant, event_type FROM series) AS type USING (tenant, event_type)
    GROUP BY ALL`);
  return 'counted';
}

/** The earliest of what is new, by their ids, get a name while there are any left. */
async function giveNames(sql: Sql, mostNames: MostNames): Promise<void> {
  const tenants = await sql.rows<{ tenant: string }>('SELECT DISTINCT tenant FROM arrived');
  const most = tenants.map(({ tenant }) => ({ tenant, most: mostNames(tenant) }));
  await sql.run(
    `INSERT INTO series
     SELECT tenant, source, event_type, first_seen, last_seen
     FROM (
       SELECT tenant, source, event_type, min(first_id) AS first_id,
              min(first_seen) AS first_seen, max(last_seen) AS last_seen
       FROM arrived ANTI JOIN series USING (tenant, source, event_type)
       WHERE length(source) <= ${NAME_CHARS} AND length(event_type) <= ${NAME_CHARS} GROUP BY ALL
     )
     JOIN (SELECT unnest(from_json($1, '[{"tenant":"VARCHAR","most":"INTEGER"}]'), recursive := true))
       USING (tenant)
     LEFT JOIN (SELECT tenant, count(source) AS given FROM series GROUP BY ALL) USING (tenant)
     QUALIFY row_number() OVER (PARTITION BY tenant ORDER BY first_id)
       <= most - coalesce(given, 0)`,
    JSON.stringify(most),
  );
}

/** `counts` is a table, or a query in brackets. */
export async function addCounts(
  sql: Sql,
  table: 'minutes' | 'hours',
  counts: string,
): Promise<void> {
  await sql.run(`
    MERGE INTO ${table} AS kept USING ${counts} AS new
    ON kept.tenant = new.tenant AND kept.start = new.start AND ${sameName('kept', 'new')}
    WHEN MATCHED THEN UPDATE SET events = kept.events + new.events
    WHEN NOT MATCHED THEN INSERT (tenant, start, source, event_type, events)
      VALUES (new.tenant, new.start, new.source, new.event_type, new.events)`);
}

export async function addSeries(sql: Sql, table: string): Promise<void> {
  await sql.run(`
    MERGE INTO series AS known USING (
      SELECT tenant, source, event_type, min(first_seen) AS first_seen, max(last_seen) AS last_seen
      FROM ${table} GROUP BY ALL
    ) AS seen
    ON known.tenant = seen.tenant AND ${sameName('known', 'seen')}
    WHEN MATCHED THEN UPDATE SET
      first_seen = least(known.first_seen, seen.first_seen),
      last_seen = greatest(known.last_seen, seen.last_seen)
    WHEN NOT MATCHED THEN INSERT (tenant, source, event_type, first_seen, last_seen)
      VALUES (seen.tenant, seen.source, seen.event_type, seen.first_seen, seen.last_seen)`);
}

/** The rest is without a name, which is like no other to a comparison by `=`. */
export const sameName = (one: string, other: string) =>
  ['source', 'event_type']
    .map((column) => `${one}.${column} IS NOT DISTINCT FROM ${other}.${column}`)
    .join(' AND ');

/** Where the counts of each range are: an hour is the finest that the longer ones need. */
const TABLES: Record<TimeRange, 'minutes' | 'hours'> = {
  '1h': 'minutes',
  '24h': 'minutes',
  '7d': 'hours',
  '30d': 'hours',
};

export function createRollups(database: Database) {
  return {
    types: (tenant: string, query: NamesQuery) => distinct(database, tenant, 'event_type', query),
    sources: (tenant: string, query: NamesQuery) => distinct(database, tenant, 'source', query),

    /** Every pair of source and type that has a name, and the rest; the busiest first. */
    async counts(
      tenant: string,
      range: TimeRange | undefined,
      now: number,
      page: Partial<NamesQuery> = {},
    ): Promise<EventCount[]> {
      const span = range ? RANGES[range].span : now;
      const table = range ? TABLES[range] : 'hours';
      const rows = await database.read((sql) =>
        sql.rows<{
          source: string | null;
          event_type: string | null;
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
           ) r ON ${sameName('r', 's')}
           WHERE s.tenant = $1
           ORDER BY count DESC, s.source, s.event_type ${pageOf(page)}`,
          tenant,
          now - span,
        ),
      );
      return rows.map((row) => ({
        source: nameOf(row.source),
        event_type: nameOf(row.event_type),
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
  query: NamesQuery,
): Promise<string[]> {
  const rows = await database.read((sql) =>
    // As JSON, since the client drops a byte order mark from the front of plain text.
    sql.rows<{ value: string }>(
      `SELECT to_json(value) AS value FROM (
         SELECT DISTINCT ${column} AS value FROM series WHERE tenant = $1 AND ${column} IS NOT NULL
       ) ORDER BY value ${pageOf(query)}`,
      tenant,
    ),
  );
  return rows.map(({ value }) => JSON.parse(value) as string);
}

const pageOf = ({ skip = 0, limit }: Partial<NamesQuery>) =>
  `${limit === undefined ? '' : `LIMIT ${limit}`} OFFSET ${skip}`;

const nameOf = (json: string | null) => (json === null ? null : (JSON.parse(json) as string));
