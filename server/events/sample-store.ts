import type { Database } from '../platform/database.ts';
import { conditionsOf } from '../platform/sql.ts';

const SAMPLED = 1000;
/** One that is larger than this is not looked at: taking it apart would hold up everything else. */
const MAX_BYTES = 1 << 20;
const MAX_TOTAL_BYTES = 8 << 20;

export interface Sample {
  /** The data of each, as it was sent. */
  texts: string[];
  /** How many, and when the oldest and the newest of them were received. */
  about: { sampled: number; from: string | null; to: string | null };
}

/** The newest events of a type, as far as they can be looked at without much ado. */
export function createSampleStore(database: Database) {
  return {
    newest: (tenant: string, type: string, source?: string): Promise<Sample> =>
      database.read(async (sql) => {
        const { where, values } = conditionsOf(tenant, [
          ['event_type = ?', type],
          ['source = ?', source],
        ]);
        // Sizes first, since the texts may be more than memory holds.
        const rows = await sql.rows<{ id: string; size: number; at: number }>(
          `SELECT id::VARCHAR AS id, bytes::DOUBLE AS size, epoch_ms(received_at)::DOUBLE AS at
           FROM events WHERE ${where} ORDER BY received_at DESC, events.id DESC LIMIT ${SAMPLED}`,
          ...values,
        );
        let total = 0;
        const taken = rows.filter(({ size }) => {
          if (size > MAX_BYTES || total + size > MAX_TOTAL_BYTES) return false;
          total += size;
          return true;
        });
        const [newest, oldest] = [taken[0], taken.at(-1)];
        if (!newest || !oldest) return { texts: [], about: { sampled: 0, from: null, to: null } };
        const found = await sql.rows<{ data: string }>(
          `SELECT data FROM events WHERE ${where}
             AND received_at >= make_timestamp_ms($${values.length + 1}::BIGINT)
             AND id IN (SELECT unnest(string_split($${values.length + 2}, ','))::UUID)
           ORDER BY received_at DESC, events.id DESC`,
          ...[...values, oldest.at, taken.map(({ id }) => id).join(',')],
        );
        const [from, to] = [oldest.at, newest.at].map((at) => new Date(at).toISOString());
        return {
          texts: found.map(({ data }) => data),
          about: { sampled: found.length, from: from ?? null, to: to ?? null },
        };
      }, 'heavy'),
  };
}

export type SampleStore = ReturnType<typeof createSampleStore>;
