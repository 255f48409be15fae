import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { useDisplay } from '../helpers/desktop/display.ts';
import { startDesktop } from '../helpers/desktop/program.ts';
import { programs } from '../helpers/desktop/programs.ts';
import { createLedger, NO_FAULTS } from '../helpers/ledger.ts';
import { createRandom } from '../helpers/random.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { countedEvents, startTraffic, storedEvents } from '../helpers/traffic.ts';

const ROUNDS = process.env['VEDETTE_SOAK'] === '1' ? 60 : 3;
const UNLIMITED = ['--rate-limit-events', '1000000', '--rate-limit-collect', '1000000'];

for (const program of programs('a crash')) {
  describe.skipIf(program.why !== undefined)(program.name, () => {
    const display = useDisplay(program);

    test('loses nothing that was acknowledged, and keeps nothing twice', async () => {
      const random = createRandom();
      const dataDir = tempDir();
      const ledger = createLedger();
      const start = () => startDesktop(display(), { dataDir, args: UNLIMITED });
      let desktop = await start();
      for (let round = 1; round <= ROUNDS; round++) {
        const traffic = startTraffic(desktop.url, ledger, random);
        await expect.poll(() => traffic.statuses.get(201) ?? 0).toBeGreaterThan(10);
        // The moment of the kill is what is tried here, so there is nothing to wait for.
        await sleep(random.whole(20, 300));
        await desktop.end('SIGKILL');
        await traffic.stop();
        desktop = await start();
        const events = await storedEvents(desktop.url);
        const note = `round ${round}, seed ${random.seed}`;
        expect(ledger.faults(events), note).toEqual(NO_FAULTS);
        expect(await countedEvents(desktop.url), note).toBe(events.length);
      }
      expect(ledger.acknowledged()).toBeGreaterThan(ROUNDS * 10);
      await expect.poll(desktop.shown).toHaveLength(1);
    });
  });
}
