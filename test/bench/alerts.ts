import { createAlerts } from '../../server/alerts/alerts.ts';
import { alertTables } from '../../server/alerts/tables.ts';
import { systemClock as clock } from '../../server/platform/clock.ts';
import { openDatabase } from '../../server/platform/database.ts';
import { noFaults as faults } from '../../server/platform/faults.ts';
import { silentLog as log } from '../../server/platform/log.ts';
import type { Bench } from './bench.ts';
import { median, ms, spread } from './figures.ts';
import type { Figure } from './figures.ts';

const GOAL_MS = 50;

/** What the tray shows, counted anew after every change, where nobody has ever tidied up. */
export async function openAlerts(bench: Bench): Promise<Figure[]> {
  const where = { dir: bench.newDir('alerts'), migrations: alertTables };
  const database = await openDatabase({ ...where, clock, faults, log });
  const outbox = { wants: () => undefined, add: async () => undefined, wake: () => undefined };
  const { rollups } = createAlerts({ database, outbox, changed: () => undefined });
  await database.write((sql) =>
    sql.run(
      `INSERT INTO alerts BY NAME
       SELECT 'tenant' AS tenant, uuid() AS id, uuid() AS rule_id, 'warning' AS severity,
              'A message about ' || n AS message, n % 10 > 0 AS is_resolved,
              false AS is_acknowledged, make_timestamp_ms(${clock.now()} + n) AS created_at,
              'A rule' AS rule_name, 'threshold' AS rule_type, 'purchase' AS event_type,
              '[]' AS tags, false AS pushed
       FROM range(1000000) AS numbers(n)`,
    ),
  );
  await rollups.open();
  const taken: number[] = [];
  while (taken.length < bench.size.times) {
    const since = performance.now();
    const { warning } = await rollups.open();
    taken.push(performance.now() - since);
    if (warning !== 100_000) throw new Error(`${warning} open alerts were counted`);
  }
  await database.close();
  bench.progress('alerts');
  return [
    {
      row: 'alerts',
      what: 'open among a million',
      measured: ms(median(taken)),
      spread: spread(taken, ms),
      goal: `≤ ${GOAL_MS} ms`,
      met: median(taken) <= GOAL_MS,
    },
  ];
}
