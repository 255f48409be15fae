import { KEPT_REFUSALS, NAMES } from '../platform/bounds.ts';
import type { Database } from '../platform/database.ts';
import { conditionsOf } from '../platform/sql.ts';
import type { Sql } from '../platform/sql.ts';
import { problems } from '../platform/errors.ts';
import { rollUp } from './rollups.ts';
import type { MostNames } from './rollups.ts';
import type { Paging } from '../http/schema.ts';
import type { ListQuery } from './schema.ts';
import type { Segment } from './segment.ts';

/**
 * A record in pieces. The payload must reach the caller as it was sent, so it stays text; and it
 * may be large, so it is put between the others here and not copied about in the database.
 */
export const PIECES = `
  id::VARCHAR AS id, to_json(source) AS source, to_json(event_type) AS event_type, data, context,
  strftime(received_at, '%Y-%m-%dT%H:%M:%S.%gZ') AS created_at`;

export interface Pieces {
  id: string;
  /** As JSON, like the type. */
  source: string;
  event_type: string;
  data: string;
  context: string | null;
  created_at: string;
}

export function recordText({
  id,
  source,
  event_type: type,
  data,
  context,
  created_at: time,
}: Pieces): string {
  const more = context === null ? '' : `,"context":${context}`;
  return `{"id":"${id}","source":${source},"event_type":${type},"data":${data},"created_at":"${time}"${more}}`;
}

/** The longest answer that is put together in memory. */
const MAX_ANSWER_CHARS = 256 << 20;

export function listText(records: readonly string[]): string {
  const chars = records.reduce((sum, { length }) => sum + length, 0);
  if (chars > MAX_ANSWER_CHARS) throw problems.answerTooLarge();
  return `[${records.join(',')}]`;
}

/** The text of a value that was journaled as it came, or as a string to keep its numbers exact. */
const asText = (value: string) =>
  `CASE WHEN starts_with(${value}, '"') THEN ${value}->>'$' ELSE ${value} END`;

export interface TailRow extends Pieces {
  record: string;
  segment: number;
}

export function createEventStore(database: Database, mostNames: MostNames = () => NAMES) {
  /**
   * The whole of a segment and the counts that follow from it, once. A segment whose lines are too
   * much for the database to take apart at once is handed in as several files.
   */
  async function ingest(
    segment: Segment,
    files: readonly string[] = [segment.file],
  ): Promise<'stored' | 'known'> {
    return database.write(async (sql) => {
      const known = await sql.rows('SELECT 1 FROM segments WHERE name = $1', segment.name);
      if (known.length > 0) return 'known';
      const number = (await lastSegment(sql)) + 1;
      await sql.run('INSERT INTO segments VALUES ($1, $2)', segment.name, number);
      for (const file of files) {
        const source = reading({ ...segment, file });
        await sql.run(`INSERT INTO events SELECT *, ${number} FROM (${eventsIn(source)})`);
        if (segment.refusals > 0) await takeRefusals(sql, source);
      }
      await rollUp(sql, number, mostNames);
      return 'stored';
    });
  }

  return {
    ingest,

    /** Could this be ingested? Tried without keeping anything. */
    async readable(segment: Segment): Promise<boolean> {
      const source = reading(segment);
      try {
        const flawed = await database.read((sql) =>
          sql.rows(
            `SELECT 1 FROM (${eventsIn(source)}) WHERE NOT (${NEEDED.map((name) => `${name} IS NOT NULL`).join(' AND ')})
             UNION ALL
             SELECT 1 FROM (${refusalsIn(source)}) WHERE COLUMNS(*) IS NULL`,
          ),
        );
        return flawed.length === 0;
      } catch (error) {
        // A database that is closing or out of disk says nothing about the line.
        if (isUnreadable(error)) return false;
        throw error;
      }
    },

    list: (tenant: string, query: ListQuery): Promise<string> =>
      database.read(async (sql) => {
        const { where, values } = conditions(tenant, query);
        const rows = await sql.rows<Pieces>(
          `SELECT ${PIECES} FROM events WHERE ${where}
           ORDER BY received_at DESC, events.id DESC LIMIT ${query.limit} OFFSET ${query.skip}`,
          ...values,
        );
        return listText(rows.map(recordText));
      }),

    one: (tenant: string, id: string): Promise<string | undefined> =>
      database.read(async (sql) => {
        // Ids rise as rows do, so only the block that can hold it is opened.
        const [pieces] = await sql.rows<Pieces>(
          `SELECT ${PIECES} FROM events WHERE tenant = $1 AND events.id = $2::UUID LIMIT 1`,
          tenant,
          id,
        );
        return pieces && recordText(pieces);
      }),

    refused: (tenant: string, { skip, limit }: Paging): Promise<string> =>
      database.read(async (sql) => {
        const rows = await sql.rows<{ record: string }>(
          `SELECT '{"id":"' || id || '","endpoint":"' || endpoint || '","status":' || status
                  || ',"detail":' || to_json(detail) || ',"errors":' || errors
                  || ',"payload":' || to_json(payload)
                  || ',"created_at":"' || strftime(received_at, '%Y-%m-%dT%H:%M:%S.%gZ') || '"}' AS record
           FROM refused WHERE tenant = $1 ORDER BY received_at DESC, id DESC
           LIMIT ${limit} OFFSET ${skip}`,
          tenant,
        );
        return listText(rows.map(({ record }) => record));
      }),

    /** The newest `limit` events of the segments after `segment`, oldest first; and how many there were. */
    arrivedSince: (tenant: string, segment: number, limit: number) =>
      database.read(async (sql) => ({
        newest: await lastSegment(sql),
        ...(await tail(sql, `tenant = $1 AND segment > ${segment}`, [tenant], limit)),
      })),

    /** What a live tail missed while it was away. */
    arrivedAfter: (tenant: string, id: string, limit: number) =>
      database.read(async (sql) => ({
        newest: await lastSegment(sql),
        // The id says when it was made; the clock may have been set back since, but not by a day.
        ...(await tail(
          sql,
          `tenant = $1 AND received_at >= make_timestamp_ms($2::BIGINT) AND id > $3::UUID`,
          [tenant, Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) - 86_400_000, id],
          limit,
        )),
      })),

    newestSegment: () => database.read(lastSegment),

    /** When the newest event was received; 0 for none. */
    newestTime: () =>
      database.read(async (sql) => {
        const [row] = await sql.rows<{ newest: number | null }>(
          'SELECT epoch_ms(max(last_seen))::DOUBLE AS newest FROM series',
        );
        return row?.newest ?? 0;
      }),

    /** How many events of a tenant are kept, and when the first and last of them were received. */
    extent: (tenant: string) =>
      database.read(async (sql) => {
        const [row] = await sql.rows<{
          events: number;
          oldest: number | null;
          newest: number | null;
        }>(
          `SELECT count(*)::DOUBLE AS events, epoch_ms(min(received_at))::DOUBLE AS oldest,
                  epoch_ms(max(received_at))::DOUBLE AS newest FROM events WHERE tenant = $1`,
          tenant,
        );
        return row ?? { events: 0, oldest: null, newest: null };
      }),

    /** Deletes raw events received before `old` and counts from before `ancient`. */
    forget: (tenant: string, old: number, ancient: number) =>
      database.write(async (sql) => {
        const ages = {
          events: ['received_at', old],
          refused: ['received_at', old],
          minutes: ['start', ancient],
          hours: ['start', ancient],
          series: ['last_seen', ancient],
        } as const;
        for (const [table, [column, moment]] of Object.entries(ages)) {
          await sql.run(
            `DELETE FROM ${table} WHERE tenant = $1 AND ${column} < make_timestamp_ms($2::BIGINT)`,
            tenant,
            moment,
          );
        }
      }),

    /** Their files are gone for good, so their names need not be remembered; the last number must. */
    forgetSegments: (names: readonly string[]) =>
      database.write((sql) =>
        sql.run(
          `DELETE FROM segments WHERE list_contains(string_split($1, ','), name)
           AND number < (SELECT max(number) FROM segments)`,
          names.join(','),
        ),
      ),
  };
}

export type EventStore = ReturnType<typeof createEventStore>;

/** The database refuses what is in the file; anything else that fails may go well next time. */
export function isUnreadable(error: unknown): boolean {
  return /JSON|Invalid Input|Conversion Error|Constraint Error|Malformed/.test(String(error));
}

export function isTooMuch(error: unknown): boolean {
  return String(error).includes('Out of Memory Error');
}

const NEEDED = ['tenant', 'id', 'received_at', 'source', 'event_type', 'data'];

const eventsIn = (source: string) => `
  SELECT tenant, (stem || printf('%04x', place))::UUID AS id, make_timestamp_ms(ms) AS received_at,
         coalesce(item.source, pixel.source) AS source,
         coalesce(item.event_type, pixel.event_type) AS event_type,
         coalesce(${asText('item.data')}, ${asText('pixel.data')}) AS data,
         ${asText('pixel.context')} AS context
  FROM (
    SELECT tenant, stem, ms, unnest(items) AS item, unnest(pixel) AS pixel,
           unnest(range(coalesce(len(items), len(pixel)))) AS place
    FROM ${source}
  )`;

const refusalsIn = (source: string) => `
  SELECT tenant, (stem || '0000')::UUID AS id, make_timestamp_ms(ms) AS received_at,
         refused.endpoint, refused.status, refused.detail, refused.errors, refused.payload
  FROM ${source} WHERE refused IS NOT NULL`;

function reading({ file, longestLine }: Segment): string {
  return `read_json('${file.replaceAll("'", "''")}', format = 'newline_delimited',
    maximum_object_size = ${Math.max(16 << 20, longestLine + 1024)},
    columns = {
      stem: 'VARCHAR', tenant: 'VARCHAR', ms: 'BIGINT',
      items: 'STRUCT(source VARCHAR, event_type VARCHAR, data JSON)[]',
      pixel: 'STRUCT(source VARCHAR, event_type VARCHAR, data JSON, context JSON)[]',
      refused: 'STRUCT(endpoint VARCHAR, status USMALLINT, detail VARCHAR, errors JSON, payload VARCHAR)'
    })`;
}

async function takeRefusals(sql: Sql, source: string): Promise<void> {
  await sql.run(`
    CREATE OR REPLACE TEMP TABLE turned_away AS ${refusalsIn(source)}`);
  const [row] = await sql.rows<{ count: number }>(
    'SELECT count(*)::DOUBLE AS count FROM turned_away',
  );
  if (!row || row.count === 0) return;
  await sql.run('INSERT INTO refused SELECT * FROM turned_away');
  await sql.run(`
    DELETE FROM refused WHERE id IN (
      SELECT id FROM refused
      QUALIFY row_number() OVER (PARTITION BY tenant ORDER BY received_at DESC, id DESC) > ${KEPT_REFUSALS}
    )`);
}

async function lastSegment(sql: Sql): Promise<number> {
  const [row] = await sql.rows<{ number: number | null }>(
    'SELECT max(number) AS number FROM segments',
  );
  return row?.number ?? 0;
}

export function conditions(tenant: string, query: Omit<ListQuery, 'skip' | 'limit'>) {
  return conditionsOf(tenant, [
    ['source = ?', query.source],
    ['event_type = ?', query.event_type],
    ['received_at >= make_timestamp_ms(?::BIGINT)', query.since],
    ['received_at < make_timestamp_ms(?::BIGINT)', query.until],
  ]);
}

async function tail(sql: Sql, where: string, values: (string | number)[], limit: number) {
  const found = await sql.rows<Pieces & { segment: number; total: number }>(
    `SELECT ${PIECES}, segment, count(*) OVER ()::DOUBLE AS total
     FROM events WHERE ${where} ORDER BY events.id DESC LIMIT ${limit}`,
    ...values,
  );
  const rows = found
    .reverse()
    .map((pieces): TailRow => ({ ...pieces, record: recordText(pieces) }));
  return { rows, total: found[0]?.total ?? 0 };
}
