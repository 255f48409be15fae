import { describe, expect, test } from 'vitest';
import { callsTo } from '../helpers/desktop/calls.ts';
import { useDisplay } from '../helpers/desktop/display.ts';
import { bridge, dashboardOf } from '../helpers/desktop/pages.ts';
import { runDesktop, startDesktop } from '../helpers/desktop/program.ts';
import type { RunningDesktop } from '../helpers/desktop/program.ts';
import { programs } from '../helpers/desktop/programs.ts';
import type { Key } from '../helpers/desktop/x11.ts';
import { createLedger, NO_FAULTS } from '../helpers/ledger.ts';
import { createRandom } from '../helpers/random.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { startTraffic, storedEvents } from '../helpers/traffic.ts';

const ENDS_WITHIN_MS = 5_000;

for (const program of programs('the window'))
  describe.skipIf(program.why !== undefined)(program.name, () => {
    const display = useDisplay(program);

    async function closeWindow(desktop: RunningDesktop): Promise<void> {
      const window = await desktop.shownWindow();
      await display().closeWindow(window.id);
    }

    test('a second start shows the window of the first, and ends by itself', async () => {
      const dataDir = tempDir();
      const first = await startDesktop(display(), { dataDir });
      const page = await dashboardOf(first, '/rules');
      await closeWindow(first);
      await expect.poll(first.shown).toEqual([]);
      const second = runDesktop(display(), { dataDir });
      expect(await second.ended).toEqual({ code: 0, signal: null });
      await expect.poll(first.shown).toHaveLength(1);
      expect(new URL(page.url()).pathname).toBe('/rules');
      expect((await callsTo(first.url).call<object[]>('GET', '/rules')).length).toBe(0);
    });

    test('closing it leaves Vedette in the tray, which is said the first time only', async () => {
      const { notifications, tray } = display();
      notifications.forget();
      const desktop = await startDesktop(display(), { dataDir: tempDir() });
      await dashboardOf(desktop);
      for (let time = 1; time <= 2; time++) {
        await closeWindow(desktop);
        await expect.poll(desktop.shown).toEqual([]);
        await tray.choose('Open Vedette');
        await expect.poll(desktop.shown).toHaveLength(1);
      }
      await expect.poll(() => notifications.all().length).toBeGreaterThan(0);
      expect(notifications.all().map(({ title }) => title)).toEqual(['Vedette goes on watching']);
      const page = await desktop.window();
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
    });

    test('the keys of the menu lead to its pages', async () => {
      const desktop = await startDesktop(display(), { dataDir: tempDir() });
      const page = await dashboardOf(desktop);
      const window = await desktop.shownWindow();
      const press = async (key: Key) => {
        await display().focus(window.id);
        await expect.poll(() => page.evaluate(() => document.hasFocus())).toBe(true);
        await display().press('Control', key);
      };
      for (const [key, place] of [
        ['2', '/events'],
        ['3', '/rules'],
        ['5', '/tag-manager'],
        [',', '/settings'],
        ['1', '/'],
      ] as const) {
        await press(key);
        await expect.poll(() => new URL(page.url()).pathname).toBe(place);
      }
      await press('w');
      await expect.poll(desktop.shown).toEqual([]);
      await display().tray.choose('Open Vedette');
      await expect.poll(desktop.shown).toHaveLength(1);
      await press('q');
      expect(await desktop.ended).toEqual({ code: 0, signal: null });
    });

    test('asks before words are lost that are not saved, and takes events meanwhile', async () => {
      const desktop = await startDesktop(display(), { dataDir: tempDir() });
      const page = await dashboardOf(desktop, '/rules/new');
      const name = page.getByLabel('Name', { exact: true });
      await name.fill('Half a rule');
      const window = await desktop.shownWindow();
      await display().focus(window.id);
      await expect.poll(() => page.evaluate(() => document.hasFocus())).toBe(true);
      await display().press('Control', 'r');
      await expect.poll(desktop.shown).toHaveLength(2);
      const { send } = callsTo(desktop.url);
      await send('purchase');

      const question = (await desktop.shown()).find(({ id }) => id !== window.id);
      await display().closeWindow(question?.id ?? 0);
      await expect.poll(desktop.shown).toHaveLength(1);
      expect(await name.inputValue()).toBe('Half a rule');
      expect((await storedEvents(desktop.url)).length).toBe(1);
    });

    test('quitting in the tray stores all that came, within 5 s', async () => {
      const dataDir = tempDir();
      const random = createRandom();
      const ledger = createLedger();
      const options = ['--rate-limit-events', '1000000', '--rate-limit-collect', '1000000'];
      const desktop = await startDesktop(display(), { dataDir, args: options });
      const traffic = startTraffic(desktop.url, ledger, random);
      await expect.poll(() => traffic.statuses.get(201) ?? 0).toBeGreaterThan(50);
      const asked = performance.now();
      expect(await desktop.quit()).toEqual({ code: 0, signal: null });
      expect(performance.now() - asked).toBeLessThan(ENDS_WITHIN_MS);
      await traffic.stop();
      const again = await startDesktop(display(), { dataDir, args: [...options, '--hidden'] });
      expect(ledger.faults(await storedEvents(again.url)), `seed ${random.seed}`).toEqual(
        NO_FAULTS,
      );
    });

    test('closing it ends Vedette where it is not to stay in the tray', async () => {
      const desktop = await startDesktop(display(), { dataDir: tempDir() });
      const page = await dashboardOf(desktop);
      const changed = await bridge(page, 'change', { close_to_tray: false });
      expect(changed.close_to_tray).toBe(false);
      await closeWindow(desktop);
      expect(await desktop.ended).toEqual({ code: 0, signal: null });
    });
  });
