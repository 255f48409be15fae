import type { Database } from '../platform/database.ts';
import type { Window } from './marks.ts';
import type { EventFilter } from './schema.ts';
import { entry } from './sums.ts';

/** How many there are of something in some time. */
export interface Asked extends EventFilter, Window {
  tenant: string;
}

/**
 * Whether the counts by name hold all of it; or some may be counted with the rest, so that only the
 * events tell; or not even they do, since those that are old enough are deleted.
 */
export type Told = 'by counts' | 'by events' | 'by nothing';

/** Events in place of counts, for what has no name. */
export const EACH_EVENT =
  '(SELECT tenant, received_at AS start, source, event_type, 1 AS events FROM events)';

interface Series {
  tenant: string;
  /** As JSON, like the type. */
  source: string | null;
  event_type: string | null;
  first: number;
  last: number;
}

/** Knows since when a type or a source is counted by name, and what was counted without one. */
export function createNameStore(database: Database) {
  /** Of tenants that have a rest: all of it, and the types that are asked about. */
  const seriesOf = (asked: readonly Asked[]) => {
    const types = new Set(
      asked.map(({ tenant, event_type }) => JSON.stringify({ tenant, event_type })),
    );
    return database.read((sql) =>
      sql.rows<Series>(
        `WITH asked AS (
           SELECT unnest(from_json($1, '[{"tenant":"VARCHAR","event_type":"VARCHAR"}]'), recursive := true)
         )
         SELECT tenant, to_json(source) AS source, to_json(event_type) AS event_type,
                epoch_ms(first_seen)::DOUBLE AS first, epoch_ms(last_seen)::DOUBLE AS last
         FROM series
         WHERE tenant IN (SELECT tenant FROM series SEMI JOIN asked USING (tenant) WHERE source IS NULL)
           AND (source IS NULL OR (tenant, event_type) IN (SELECT tenant, event_type FROM asked))`,
        `[${[...types].join(',')}]`,
      ),
    );
  };

  /** Until when a tenant has a rest of which the events are deleted. */
  const deletedUntil = async (tenants: ReadonlySet<string>) => {
    const rows = await database.read(
      (sql) =>
        sql.rows<{ tenant: string; until: number }>(
          `SELECT tenant, epoch_ms(max(start) + INTERVAL 1 MINUTE)::DOUBLE AS until
         FROM minutes LEFT JOIN (
           SELECT tenant, min(received_at) AS oldest FROM events GROUP BY ALL
         ) USING (tenant)
         WHERE list_contains(string_split($1, ','), tenant) AND source IS NULL
           AND start < date_trunc('minute', coalesce(oldest, 'infinity'))
         GROUP BY ALL`,
          [...tenants].join(','),
        ),
      'heavy',
    );
    return new Map(rows.map(({ tenant, until }) => [tenant, until]));
  };

  return {
    async told(asked: readonly Asked[]): Promise<Told[]> {
      const known = knowledgeOf(await seriesOf(asked));
      const unnamed = asked.map((one) => unnamedFrom(known.get(one.tenant), one));
      const tenants = new Set(
        asked.flatMap(({ tenant }, i) => (unnamed[i] === undefined ? [] : [tenant])),
      );
      if (tenants.size === 0) return asked.map(() => 'by counts');
      const deleted = await deletedUntil(tenants);
      return asked.map(({ tenant }, i) => {
        const from = unnamed[i];
        if (from === undefined) return 'by counts';
        return from < (deleted.get(tenant) ?? 0) ? 'by nothing' : 'by events';
      });
    },
  };
}

export type NameStore = ReturnType<typeof createNameStore>;

interface Known {
  /** What was counted without a source, and without a type where that is null. */
  rest: (Window & { type: string | null })[];
  /** Since when a type, or a type of a source, is counted by its name. */
  since: Map<string, number>;
}

const keyOf = (type: string, source?: string) => JSON.stringify([type, source]);

function knowledgeOf(rows: readonly Series[]): Map<string, Known> {
  const known = new Map<string, Known>();
  for (const row of rows) {
    const { rest, since } = entry(known, row.tenant, () => ({ rest: [], since: new Map() }));
    const type = row.event_type === null ? null : (JSON.parse(row.event_type) as string);
    if (row.source === null) rest.push({ type, from: row.first, to: row.last + 1 });
    else since.set(keyOf(type ?? '', JSON.parse(row.source) as string), row.first);
    if (type === null) continue;
    since.set(keyOf(type), Math.min(row.first, since.get(keyOf(type)) ?? Infinity));
  }
  return known;
}

/** From when on some of what is asked about may have been counted with the rest, if at all. */
function unnamedFrom(known: Known | undefined, asked: Asked): number | undefined {
  const { source, event_type: type, from, to } = asked;
  if (!known || (source === undefined && type === undefined)) return undefined;
  // Of a source alone it is not known which of its types have a name.
  const since = type === undefined ? undefined : known.since.get(keyOf(type, source));
  const end = Math.min(to, since ?? Infinity);
  const isIn = (rest: string | null) =>
    rest === null || (source !== undefined && (type === undefined || rest === type));
  const begins = known.rest
    .filter((rest) => isIn(rest.type) && Math.max(from, rest.from) < Math.min(end, rest.to))
    .map((rest) => Math.max(from, rest.from));
  return begins.length === 0 ? undefined : Math.min(...begins);
}
