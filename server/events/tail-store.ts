import { MAX_BEHIND_BYTES } from '../platform/bounds.ts';
import type { Database } from '../platform/database.ts';
import type { SqlValue } from '../platform/sql.ts';
import { PIECES, recordText } from './record-store.ts';
import type { Pieces } from './record-store.ts';
import { lastSegment } from './store.ts';

/** Of one look, so that a stream that has not yet taken the last can hold another. */
const LOOK_BYTES = MAX_BEHIND_BYTES / 2;

export interface TailRow extends Pieces {
  record: string;
  segment: number;
}

/** How many events of one kind arrived in one segment, shown or not. */
export interface Arrivals {
  segment: number;
  source: string;
  event_type: string;
  count: number;
}

export interface Arrived {
  /** The last segment that there is. */
  newest: number;
  /** The newest, oldest first. */
  rows: TailRow[];
  /** All of them, those in `rows` too; only where there were more. */
  counts: Arrivals[];
}

export function createTailStore(database: Database) {
  const arrived = (where: string, values: SqlValue[], limit: number): Promise<Arrived> =>
    database.read(async (sql) => {
      const newest = await lastSegment(sql);
      // What is larger than that is not shown at all.
      const planned = await sql.rows<{ id: string; upto: number; all: number }>(
        `SELECT id::VARCHAR AS id, sum(bytes) OVER (ORDER BY events.id DESC)::DOUBLE AS upto,
                count(*) OVER ()::DOUBLE AS all
         FROM events WHERE ${where} ORDER BY events.id DESC LIMIT ${limit}`,
        ...values,
      );
      const ids = planned.filter(({ upto }) => upto <= LOOK_BYTES).map(({ id }) => id);
      const oldest = ids.at(-1);
      const rows =
        oldest === undefined
          ? []
          : await sql.rows<Pieces & { segment: number }>(
              `SELECT ${PIECES}, segment FROM events WHERE ${where} AND id >= $${values.length + 1}::UUID
               ORDER BY events.id`,
              ...values,
              oldest,
            );
      const counts =
        (planned[0]?.all ?? 0) === rows.length
          ? []
          : await sql.rows<Arrivals>(
              `SELECT segment, to_json(source) AS source, to_json(event_type) AS event_type,
                      count(*)::DOUBLE AS count
               FROM events WHERE ${where} GROUP BY ALL`,
              ...values,
            );
      return { newest, rows: rows.map((row) => ({ ...row, record: recordText(row) })), counts };
    });

  return {
    /** Of the segments after `segment`. */
    arrivedSince: (tenant: string, segment: number, limit: number) =>
      arrived(`tenant = $1 AND segment > ${segment}`, [tenant], limit),

    /** What a live tail missed while it was away. */
    arrivedAfter: (tenant: string, id: string, limit: number) =>
      arrived(
        // The id says when it was made; the clock may have been set back since, but not by a day.
        `tenant = $1 AND received_at >= make_timestamp_ms($2::BIGINT) AND id > $3::UUID`,
        [tenant, Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) - 86_400_000, id],
        limit,
      ),

    newestSegment: () => database.read(lastSegment),
  };
}

export type TailStore = ReturnType<typeof createTailStore>;
