import { describe, expect, it, onTestFinished } from 'vitest';
import { createAlerts } from '../../server/alerts/alerts.ts';
import { alertTables } from '../../server/alerts/tables.ts';
import { openDatabase } from '../../server/platform/database.ts';
import { noFaults as faults } from '../../server/platform/faults.ts';
import { silentLog as log } from '../../server/platform/log.ts';
import { acknowledged, anAlert, at, OTHER_TENANT, resolved } from '../helpers/alerts.ts';
import { monitored } from '../helpers/monitored.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const NOW = Date.UTC(2026, 2, 2, 10);
const TENANT = 'tenant';
const NONE = { critical: 0, warning: 0, info: 0 };
const outbox = { wants: () => undefined, add: async () => undefined, wake: () => undefined };

/** Alerts over a database of their own, and how often they said that something changed. */
async function counted() {
  const clock = { now: () => NOW };
  const where = { dir: tempDir(), migrations: alertTables };
  const database = await openDatabase({ ...where, clock, faults, log });
  onTestFinished(() => database.close());
  const told = { times: 0 };
  const changed = () => {
    told.times++;
  };
  const alerts = createAlerts({ database, outbox, changed });
  const add = async (tenantId: string, ...given: Parameters<typeof anAlert>) => {
    const alert = anAlert(...given);
    await database.write((sql) => alerts.store.insert(sql, [{ tenantId, alert, pushed: false }]));
    return alert;
  };
  return { ...alerts, database, add, told };
}

describe('the open alerts of the whole appliance', () => {
  it('are counted by severity over all tenants, without what is acknowledged or resolved', async () => {
    const { rollups, add } = await counted();
    expect(await rollups.open()).toEqual(NONE);
    for (const tenant of [TENANT, OTHER_TENANT]) {
      await add(tenant, { severity: 'critical' });
      await add(tenant, { severity: 'info', ...acknowledged });
      await add(tenant, { severity: 'info', ...resolved });
    }
    await add(OTHER_TENANT, { severity: 'warning' });
    expect(await rollups.open()).toEqual({ critical: 2, warning: 1, info: 0 });
  });
});

describe('that alerts changed', () => {
  const change = (to: 'acknowledge' | 'resolve' | 'reopen') => ({ to, now: NOW });

  it('is told after each change of state, and not for what changes nothing', async () => {
    const { changes, add, told } = await counted();
    const { id } = await add(TENANT);
    for (const to of ['acknowledge', 'resolve', 'reopen'] as const) {
      const before = told.times;
      await changes.one(TENANT, id, change(to));
      expect(told.times, to).toBe(before + 1);
      await changes.one(TENANT, id, { ...change(to), note: 'Seen again' });
      await changes.all(TENANT, {}, change(to));
      expect(told.times, to).toBe(before + 1);
    }
    await changes.all(TENANT, {}, change('resolve'));
    expect(told.times).toBe(4);
  });

  it('is told after a deletion and after the retention, when something went', async () => {
    const { changes, store, add, told } = await counted();
    const { id } = await add(TENANT, { created_at: at(NOW) });
    await add(TENANT, { created_at: at(NOW + 1) });
    expect(await changes.remove(TENANT, id)).toBe(true);
    expect(told.times).toBe(1);
    expect(await changes.remove(TENANT, id)).toBe(false);
    await changes.forget(TENANT, NOW + 1);
    expect(told.times).toBe(1);
    await changes.forget(TENANT, NOW + 2);
    expect(told.times).toBe(2);
    expect(await store.list(TENANT, { skip: 0, limit: 10 })).toEqual([]);
  });

  it('is told by an appliance, with the counts as they are then', async () => {
    await using vedette = await monitored();
    const open: Promise<number>[] = [];
    const stop = vedette.onAlertsChanged(() => {
      open.push(vedette.openAlerts().then(({ critical }) => critical));
    });
    const config = { event_type: 'error', operator: '>', value: 2, window_minutes: 15 };
    await vedette.rule('threshold', { ...config, severity: 'critical' });
    await vedette.evaluate();
    await vedette.send('error', 3);
    await vedette.evaluate();
    const [{ id } = { id: '' }] = await vedette.alerts();
    await vedette.call('POST', `/alerts/${id}/acknowledge`);
    await vedette.call('POST', '/alerts/reopen', { filter: {} });
    await vedette.call('DELETE', `/alerts/${id}`);
    expect(await Promise.all(open)).toEqual([1, 0, 1, 0]);
    stop();
    await vedette.evaluate();
    expect(open).toHaveLength(4);
  });
});
