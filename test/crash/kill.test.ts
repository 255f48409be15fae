import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startWithKey } from '../helpers/child.ts';
import { median } from '../bench/figures.ts';
import { createLedger, NO_FAULTS } from '../helpers/ledger.ts';
import { createRandom } from '../helpers/random.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { countedEvents, startTraffic, storedEvents } from '../helpers/traffic.ts';

const SOAK = process.env['VEDETTE_SOAK'] === '1';
const ROUNDS = SOAK ? 500 : 50;
/** Held against starts with nothing to replay, since machines differ; the bench has the seconds. */
const TIMES_AN_EMPTY_START = 2.5;
const EXPECTED = new Set([200, 201, 422]);

test(
  `every acknowledged event is there once after ${ROUNDS} kills under load`,
  async () => {
    const random = createRandom();
    const dataDir = tempDir();
    const ledger = createLedger();
    const starts: Record<'empty' | 'killed', number[]> = { empty: [], killed: [] };
    let kept = 0;
    let vedette = await startWithKey(dataDir);

    for (let round = 1; round <= ROUNDS; round++) {
      const note = `round ${round}, seed ${random.seed}`;
      const begun = Date.now();
      const from = ledger.issued();
      const traffic = startTraffic(vedette.url, ledger, random);
      // The moment of the kill is what is tried here, so there is nothing to wait for.
      await sleep(random.whole(20, 400));
      await vedette.end('SIGKILL');
      const statuses = await traffic.stop();
      expect([...statuses.keys()], note).toSatisfy((seen: number[]) =>
        seen.every((status) => EXPECTED.has(status)),
      );

      if (round % 10 === 0) {
        const other = await startWithKey(tempDir());
        starts.empty.push(other.startedInMs);
        await other.end('SIGKILL');
      }
      vedette = await startWithKey(dataDir);
      starts.killed.push(vedette.startedInMs);
      const added = await storedEvents(vedette.url, begun);
      expect(ledger.faults(added, from), note).toEqual(NO_FAULTS);
      kept += added.length;
      expect(await countedEvents(vedette.url), note).toBe(kept);
      expect(vedette.stdout(), note).not.toContain('Notice');
    }

    const all = await storedEvents(vedette.url);
    expect(ledger.faults(all), `seed ${random.seed}`).toEqual(NO_FAULTS);
    expect(all.length).toBe(kept);
    expect(ledger.acknowledged()).toBeGreaterThan(ROUNDS * 50);
    expect(median(starts.killed) / median(starts.empty), 'start after a kill').toBeLessThan(
      TIMES_AN_EMPTY_START,
    );
  },
  SOAK ? 3_600_000 : 600_000,
);
