import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Flusher } from './flush.ts';

const DAY = 86_400_000;
/** Below this, holes in the file are left for new rows to fill. */
const HOLES_WORTH_IT = { share: 0.3, bytes: 64 << 20 };

export interface Kept {
  tenantId: string;
  retentionDays: number;
  rollupRetentionDays: number;
}

export interface RetentionOptions {
  database: Database;
  flusher: Pick<Flusher, 'flush' | 'checkpoint'>;
  /** What each tenant wants kept. */
  kept: () => Kept[];
  clock: Clock;
  log: { info(fields: object, message: string): void };
  holesWorthIt?: { share: number; bytes: number };
}

/** Deletes what is past its age and gives the space back. */
export function createRetention(options: RetentionOptions) {
  const { database, flusher, kept, clock, log, holesWorthIt = HOLES_WORTH_IT } = options;
  let lastRun = -Infinity;

  async function run(): Promise<void> {
    const now = clock.now();
    lastRun = now;
    await flusher.flush();
    for (const { tenantId, retentionDays, rollupRetentionDays } of kept()) {
      const old = now - retentionDays * DAY;
      const ancient = now - rollupRetentionDays * DAY;
      await database.write(async (sql) => {
        const before = (column: string) =>
          `tenant = $1 AND ${column} < make_timestamp_ms($2::BIGINT)`;
        await sql.run(`DELETE FROM events WHERE ${before('received_at')}`, tenantId, old);
        await sql.run(`DELETE FROM refused WHERE ${before('received_at')}`, tenantId, old);
        await sql.run(`DELETE FROM minutes WHERE ${before('start')}`, tenantId, ancient);
        await sql.run(`DELETE FROM hours WHERE ${before('start')}`, tenantId, ancient);
        await sql.run(`DELETE FROM series WHERE ${before('last_seen')}`, tenantId, ancient);
      });
    }
    await flusher.checkpoint();
    await database.checkpoint();
    await giveBack();
  }

  async function giveBack(): Promise<void> {
    const [size] = await database.read((sql) =>
      sql.rows<{ total: number; free: number; block: number }>(
        `SELECT total_blocks::DOUBLE AS total, free_blocks::DOUBLE AS free, block_size::DOUBLE AS block
         FROM pragma_database_size() LIMIT 1`,
      ),
    );
    if (!size || size.free * size.block < holesWorthIt.bytes) return;
    if (size.free < size.total * holesWorthIt.share) return;
    log.info(
      { freeBytes: size.free * size.block },
      'The database file is rewritten without its holes',
    );
    await database.compact();
  }

  return {
    run,
    /** Asked every hour, so that a machine that sleeps at night is not left out. */
    runDaily: async (): Promise<void> => {
      if (clock.now() - lastRun >= DAY) await run();
    },
  };
}
