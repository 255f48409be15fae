import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runCrashable } from '../helpers/child.ts';
import type { Fault } from '../helpers/crashable.ts';
import { createLedger } from '../helpers/ledger.ts';
import type { Ledger } from '../helpers/ledger.ts';
import { createRandom } from '../helpers/random.ts';
import type { Random } from '../helpers/random.ts';
import { rounds, soaking } from '../helpers/soak.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { ALL_THERE, held, startTraffic } from '../helpers/traffic.ts';

/** Checkpoints fall due by age; so fast goes the clock that many do in each round. */
const CLOCK_SPEED = 5_000;

const PLACES: { point: Fault['point']; upTo: number; afterMs?: number }[] = [
  { point: 'journal-written', upTo: 60 },
  { point: 'flush-committed', upTo: 12 },
  { point: 'checkpoint-running', upTo: 3 },
  { point: 'checkpoint-running', upTo: 3, afterMs: 12 },
  { point: 'checkpoint-done', upTo: 3 },
];
/** So many kills at each place; the soak has as many in each of its data directories. */
const KILLS = 3;
const DIRECTORIES = rounds(1, 14);

/** A number in the `part`th of the equal parts of a range, so that few numbers spread over all of it. */
const within = (random: Random, part: number, upTo: number) =>
  random.whole(Math.floor((upTo * (part - 1)) / KILLS) + 1, Math.floor((upTo * part) / KILLS));

type Crashable = ReturnType<typeof runCrashable>;

/** Loads an appliance until it dies at its fault point; false when it dies before it is up. */
async function loadUntilDead(
  vedette: Crashable,
  ledger: Ledger,
  random: Random,
  fault?: Fault,
): Promise<boolean> {
  const up = await vedette.up.catch(() => undefined);
  if (fault) vedette.arm(fault);
  const traffic = up && startTraffic(up.url, ledger, random);
  expect(await vedette.ended).toEqual({ code: null, signal: 'SIGKILL' });
  await traffic?.stop();
  return up !== undefined;
}

/** What a start finds after all kills before it. */
async function expectAllThere(
  vedette: Crashable,
  ledger: Ledger,
  note: string,
  told: readonly unknown[] = [],
): Promise<void> {
  const { url, notices } = await vedette.up;
  expect(await held(url, ledger), note).toEqual(ALL_THERE);
  expect(notices, note).toEqual(told);
}

test.for(Array.from({ length: DIRECTORIES }, (_, index) => index + 1))(
  'kills at every fault point lose nothing and store nothing twice (data directory %i)',
  async () => {
    const random = createRandom();
    const dataDir = tempDir();
    const ledger = createLedger();
    let note = `seed ${random.seed}`;

    for (let part = 1; part <= KILLS; part++) {
      for (const { point, upTo, afterMs } of PLACES) {
        const nth = within(random, part, upTo);
        const delay = afterMs && { afterMs: within(random, KILLS + 1 - part, afterMs) };
        const fault = { point, nth, ...delay };
        // Some are to die while they start, or in their first moments.
        const early = soaking ? random.chance(0.5) : part === 2;
        const options = { dataDir, clockSpeed: CLOCK_SPEED };
        const vedette = runCrashable({ ...options, ...(early && { fault }) });
        if (!early) await expectAllThere(vedette, ledger, note);
        note = `after ${JSON.stringify({ ...fault, early })}, seed ${random.seed}`;
        await loadUntilDead(vedette, ledger, random, early ? undefined : fault);
      }
    }
    await expectAllThere(runCrashable({ dataDir }), ledger, note);
    expect(ledger.acknowledged()).toBeGreaterThan(0);
  },
);

test('a start that is killed again and again while it replays the journal loses nothing', async () => {
  const random = createRandom();
  const dataDir = tempDir();
  const ledger = createLedger();
  const fault = { point: 'flush-committed' as const, nth: 8 };
  await loadUntilDead(runCrashable({ dataDir, fault }), ledger, random);

  // Back to the last checkpoint, so that every segment is replayed.
  await rm(path.join(dataDir, 'events.duckdb.wal'));
  // What was replayed before a kill is not replayed again.
  for (const nth of soaking ? [1, 1, 1, 1, 1, 1, 1] : [1, 3, 3]) {
    const again = runCrashable({ dataDir, fault: { point: 'flush-committed', nth } });
    expect(await loadUntilDead(again, ledger, random), `segment ${nth}`).toBe(false);
  }
  const told = [expect.stringContaining('log was missing')];
  await expectAllThere(runCrashable({ dataDir }), ledger, `seed ${random.seed}`, told);
});
