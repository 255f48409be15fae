import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startDesktop } from '../../helpers/desktop/program.ts';
import { desktopSuite } from '../../helpers/desktop/suite.ts';
import { createLedger, NO_FAULTS } from '../../helpers/ledger.ts';
import { createRandom } from '../../helpers/random.ts';
import { tempDir } from '../../helpers/temp-dir.ts';
import { countedEvents, startTraffic, storedEvents } from '../../helpers/traffic.ts';
import { rounds } from '../../helpers/soak.ts';

const CRASHES = rounds(1, 60);
const UNLIMITED = ['--rate-limit-events', '1000000', '--rate-limit-collect', '1000000'];

desktopSuite('the end of the program', () => {
  test('loses nothing that was acknowledged and keeps nothing twice, by a crash or by Quit', async () => {
    const random = createRandom();
    const dataDir = tempDir();
    const ledger = createLedger();
    const start = () => startDesktop({ dataDir, args: UNLIMITED });
    let desktop = await start();
    for (let round = 0; round <= CRASHES; round++) {
      const traffic = startTraffic(desktop.url, ledger, random);
      await expect.poll(() => traffic.statuses.get(201) ?? 0).toBeGreaterThan(50);
      if (round < CRASHES) {
        // The moment of the kill is what is tried here, so there is nothing to wait for.
        await sleep(random.whole(20, 300));
        await desktop.end('SIGKILL');
      } else expect(await desktop.quit()).toEqual({ code: 0, signal: null });
      await traffic.stop();
      desktop = await start();
      const events = await storedEvents(desktop.url);
      const note = `round ${round}, seed ${random.seed}`;
      expect(ledger.faults(events), note).toEqual(NO_FAULTS);
      expect(await countedEvents(desktop.url), note).toBe(events.length);
    }
    await expect.poll(desktop.shown).toHaveLength(1);
    expect(await desktop.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});
