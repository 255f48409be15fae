import { problems } from '../platform/errors.ts';
import type { Deliverer } from './deliverer.ts';
import { newMessageId, testPayload } from './payload.ts';
import type { Delivery, DeliveryQuery, DeliveryWithPayload } from './schema.ts';
import type { DeliveryStore } from './store.ts';
import { REMOVED } from './targets.ts';
import type { Targets } from './targets.ts';

interface Parts {
  store: DeliveryStore;
  deliverer: Pick<Deliverer, 'wake' | 'sendNow'>;
  targets: Targets;
}

export type Deliveries = ReturnType<typeof createDeliveries>;

/** What a tenant can do about its deliveries. */
export function createDeliveries({ store, deliverer, targets }: Parts) {
  async function found(tenant: string, id: string) {
    const row = await store.get(tenant, id);
    if (row === undefined) throw problems.notFound('Delivery');
    return row;
  }

  return {
    list: (tenant: string, query: DeliveryQuery): Promise<Delivery[]> => store.list(tenant, query),

    async get(tenant: string, id: string): Promise<DeliveryWithPayload> {
      const { record, payload } = await found(tenant, id);
      return { ...record, payload: JSON.parse(payload) as Record<string, unknown> };
    },

    /** When the webhook is removed. */
    cancelAll: (tenant: string, now: number): Promise<void> =>
      store.cancelAll(tenant, REMOVED, now),

    async resend(tenant: string, id: string, now: number): Promise<Delivery> {
      await found(tenant, id);
      if (!targets.isOn(tenant)) throw problems.noWebhook();
      await store.renew(tenant, id, now);
      const { record } = await found(tenant, id);
      deliverer.wake();
      return record;
    },

    async test(tenant: string, now: number): Promise<Delivery> {
      if (!targets.isOn(tenant)) throw problems.noWebhook();
      const payload = testPayload(targets.tenant(tenant), now);
      const made = { tenant, id: newMessageId(), type: 'test' as const, payload };
      const round = { attempts: 0, begunAt: now, begunAttempts: 0 };
      await deliverer.sendNow({ ...made, ...round }, () =>
        store.add([{ ...made, alert: null }], now),
      );
      return (await found(tenant, made.id)).record;
    },
  };
}
