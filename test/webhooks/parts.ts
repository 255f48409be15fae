import { onTestFinished, vi } from 'vitest';
import type { Alert } from '../../server/alerts/schema.ts';
import type { Clock } from '../../server/platform/clock.ts';
import { openDatabase } from '../../server/platform/database.ts';
import type { Database } from '../../server/platform/database.ts';
import { noFaults } from '../../server/platform/faults.ts';
import { silentLog } from '../../server/platform/log.ts';
import type { AlertMessage } from '../../server/webhooks/outbox.ts';
import type { WebhookPatch } from '../../server/webhooks/schema.ts';
import { webhookTables } from '../../server/webhooks/tables.ts';
import { createWebhooks } from '../../server/webhooks/webhooks.ts';
import type { WebhookOptions } from '../../server/webhooks/webhooks.ts';
import { anAlert } from '../helpers/alerts.ts';
import { identityParts } from '../helpers/identity-parts.ts';
import { sharedDir } from '../helpers/temp-dir.ts';
import { verified } from './receiver.ts';
import type { Received } from './receiver.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const alert = (change: Partial<Alert> = {}): Alert =>
  anAlert({
    id: '018f3a5c-7b1e-7000-8000-000000000001',
    rule_id: '018f3a5c-7b1e-7000-8000-000000000002',
    severity: 'critical',
    created_at: '2026-03-01T10:00:00.000Z',
    rule_name: 'Purchases',
    ...change,
  });

interface Given extends Partial<
  Pick<WebhookOptions, 'faults' | 'timeoutMs' | 'log' | 'random' | 'resolve'>
> {
  dir?: string;
  /** Wraps the database that webhooks get. */
  through?: (database: Database) => Database;
}

const open = (dir: string, clock: Clock) =>
  openDatabase({ ...{ dir, clock, migrations: webhookTables }, faults: noFaults, log: silentLog });
let shared: Promise<Database> | undefined;

/**
 * Webhooks over settings of their own, and a clock that only the test moves. The tests of a worker
 * share a database, which each leaves empty; where `dir` is given, it is there.
 */
export async function webhookParts(given: Given = {}) {
  const { through = (database: Database) => database, dir: place, ...options } = given;
  const parts = await identityParts(place === undefined ? {} : { dir: place });
  const { clock, tenants, cipher, profiles } = parts;
  const database = await (place === undefined
    ? (shared ??= open(sharedDir(), clock))
    : open(place, clock));
  const webhooks = createWebhooks({
    ...{ database: through(database), tenants, cipher, clock },
    ...{ faults: noFaults, log: silentLog, version: '1.2.3', random: () => 0.5 },
    ...options,
  });
  const { outbox, deliverer } = webhooks;
  const close = async () => {
    await deliverer.close();
    if (place !== undefined) await database.close();
    else await database.write((sql) => sql.run('DELETE FROM deliveries'));
  };
  onTestFinished(close);
  const tenantId = tenants.first().id;

  return {
    ...parts,
    ...webhooks,
    database,
    tenantId,
    close,
    /** Sets the webhook as the owner does, wherever it leads, and returns its secret. */
    async setUp(webhook: WebhookPatch, tenant = tenantId): Promise<string> {
      const allowed = { ...webhook, allow_private: true };
      const changed = await profiles.change(tenant, { webhook: allowed }, 'session');
      return changed.webhook?.secret ?? '';
    },
    /** As whoever raises alerts does it. */
    async raise(...messages: Partial<AlertMessage>[]): Promise<void> {
      const given = messages.length > 0 ? messages : [{}];
      const full = given.map((message) => ({
        ...{ tenantId, type: 'alert.created' as const, alert: alert() },
        ...message,
      }));
      await database.write((sql) => outbox.add(sql, full, clock.now()));
      outbox.wake();
    },
    advance(ms: number): void {
      clock.time += ms;
    },
    /** What a receiver does whose clock is that of the test; no longer, for others share the time. */
    verified(request: Received, secret: string): unknown {
      vi.useFakeTimers({ toFake: ['Date'], now: clock.time });
      try {
        return verified(request, secret);
      } finally {
        vi.useRealTimers();
      }
    },
    async list(tenant = tenantId) {
      return webhooks.deliveries.list(tenant, { skip: 0, limit: 1000 });
    },
    async only(tenant = tenantId) {
      const all = await webhooks.deliveries.list(tenant, { skip: 0, limit: 2 });
      if (all.length !== 1 || !all[0]) throw new Error(`${all.length} deliveries instead of one`);
      return all[0];
    },
  };
}
