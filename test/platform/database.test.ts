import { mkdirSync, rmdirSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asking } from '../../server/platform/asker.ts';
import { openDatabase } from '../../server/platform/database.ts';
import { problems } from '../../server/platform/errors.ts';
import { noFaults as faults } from '../../server/platform/faults.ts';
import { silentLog as log } from '../../server/platform/log.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const AGES = 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b';

async function open() {
  const clock = { now: () => 0 };
  const database = await openDatabase({ dir: tempDir(), migrations: [], clock, faults, log });
  onTestFinished(() => database.close());
  return database;
}

it('that could not be put back in place after it was rewritten is opened again by itself', async () => {
  const database = await open();
  await database.write((sql) => sql.run('CREATE TABLE t AS SELECT 7 AS seven'));
  // It stands where DuckDB might have left a file.
  const inTheWay = `${database.file}.wal.checkpoint`;
  mkdirSync(inTheWay);
  await expect(database.compact()).rejects.toThrow();
  rmdirSync(inTheWay);
  const seven = () => database.read((sql) => sql.rows('SELECT seven FROM t'));
  expect(await seven()).toEqual([{ seven: 7 }]);
  await database.compact();
  expect(await seven()).toEqual([{ seven: 7 }]);
});

describe('what somebody reads', () => {
  it('is ended once they have left, and those behind them go on', async () => {
    const database = await open();
    const left = new AbortController();
    const reading = Array.from({ length: 5 }, () =>
      asking({ owner: 'one', signal: left.signal }, () =>
        database.read((sql) => sql.rows(AGES)),
      ).catch((error: unknown) => String(error)),
    );
    const other = asking({ owner: 'other', signal: new AbortController().signal }, () =>
      database.read((sql) => sql.rows('SELECT 7 AS seven')),
    );
    left.abort(problems.nobodyWaits());
    expect(await Promise.all(reading)).toEqual(
      Array.from({ length: 5 }, () => 'Error: Nobody waits for this answer any more'),
    );
    expect(await other).toEqual([{ seven: 7 }]);
  });

  it('leaves a reader for the rest where it takes long', async () => {
    const database = await open();
    const left = new AbortController();
    const ask = <T>(work: () => T) => asking({ owner: 'one', signal: left.signal }, work);
    const reading = Array.from({ length: 5 }, () =>
      ask(() => database.read((sql) => sql.rows(AGES), 'heavy')).catch(() => undefined),
    );
    expect(await ask(() => database.read((sql) => sql.rows('SELECT 7 AS seven')))).toEqual([
      { seven: 7 },
    ]);
    left.abort(problems.nobodyWaits());
    await Promise.all(reading);
  });
});
