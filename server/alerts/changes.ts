import type { Database } from '../platform/database.ts';
import { problems } from '../platform/errors.ts';
import type { Sql } from '../platform/sql.ts';
import { severity } from '../rules/schema.ts';
import type { AlertMessage, Outbox } from '../webhooks/outbox.ts';
import { alertChanges } from './changes-store.ts';
import type { Change } from './changes-store.ts';
import type { Alert, AlertFilter, BulkChanged } from './schema.ts';
import { oneAlert } from './store.ts';
import type { AlertStore } from './store.ts';

/** Reopening is a matter of this house: receivers know no word for it. */
const MESSAGES = {
  acknowledge: 'alert.acknowledged',
  resolve: 'alert.resolved',
  reopen: undefined,
  unresolve: undefined,
} as const;

/** Messages are made in portions, so that a change of very many does not hold up the rest. */
const PORTION = 500;

interface Parts {
  store: Pick<AlertStore, 'remove' | 'forget'>;
  database: Database;
  outbox: Outbox;
  changed?: (() => void) | undefined;
}

/** A change of state and the message about it: both or neither. */
export function createAlertChanges({ store, database, outbox, changed }: Parts) {
  async function carryOut(sql: Sql, tenant: string, filter: AlertFilter, change: Change) {
    const outcome = await alertChanges.change(sql, tenant, filter, change);
    return { outcome, queued: outcome.changed > 0 && (await tell(sql, tenant, change)) };
  }

  /** Tells those who heard of an alert what became of it; false when there is nobody to tell. */
  async function tell(sql: Sql, tenantId: string, { to, now }: Change): Promise<boolean> {
    const type = MESSAGES[to];
    const wanted = severity.options.filter((one) => outbox.wants(tenantId, one) !== undefined);
    if (type === undefined || wanted.length === 0) return false;
    for (let skip = 0; ; skip += PORTION) {
      const page = { skip, limit: PORTION };
      const alerts = await alertChanges.changedAndPushed(sql, wanted, page);
      if (alerts.length === 0) return skip > 0;
      const messages = alerts.map((alert): AlertMessage => ({ tenantId, type, alert }));
      await outbox.add(sql, messages, now);
    }
  }

  return {
    /** The alert as it is now. A second time changes nothing but the note, if there is one. */
    async one(tenant: string, id: string, change: Change): Promise<Alert> {
      const { alert, outcome, queued } = await database.write(async (sql) => {
        const { outcome, queued } = await carryOut(sql, tenant, { ids: [id] }, change);
        if (outcome.changed === 0 && change.note !== undefined) {
          await alertChanges.setNote(sql, tenant, id, change.to, change.note);
        }
        const alert = await oneAlert(sql, tenant, id);
        if (alert === undefined) throw problems.notFound('Alert');
        return { alert, outcome, queued };
      });
      if (queued) outbox.wake();
      if (outcome.changed > 0) changed?.();
      return alert;
    },

    /** Leaves alone what is as asked already, notes too: they could not be had back. */
    async all(tenant: string, filter: AlertFilter, change: Change): Promise<BulkChanged> {
      const { outcome, queued } = await database.write((sql) =>
        carryOut(sql, tenant, filter, change),
      );
      if (queued) outbox.wake();
      if (outcome.changed > 0) changed?.();
      return outcome;
    },

    /** False when there was none. */
    async remove(tenant: string, id: string): Promise<boolean> {
      const gone = (await store.remove(tenant, id)) > 0;
      if (gone) changed?.();
      return gone;
    },

    /** Deletes alerts made before then, whatever their state. */
    async forget(tenant: string, before: number): Promise<void> {
      if ((await store.forget(tenant, before)) > 0) changed?.();
    },
  };
}

export type AlertChanges = ReturnType<typeof createAlertChanges>;
