import type { Database } from '../platform/database.ts';
import { conditionsOf } from '../platform/sql.ts';
import type { Window } from './marks.ts';
import { EACH_EVENT } from './names-store.ts';
import type { NameStore } from './names-store.ts';
import type { EventFilter } from './schema.ts';

export interface UsualCounts {
  /** By the number of a bucket, which is its start in steps since 1970. */
  perBucket: Map<number, number>;
  /** Of that, what lies in one of the windows that were asked for. */
  within: Map<number, number>;
}

/** Counts by bucket in some stretches of time, without a look at what lies between them. */
export function createUsualStore(database: Database, names: Pick<NameStore, 'told'>) {
  return {
    async count(
      tenant: string,
      { source, event_type: type }: EventFilter,
      asked: { step: number; stretches: readonly Window[]; windows: readonly Window[] },
    ): Promise<UsualCounts> {
      const { where, values } = conditionsOf(tenant, [
        ['source = ?', source],
        ['event_type = ?', type],
      ]);
      const told = await names.told(
        asked.stretches.map(({ from, to }) => ({ tenant, source, event_type: type, from, to })),
      );
      // Neither has more than there was: not all is counted by name, and not all is kept.
      const looks = asked.stretches.flatMap((stretch, i) =>
        (told[i] === 'by counts' ? ['minutes'] : ['minutes', EACH_EVENT]).map(
          (table) => [table, stretch] as const,
        ),
      );
      // Each stretch by itself, so that the database opens only the blocks that hold it.
      const parts = looks.map(([table, stretch]) => {
        const near = asked.windows.filter(({ from, to }) => from < stretch.to && to > stretch.from);
        const within =
          near.length > 0 ? `sum(events) FILTER (${near.map(isIn).join(' OR ')})` : 'NULL';
        return `SELECT (epoch_ms(start) // ${asked.step})::DOUBLE AS bucket,
                  sum(events)::DOUBLE AS events, coalesce(${within}, 0)::DOUBLE AS within
           FROM ${table} WHERE ${where} AND ${isIn(stretch)} GROUP BY 1`;
      });
      const rows = await database.read(
        (sql) =>
          sql.rows<{ bucket: number; events: number; within: number }>(
            `SELECT bucket, max(events) AS events, max(within) AS within
           FROM (${parts.join(' UNION ALL ')}) GROUP BY 1`,
            ...values,
          ),
        looks.some(([table]) => table === EACH_EVENT) ? 'heavy' : undefined,
      );
      return {
        perBucket: new Map(rows.map(({ bucket, events }) => [bucket, events])),
        within: new Map(rows.map(({ bucket, within }) => [bucket, within])),
      };
    },
  };
}

export type UsualStore = ReturnType<typeof createUsualStore>;

const isIn = ({ from, to }: Window) =>
  `(start >= make_timestamp_ms(${from}) AND start < make_timestamp_ms(${to}))`;
