import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Flusher } from './flush.ts';
import type { EventStore } from './store.ts';

const DAY = 86_400_000;
/** Below this, holes in the file are left for new rows to fill. */
const HOLES_WORTH_IT = { share: 0.3, bytes: 64 << 20 };

export interface Kept {
  tenantId: string;
  retentionDays: number;
  rollupRetentionDays: number;
}

export interface RetentionOptions {
  store: EventStore;
  database: Database;
  flusher: Pick<Flusher, 'flush' | 'checkpoint'>;
  /** What else is kept as long as the counts. */
  others?: readonly { forget: (tenant: string, before: number) => Promise<unknown> }[];
  /** What each tenant wants kept. */
  kept: () => Kept[];
  /** The date that deletes go by, which a clock that jumps does not move. */
  date: Clock;
  log: {
    info(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  /** Before the file is rewritten, which is not done without. */
  backUp: () => Promise<boolean>;
  holesWorthIt?: { share: number; bytes: number };
}

/** Deletes what is past its age and gives the space back. */
export function createRetention(options: RetentionOptions) {
  const { store, others = [], database, flusher, kept, backUp, date, log } = options;
  const { holesWorthIt = HOLES_WORTH_IT } = options;
  let lastRun = -Infinity;
  let failing = false;

  async function run(): Promise<void> {
    const now = date.now();
    await flusher.flush();
    for (const { tenantId, retentionDays, rollupRetentionDays } of kept()) {
      const ancient = now - rollupRetentionDays * DAY;
      await store.forget(tenantId, now - retentionDays * DAY, ancient);
      for (const other of others) await other.forget(tenantId, ancient);
    }
    await flusher.checkpoint();
    await database.checkpoint();
    await giveBack();
    lastRun = now;
  }

  async function giveBack(): Promise<void> {
    const { total, free } = await database.size();
    if (free < holesWorthIt.bytes || free < total * holesWorthIt.share) return;
    log.info({ freeBytes: free }, 'The database file is rewritten without its holes');
    if (await backUp()) await database.compact();
  }

  return {
    run,
    /**
     * Asked every hour, so that a machine that sleeps at night is not left out and what failed is
     * tried again.
     */
    runDaily: async (): Promise<void> => {
      const since = date.now() - lastRun;
      if (since >= 0 && since < DAY) return;
      try {
        await run();
        failing = false;
      } catch (error) {
        if (!failing)
          log.error({ err: error }, 'Old data cannot be deleted; tried again each hour');
        failing = true;
      }
    },
  };
}
