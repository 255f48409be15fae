import type { Alert } from '../alerts/schema.ts';
import type { Sql } from '../platform/sql.ts';
import type { Severity } from '../rules/schema.ts';
import { alertPayload, newMessageId } from './payload.ts';
import type { AlertMessageType } from './schema.ts';
import { addDeliveries } from './store.ts';
import type { Targets } from './targets.ts';

export interface AlertMessage {
  tenantId: string;
  type: AlertMessageType;
  alert: Alert;
}

export interface WantedBy {
  /** Of the webhook as it is now: another one is told anew of what still fires. */
  id: string;
  repeatAfterMinutes: number;
}

export interface Outbox {
  /** Whether the tenant's webhook is enabled and takes this severity. */
  wants(tenantId: string, severity: Severity): WantedBy | undefined;
  /** In the caller's transaction, so that an alert and the word about it stand or fall together. */
  add(sql: Sql, messages: readonly AlertMessage[], now: number): Promise<void>;
  /** After the caller's commit: what was added is sent now. */
  wake(): void;
}

export function createOutbox({ targets, wake }: { targets: Targets; wake: () => void }): Outbox {
  return {
    wants: targets.wants,
    wake,
    add(sql, messages, now) {
      // What nobody wants would only be listed as cancelled.
      const wanted = messages.filter(({ tenantId, alert }) =>
        targets.wants(tenantId, alert.severity),
      );
      const deliveries = wanted.map(({ tenantId, type, alert }) => ({
        tenant: tenantId,
        id: newMessageId(),
        alert: alert.id,
        type,
        payload: alertPayload(type, alert, targets.tenant(tenantId), now),
      }));
      return addDeliveries(sql, deliveries, now);
    },
  };
}
