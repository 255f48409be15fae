import type { Database } from '../platform/database.ts';
import type { Cipher } from '../platform/secrets.ts';
import type { TenantStore } from '../tenants/store.ts';
import { createDeliverer } from './deliverer.ts';
import type { DelivererOptions } from './deliverer.ts';
import { createDeliveries } from './deliveries.ts';
import { createOutbox } from './outbox.ts';
import { createDeliveryStore } from './store.ts';
import { createTargets } from './targets.ts';

export interface WebhookOptions extends Omit<DelivererOptions, 'store' | 'targets'> {
  database: Database;
  tenants: TenantStore;
  cipher: Cipher;
}

/** Everything between an alert and its receiver. Sends nothing until `deliverer.start()`. */
export function createWebhooks({ database, tenants, cipher, ...sending }: WebhookOptions) {
  const store = createDeliveryStore(database);
  const targets = createTargets({ tenants, cipher });
  const deliverer = createDeliverer({ ...sending, store, targets });
  return {
    targets,
    deliverer,
    outbox: createOutbox({ targets, wake: deliverer.wake }),
    deliveries: createDeliveries({ store, deliverer, targets }),
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;
