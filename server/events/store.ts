import { KEPT_REFUSAL_BYTES, KEPT_REFUSALS, NAMES } from '../platform/bounds.ts';
import type { Database } from '../platform/database.ts';
import type { Sql } from '../platform/sql.ts';
import { rollUp } from './rollups.ts';
import type { MostNames } from './rollups.ts';
import type { Segment } from './segment.ts';

/** The text of a value that was journaled as it came, or as a string to keep its numbers exact. */
const asText = (value: string) =>
  `CASE WHEN starts_with(${value}, '"') THEN ${value}->>'$' ELSE ${value} END`;

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
      const [known] = await sql.rows<{ isKnown: boolean | null; last: number | null }>(
        'SELECT bool_or(name = $1) AS "isKnown", max(number) AS last FROM segments',
        segment.name,
      );
      if (known?.isKnown) return 'known';
      const number = (known?.last ?? 0) + 1;
      await sql.run('INSERT INTO segments VALUES ($1, $2)', segment.name, number);
      for (const file of files) {
        const source = reading({ ...segment, file });
        if (segment.events > 0) {
          await sql.run(`INSERT INTO events SELECT *, ${number} FROM (${eventsIn(source)})`);
        }
        if (segment.refusals > 0) await takeRefusals(sql, source);
      }
      if (segment.events > 0) await rollUp(sql, number, mostNames);
      return 'stored';
    });
  }

  return {
    ingest,

    /** Could this be ingested? Tried without keeping anything. */
    async readable(segment: Segment): Promise<boolean> {
      const source = reading(segment);
      try {
        const flawed = await database.read(
          (sql) =>
            sql.rows(
              `SELECT 1 FROM (${eventsIn(source)}) WHERE NOT (${NEEDED.map((name) => `${name} IS NOT NULL`).join(' AND ')})
             UNION ALL
             SELECT 1 FROM (${refusalsIn(source)}) WHERE COLUMNS(*) IS NULL`,
            ),
          'catching up',
        );
        return flawed.length === 0;
      } catch (error) {
        // A database that is closing or out of disk says nothing about the line.
        if (isUnreadable(error)) return false;
        throw error;
      }
    },

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
      }, 'heavy'),

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

    /** Names of all segments that it holds and whose files may still be there. */
    knownSegments: () => database.read(segmentsIn, 'catching up'),

    /** A bundle takes the place of its segments, whose own files are gone for good. */
    foldSegments: (bundle: string, names: readonly string[]) =>
      database.write(async (sql) => {
        await sql.run(
          `INSERT INTO segments
           SELECT $1, coalesce(max(number), 0) FROM segments WHERE ${areNamed('$2')}`,
          bundle,
          names.join(','),
        );
        await sql.run(`DELETE FROM segments WHERE ${areNamed('$1')}`, names.join(','));
      }),

    /** Their files are gone for good, so their names need not be remembered; the last number must. */
    forgetSegments: (names: readonly string[]) =>
      database.write((sql) =>
        sql.run(
          `DELETE FROM segments WHERE ${areNamed('$1')}
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
  SELECT *, strlen(source) + strlen(event_type) + strlen(data) + coalesce(strlen(context), 0) AS bytes
  FROM (
    SELECT tenant, (stem || printf('%04x', place))::UUID AS id, make_timestamp_ms(ms) AS received_at,
           coalesce(item.source, pixel.source) AS source,
           coalesce(item.event_type, pixel.event_type) AS event_type,
           coalesce(${asText('item.data')}, ${asText('pixel.data')}) AS data,
           ${asText('pixel.context')} AS context
    FROM (
      SELECT tenant, stem, ms, unnest(items) AS item, unnest(pixel) AS pixel,
             unnest(range(coalesce(len(items), len(pixel)))) AS place
      FROM ${source}
    )
  )`;

const refusalsIn = (source: string) => `
  SELECT tenant, (stem || '0000')::UUID AS id, make_timestamp_ms(ms) AS received_at,
         refused.endpoint, refused.status, refused.detail, refused.errors, refused.payload,
         strlen(refused.detail) + strlen(refused.errors) + strlen(to_json(refused.payload)::VARCHAR) AS bytes
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
      SELECT id FROM refused WHERE tenant IN (SELECT tenant FROM turned_away)
      WINDOW newer AS (PARTITION BY tenant ORDER BY received_at DESC, id DESC ROWS UNBOUNDED PRECEDING)
      QUALIFY count(*) OVER newer > ${KEPT_REFUSALS} OR sum(bytes) OVER newer > ${KEPT_REFUSAL_BYTES}
    )`);
}

const areNamed = (names: string) => `list_contains(string_split(${names}, ','), name)`;

export async function segmentsIn(sql: Sql): Promise<Set<string>> {
  const rows = await sql.rows<{ name: string }>('SELECT name FROM segments');
  return new Set(rows.map(({ name }) => name));
}

export async function lastSegment(sql: Sql): Promise<number> {
  const [row] = await sql.rows<{ number: number | null }>(
    'SELECT max(number) AS number FROM segments',
  );
  return row?.number ?? 0;
}
