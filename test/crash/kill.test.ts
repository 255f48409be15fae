import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startWithKey } from '../helpers/child.ts';
import { createLedger, NO_FAULTS } from '../helpers/ledger.ts';
import { createRandom } from '../helpers/random.ts';
import { rounds } from '../helpers/soak.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { countedEvents, startTraffic, storedEvents } from '../helpers/traffic.ts';

/** How long a start takes after a kill is in the bench. */
const ROUNDS = rounds(8, 500);
const EXPECTED = new Set([200, 201, 422]);

test(`every acknowledged event is there once after ${ROUNDS} kills under load`, async () => {
  const random = createRandom();
  const dataDir = tempDir();
  const ledger = createLedger();
  let kept = 0;
  let vedette = await startWithKey(dataDir);

  for (let round = 1; round <= ROUNDS; round++) {
    const note = `round ${round}, seed ${random.seed}`;
    const begun = Date.now();
    const from = ledger.issued();
    const traffic = startTraffic(vedette.url, ledger, random);
    // The moment of the kill is what is tried here, so there is nothing to wait for.
    const spread = 50 * (round % 8);
    await sleep(random.whole(spread + 10, spread + 60));
    await vedette.end('SIGKILL');
    const statuses = await traffic.stop();
    expect([...statuses.keys()], note).toSatisfy((seen: number[]) =>
      seen.every((status) => EXPECTED.has(status)),
    );

    // The next round's start is the check of this one.
    vedette = await startWithKey(dataDir);
    const added = await storedEvents(vedette.url, begun);
    expect(ledger.faults(added, from), note).toEqual(NO_FAULTS);
    kept += added.length;
    expect(await countedEvents(vedette.url), note).toBe(kept);
    expect(vedette.stdout(), note).not.toContain('Notice');
  }

  const all = await storedEvents(vedette.url);
  expect(ledger.faults(all), `seed ${random.seed}`).toEqual(NO_FAULTS);
  expect(all.length).toBe(kept);
  expect(ledger.acknowledged()).toBeGreaterThan(ROUNDS * 20);
});
