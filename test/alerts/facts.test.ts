import { describe, expect, it } from 'vitest';
import { createAlertStore } from '../../server/alerts/store.ts';
import { alertTables } from '../../server/alerts/tables.ts';
import { openDatabase } from '../../server/platform/database.ts';
import { noFaults as faults } from '../../server/platform/faults.ts';
import { silentLog as log } from '../../server/platform/log.ts';
import { MINUTE, monitoredTenant } from '../helpers/monitored.ts';
import { at, OTHER_TENANT, uuid } from '../helpers/alerts.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const every = { event_type: 'purchase', severity: 'info' };

describe('an alert', () => {
  it('says which fields were missing, and how long back was looked', async () => {
    await using vedette = await monitoredTenant();
    const required_fields = ['a, b in 3', 'there', 'gone'];
    const { id } = await vedette.rule('missing_field', { ...every, required_fields });
    const few = { operator: '<', value: 9, window_minutes: 2.5 };
    const threshold = await vedette.rule('threshold', { ...every, ...few });
    await vedette.pass(20 * MINUTE);
    await vedette.send('purchase', 1, { there: 1 });
    await vedette.evaluate();
    const of = async (rule: string) =>
      (await vedette.alerts()).find(({ rule_id }) => rule_id === rule);
    expect(await of(id)).toMatchObject({
      missing_fields: ['a, b in 3', 'gone'],
      window_minutes: expect.closeTo(15, 0) as number,
    });
    expect(await of(threshold.id)).toMatchObject({ missing_fields: [], window_minutes: 2.5 });
    const shown = (await vedette.call('GET', `/rules/${id}`)).json<{ last_verdict: object }>();
    expect(Object.keys(shown.last_verdict)).toEqual(['state', 'value', 'expected', 'message']);
  });

  it('from before that was kept says nothing of it, and stays', async () => {
    const dir = tempDir();
    const clock = { now: () => 0 };
    const open = (migrations: typeof alertTables) =>
      openDatabase({ dir, migrations, clock, faults, log });
    const old = await open(alertTables.slice(0, 1));
    await old.write((sql) =>
      sql.run(
        `INSERT INTO alerts VALUES ('${OTHER_TENANT}', '${uuid(1)}', '${uuid(2)}', 'info', 'm',
           false, false, make_timestamp_ms(0), 'n', 'missing_field', 'e', NULL, '[]', NULL, 1,
           NULL, NULL, NULL, NULL, false)`,
      ),
    );
    await old.close();
    for (let opened = 0; opened < 2; opened++) {
      const database = await open(alertTables);
      expect(await createAlertStore(database).one(OTHER_TENANT, uuid(1))).toMatchObject({
        ...{ created_at: at(0), missing_fields: [], window_minutes: null },
      });
      await database.close();
    }
  });
});
