import { bucketsBetween, bucketsOf } from '../platform/buckets.ts';
import type { Point } from '../platform/buckets.ts';
import type { Database } from '../platform/database.ts';
import { conditionsOf } from '../platform/sql.ts';
import { EACH_EVENT } from './names-store.ts';
import type { NameStore } from './names-store.ts';
import type { ActivityQuery } from './schema.ts';

const HOUR = 3_600_000;

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
      const rows = await database.read((sql) =>
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
      );
      return fill(rows.map(({ bucket, count }) => [bucket, count]));
    },
  };
}

export type ActivityStore = ReturnType<typeof createActivityStore>;
