import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../server/platform/clock.ts';
import { openDatabase } from '../../server/platform/database.ts';
import type { Database } from '../../server/platform/database.ts';
import { noFaults } from '../../server/platform/faults.ts';
import { silentLog } from '../../server/platform/log.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const heldMiB = (database: Database) =>
  database.read(async (sql) => {
    const [row] = await sql.rows<{ held: number }>(
      'SELECT (sum(memory_usage_bytes) / 1048576)::DOUBLE AS held FROM duckdb_memory()',
    );
    return row?.held ?? 0;
  });

it('what is in the file need not stay in memory, and is read again', async () => {
  const database = await openDatabase({
    ...{ dir: tempDir(), migrations: [], clock: systemClock, faults: noFaults, log: silentLog },
  });
  onTestFinished(() => database.close());
  await database.write((sql) =>
    sql.run(
      'CREATE TABLE many AS SELECT range AS n, md5(range::VARCHAR) AS text FROM range(1500000)',
    ),
  );
  await database.checkpoint();
  const reading = () => database.read((sql) => sql.rows('SELECT max(text) FROM many'));
  const [before] = await reading();
  expect(await heldMiB(database)).toBeGreaterThan(15);

  await Promise.all([database.giveBack(), reading()]);
  await database.giveBack();

  expect(await heldMiB(database)).toBeLessThan(8);
  expect(await reading()).toEqual([before]);
});
