import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { FaultPoint } from '../../server/platform/faults.ts';
import { runCrashable } from '../helpers/child.ts';
import { createLedger, NO_FAULTS } from '../helpers/ledger.ts';
import type { Ledger } from '../helpers/ledger.ts';
import { createRandom } from '../helpers/random.ts';
import type { Random } from '../helpers/random.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { countedEvents, startTraffic, storedEvents } from '../helpers/traffic.ts';

/** Checkpoints fall due by age; so fast goes the clock that many do in each round. */
const CLOCK_SPEED = 5_000;

const POINTS: { point: FaultPoint; upTo: number; rounds: number; afterMs?: [number, number] }[] = [
  { point: 'journal-written', upTo: 60, rounds: 8 },
  { point: 'flush-committed', upTo: 12, rounds: 8 },
  { point: 'checkpoint-running', upTo: 3, rounds: 6 },
  { point: 'checkpoint-running', upTo: 3, rounds: 8, afterMs: [0, 12] },
  { point: 'checkpoint-done', upTo: 3, rounds: 8 },
];

/** Loads an appliance until it dies at its fault point; false when it dies before it is up. */
async function loadUntilDead(
  vedette: ReturnType<typeof runCrashable>,
  ledger: Ledger,
  random: Random,
): Promise<boolean> {
  const up = await vedette.up.catch(() => undefined);
  const traffic = up && startTraffic(up.url, ledger, random);
  expect(await vedette.ended).toEqual({ code: null, signal: 'SIGKILL' });
  await traffic?.stop();
  return up !== undefined;
}

/** What a start without faults finds; killed again, so that nothing is put in order by closing. */
async function survivors(dataDir: string) {
  const vedette = runCrashable({ dataDir });
  const { url, notices } = await vedette.up;
  const events = await storedEvents(url);
  const counted = await countedEvents(url);
  await vedette.end('SIGKILL');
  return { events, counted, notices };
}

test.for(POINTS)(
  'a kill at $point loses nothing and stores nothing twice (delay $afterMs)',
  async ({ point, upTo, rounds, afterMs }) => {
    const random = createRandom();
    const dataDir = tempDir();
    const ledger = createLedger();

    for (let round = 1; round <= rounds; round++) {
      const nth = random.whole(1, upTo);
      const delay = afterMs && { afterMs: random.whole(...afterMs) };
      const fault = { point, nth, ...delay };
      const note = `${JSON.stringify(fault)}, round ${round}, seed ${random.seed}`;
      const vedette = runCrashable({ dataDir, fault, clockSpeed: CLOCK_SPEED });
      await loadUntilDead(vedette, ledger, random);

      const { events, counted, notices } = await survivors(dataDir);
      expect(ledger.faults(events), note).toEqual(NO_FAULTS);
      expect(counted, note).toBe(events.length);
      expect(notices, note).toEqual([]);
    }
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
  for (let nth = 1; nth <= 8; nth++) {
    const again = runCrashable({ dataDir, fault: { point: 'flush-committed', nth } });
    expect(await loadUntilDead(again, ledger, random), `segment ${nth}`).toBe(false);
  }
  const { events, counted } = await survivors(dataDir);
  expect(ledger.faults(events)).toEqual(NO_FAULTS);
  expect(counted).toBe(events.length);
});
