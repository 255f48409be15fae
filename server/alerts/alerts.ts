import type { Database } from '../platform/database.ts';
import type { Outbox } from '../webhooks/outbox.ts';
import { createAlertChanges } from './changes.ts';
import { createAlertRollups } from './rollups.ts';
import { createAlertStore } from './store.ts';

/** The alerts: what keeps them, counts them and changes their state. */
export function createAlerts({ database, outbox }: { database: Database; outbox: Outbox }) {
  return {
    store: createAlertStore(database),
    rollups: createAlertRollups(database),
    changes: createAlertChanges({ database, outbox }),
  };
}

export type Alerts = ReturnType<typeof createAlerts>;
