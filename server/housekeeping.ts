import type { Alerts } from './alerts/alerts.ts';
import { createBackup } from './backup/backup.ts';
import type { Monitor } from './evaluator/monitor.ts';
import type { Events } from './events/events.ts';
import { createCompressing } from './events/kept.ts';
import { createRetention } from './events/retention.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/database.ts';
import { shrinkHeap } from './platform/heap.ts';
import type { Logger } from './platform/log.ts';
import { createRest } from './platform/rest.ts';
import { createScheduler } from './platform/scheduler.ts';
import { openTrustedDate } from './platform/trusted-date.ts';
import type { TenantStore } from './tenants/store.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

interface Parts {
  dataDir: string;
  backupDir: () => string | null;
  database: Database;
  events: Pick<Events, 'store' | 'flusher' | 'kept' | 'accepted'>;
  alerts: Pick<Alerts, 'changes'>;
  webhooks: Pick<Webhooks, 'deliverer'>;
  monitor: Pick<Monitor, 'evaluator'>;
  tenants: TenantStore;
  clock: Clock;
  elapsed: (() => number) | undefined;
  log: Logger;
}

/** What runs by the clock: the cycles, the backup, what is deleted by its age, memory given back. */
export async function openHousekeeping(parts: Parts) {
  const { dataDir, backupDir, database, events, alerts, webhooks, monitor, tenants } = parts;
  const { clock, elapsed, log } = parts;
  const { store, flusher, kept, accepted } = events;
  const newestEvent = store.newestTime;
  const date = await openTrustedDate({ database, newestEvent, clock, elapsed, log });
  const backup = createBackup({ database, kept, dataDir, dir: backupDir, clock, log });
  await backup.look();
  const retention = createRetention({
    ...{ store, others: [alerts.changes], database, flusher, backUp: backup.run, date, log },
    kept: () =>
      tenants.list().map((tenant) => ({
        tenantId: tenant.id,
        retentionDays: tenant.retention_days,
        rollupRetentionDays: tenant.rollup_retention_days,
      })),
  });

  async function prune(): Promise<void> {
    await webhooks.deliverer.prune(date.now());
    await monitor.evaluator.prune(date.now());
  }

  const scheduler = createScheduler(log);
  // A moment after the quarter, when what was received before it has settled.
  scheduler.add({ name: 'rules', at: '1 */15 * * * *', run: monitor.evaluator.tick });
  scheduler.add({ name: 'date', at: '0 13 * * * *', run: date.keep });
  scheduler.add({ name: 'retention', at: '0 17 * * * *', run: retention.runDaily });
  scheduler.add({ name: 'old deliveries and evaluations', at: '0 19 * * * *', run: prune });
  scheduler.add({ name: 'backup', at: '0 37 * * * *', run: backup.runDaily });
  const compress = createCompressing({ kept, accepted });
  scheduler.add({ name: 'kept journal', at: '30 * * * * *', run: compress });
  const rest = createRest({ database, accepted, checkpoint: flusher.checkpoint, shrinkHeap });
  scheduler.add({ name: 'rest', at: '*/30 * * * * *', run: rest });

  return {
    date,
    backup,
    retention,
    close: async (): Promise<void> => scheduler.stop(),
  };
}
