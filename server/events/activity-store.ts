import { bucketsBetween, bucketsOf } from '../platform/buckets.ts';
import type { Point } from '../platform/buckets.ts';
import type { Database } from '../platform/database.ts';
import { conditionsOf } from '../platform/sql.ts';
import { EACH_EVENT } from './names-store.ts';
import type { NameStore } from './names-store.ts';
import type { ActivityQuery } from './schema.ts';

const HOUR = 3_600_000;

export interface Arrivals {
  count: number;
  /** Null when none ever came. */
  last: number | null;
}

const NAMED = `
  SELECT coalesce((
           SELECT sum(events) FROM minutes
           WHERE tenant = $1 AND source = $2 AND start >= make_timestamp_ms($3::BIGINT)
         ), 0)::DOUBLE AS count, epoch_ms(max(last_seen))::DOUBLE AS last
  FROM series WHERE tenant = $1 AND source = $2`;

const UNNAMED = `
  SELECT (count(*) FILTER (received_at >= make_timestamp_ms($3::BIGINT)))::DOUBLE AS count,
         epoch_ms(max(received_at))::DOUBLE AS last
  FROM events WHERE tenant = $1 AND source = $2`;

export function createActivityStore(database: Database, names: Pick<NameStore, 'told'>) {
  return {
    /** A point for every bucket, empty ones too. */
    async activity(tenant: string, query: ActivityQuery, now: number): Promise<Point[]> {
      const { source, event_type, time_range: range, since, until = now } = query;
      const { first, end, step, fill } =
        since === undefined
          ? bucketsOf(range, now)
          : bucketsBetween(Math.max(0, since), Math.min(until, now));
      if (end <= first) return [];
      const { where, values } = conditionsOf(tenant, [
        ['source = ?', source],
        ['event_type = ?', event_type],
        ['start >= make_timestamp_ms(?::BIGINT)', first],
        ['start < make_timestamp_ms(?::BIGINT)', end],
      ]);
      const [told] = await names.told([{ tenant, source, event_type, from: first, to: end }]);
      const counts = step < HOUR ? 'minutes' : 'hours';
      // Neither has more than there was: not all is counted by name, and not all is kept.
      const tables = told === 'by counts' ? [counts] : [counts, EACH_EVENT];
      const rows = await database.read(
        (sql) =>
          sql.rows<{ bucket: number; count: number }>(
            `SELECT bucket, max(count) AS count FROM (${tables
              .map(
                (table) => `
                SELECT (epoch_ms(start) // ${step})::DOUBLE AS bucket, sum(events)::DOUBLE AS count
                FROM ${table} WHERE ${where} GROUP BY 1`,
              )
              .join(' UNION ALL ')}) GROUP BY 1`,
            ...values,
          ),
        told === 'by counts' ? undefined : 'heavy',
      );
      return fill(rows.map(({ bucket, count }) => [bucket, count]));
    },

    /** How many came from a source since then, and when the last of all did. */
    async arrivals(tenant: string, source: string, since: number): Promise<Arrivals> {
      const [told] = await names.told([{ tenant, source, from: 0, to: Infinity }]);
      const tables = told === 'by counts' ? [NAMED] : [NAMED, UNNAMED];
      const rows = await database.read((sql) =>
        sql.rows<{ count: number; last: number | null }>(
          tables.join(' UNION ALL '),
          ...[tenant, source, since],
        ),
      );
      const last = Math.max(...rows.map((row) => row.last ?? -Infinity));
      return {
        count: Math.max(...rows.map(({ count }) => count)),
        last: Number.isFinite(last) ? last : null,
      };
    },
  };
}

export type ActivityStore = ReturnType<typeof createActivityStore>;
