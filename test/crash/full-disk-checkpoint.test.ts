import { randomBytes } from 'node:crypto';
import { statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startAppliance } from '../helpers/appliance.ts';
import { createLedger } from '../helpers/ledger.ts';
import { smallDisk, whyNoSmallDisk } from '../helpers/small-disk.ts';
import { ALL_THERE, ask, countedEvents, held, postNumbers } from '../helpers/traffic.ts';

const onSmallDisk = test.skipIf(whyNoSmallDisk() !== undefined);
const MIB = 1 << 20;

/** An appliance on a small disk, with events that only its journal and the database's log hold. */
async function onFullDisk() {
  const disk = smallDisk('64m');
  const ledger = createLedger();
  const clock = { time: Date.now(), now: () => clock.time };
  const wal = path.join(disk.dir, 'events.duckdb.wal');
  let atCheckpoint: (() => void) | undefined;
  const appliance = await startAppliance({
    dataDir: disk.dir,
    clock,
    faults(point) {
      if (point !== 'checkpoint-running') return;
      atCheckpoint?.();
      atCheckpoint = undefined;
    },
  });
  const { url } = appliance;
  // Nothing that compresses: a checkpoint must have much to write.
  const post = async () => {
    const filler = () => randomBytes(40_000).toString('hex');
    const one = () => postNumbers(url, ledger, 1, filler());
    return Math.max(...(await Promise.all(Array.from({ length: 8 }, one))));
  };
  const read = async () => (await ask(url, '/events?limit=1')).status;
  for (let batch = 0; batch < 8; batch++) expect([await post(), await read()]).toEqual([201, 200]);

  return {
    ...{ appliance, disk, ledger, wal, url, post, read },
    /** Has a checkpoint come due, and `meanwhile` happen while it runs. */
    checkpoint: async (meanwhile = (): void => undefined) => {
      clock.time += 600_000;
      // Little enough to be gone before the checkpoint is through, enough for it to be begun.
      disk.fill(statSync(wal).size + 5 * MIB);
      let reached = false;
      atCheckpoint = () => {
        reached = true;
        meanwhile();
      };
      await expect.poll(() => read().then(() => reached)).toBe(true);
    },
  };
}

/*
 * DuckDB says nothing when its log lost its end. So what is opened again after a fault may know
 * less than before, and the next checkpoint must not cut the journal back by it.
 */
onSmallDisk.for<[string, (wal: string) => void]>([
  ['costs nothing', () => undefined],
  ['and has the database forget its newest costs nothing', (wal) => truncateSync(wal, 5_000)],
])('a disk that fills up within a checkpoint %s', async ([, damage]) => {
  const { appliance, disk, ledger, wal, url, post, read, checkpoint } = await onFullDisk();
  await checkpoint(() => {
    damage(wal);
    disk.fill();
  });
  for (let time = 0; time < 5; time++) {
    expect([200, 503]).toContain(await read());
    expect(await post()).toBe(503);
  }
  disk.makeRoom();
  await expect.poll(post).toBe(201);
  await expect.poll(read).toBe(200);
  expect(await held(url, ledger)).toEqual(ALL_THERE);
  await checkpoint();
  await appliance.close();

  await using again = await startAppliance({ dataDir: disk.dir });
  expect(await held(again.url, ledger)).toEqual(ALL_THERE);
  expect(await countedEvents(again.url)).toBe(ledger.acknowledged());
});
