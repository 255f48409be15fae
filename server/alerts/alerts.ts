import type { Database } from '../platform/database.ts';
import type { Outbox } from '../webhooks/outbox.ts';
import { createAlertChanges } from './changes.ts';
import { createAlertRollups } from './rollups.ts';
import { createAlertStore } from './store.ts';

interface Parts {
  database: Database;
  outbox: Outbox;
  /** Told whenever alerts got another state, or went. */
  changed?: () => void;
}

/** The alerts: what keeps them, counts them and changes their state. */
export function createAlerts({ database, outbox, changed }: Parts) {
  const store = createAlertStore(database);
  return {
    store,
    rollups: createAlertRollups(database),
    changes: createAlertChanges({ store, database, outbox, changed }),
  };
}

export type Alerts = ReturnType<typeof createAlerts>;
