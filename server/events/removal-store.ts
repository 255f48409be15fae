import type { Database } from '../platform/database.ts';
import type { Sql } from '../platform/sql.ts';
import { addCounts, addSeries, sameName } from './rollups.ts';
import type { NamesRemoval, NamesRemoved } from './schema.ts';

/** What a rule is about keeps its name. */
export interface Watched {
  readonly event_type: string;
  readonly source?: string | undefined;
}

const EXAMPLES = 20;

/** Takes names back from what was made up: its counts go to the rest, and others find a place. */
export function createRemovalStore(database: Database) {
  return {
    async remove(
      tenant: string,
      { first_seen_since: since, max_events: most, dry_run: isTrial }: NamesRemoval,
      watched: readonly Watched[],
    ): Promise<NamesRemoved> {
      const chosen = async (sql: Sql) => {
        await sql.run(
          CHOSEN,
          ...[tenant, Date.parse(since), most],
          JSON.stringify(watched.map(({ event_type, source }) => ({ event_type, source }))),
        );
        return summary(sql);
      };
      if (isTrial) return database.read(chosen);
      return database.write(async (sql) => {
        const found = await chosen(sql);
        await fold(sql, tenant);
        return found;
      });
    },
  };
}

export type RemovalStore = ReturnType<typeof createRemovalStore>;

/** Of a type that is watched whatever its source, the first source stays, so that the type has a name. */
const CHOSEN = `
  CREATE OR REPLACE TEMP TABLE chosen AS
  WITH watched AS (
    SELECT DISTINCT *
    FROM (SELECT unnest(from_json($4, '[{"event_type":"VARCHAR","source":"VARCHAR"}]'), recursive := true))
  ), counts AS (
    SELECT source, event_type, sum(events) AS events FROM hours WHERE tenant = $1 GROUP BY ALL
  ), named AS (
    SELECT source, event_type, first_seen, coalesce(events, 0)::DOUBLE AS events,
           row_number() OVER (PARTITION BY event_type ORDER BY first_seen, source) AS place
    FROM series LEFT JOIN counts USING (source, event_type)
    WHERE tenant = $1 AND source IS NOT NULL
  )
  SELECT source, event_type, events FROM named
  WHERE first_seen >= make_timestamp_ms($2::BIGINT) AND events <= $3 AND NOT EXISTS (
    FROM watched WHERE watched.event_type = named.event_type
      AND (watched.source = named.source OR (watched.source IS NULL AND named.place = 1))
  )`;

async function summary(sql: Sql): Promise<NamesRemoved> {
  const [all] = await sql.rows<{ names: number; events: number }>(
    'SELECT count(*)::DOUBLE AS names, coalesce(sum(events), 0)::DOUBLE AS events FROM chosen',
  );
  const examples = await sql.rows<{ source: string; event_type: string; count: number }>(
    `SELECT to_json(source) AS source, to_json(event_type) AS event_type, events AS count
     FROM chosen ORDER BY events DESC, chosen.event_type, chosen.source LIMIT ${EXAMPLES}`,
  );
  return {
    ...(all ?? { names: 0, events: 0 }),
    examples: examples.map(({ source, event_type, count }) => ({
      source: JSON.parse(source) as string,
      event_type: JSON.parse(event_type) as string,
      count,
    })),
  };
}

/** A type that keeps a name with some source is counted in full, with those that lost theirs. */
async function fold(sql: Sql, tenant: string): Promise<void> {
  const ofTenant = 'tenant = $1';
  await sql.run(
    `CREATE OR REPLACE TEMP TABLE leaving AS
     WITH staying AS (
       SELECT DISTINCT event_type FROM series ANTI JOIN chosen USING (source, event_type)
       WHERE ${ofTenant} AND source IS NOT NULL
     )
     SELECT series.source, series.event_type, staying.event_type AS counted_as
     FROM series LEFT JOIN staying USING (event_type)
     WHERE ${ofTenant} AND ((series.source, series.event_type) IN (SELECT source, event_type FROM chosen)
       OR (series.source IS NULL AND series.event_type IS NOT NULL AND staying.event_type IS NULL))`,
    tenant,
  );
  for (const table of ['minutes', 'hours', 'series'] as const) {
    const isLeaving = `${ofTenant} AND EXISTS (FROM leaving WHERE ${sameName('leaving', table)})`;
    await sql.run(
      `CREATE OR REPLACE TEMP TABLE left_over AS
       SELECT ${table}.* REPLACE (NULL::VARCHAR AS source, counted_as AS event_type)
       FROM ${table} JOIN leaving ON ${sameName('leaving', table)} WHERE ${ofTenant}`,
      tenant,
    );
    await sql.run(`DELETE FROM ${table} WHERE ${isLeaving}`, tenant);
    if (table === 'series') await addSeries(sql, 'left_over');
    else await addCounts(sql, table, `(${SUMS})`);
  }
}

const SUMS = `
  SELECT tenant, start, source, event_type, sum(events)::BIGINT AS events
  FROM left_over GROUP BY ALL`;
