import { describe, expect, test } from 'vitest';
import { useDisplay } from '../helpers/desktop/display.ts';
import { dashboardOf, sessionsOf } from '../helpers/desktop/pages.ts';
import { startDesktop } from '../helpers/desktop/program.ts';
import { programs } from '../helpers/desktop/programs.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const ENDS_WITHIN_MS = 5_000;

for (const program of programs('the start')) {
  describe.skipIf(program.why !== undefined)(program.name, () => {
    const display = useDisplay(program);
    const start = (dataDir: string, args: string[] = []) =>
      startDesktop(display(), { dataDir, args });

    test('leads to the welcome page the first time, signed in without a password', async () => {
      const desktop = await start(tempDir());
      const page = await desktop.window();
      await page.getByRole('heading', { level: 1, name: 'Welcome to Vedette' }).waitFor();
      expect(await sessionsOf(page)).toHaveLength(1);
      await expect.poll(desktop.shown).toHaveLength(1);
    });

    test('goes on with the session, the size and the place of the last time', async () => {
      const dataDir = tempDir();
      const first = await start(dataDir);
      const page = await dashboardOf(first);
      const [session] = await sessionsOf(page);
      const window = await first.shownWindow();
      const place = { x: 37, y: 41, width: 1010, height: 640 };
      await display().placeWindow(window.id, place.x, place.y, place.width, place.height);
      await expect.poll(() => page.evaluate(() => outerWidth)).toBe(place.width);
      const asked = performance.now();
      expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null });
      expect(performance.now() - asked).toBeLessThan(ENDS_WITHIN_MS);

      // What a page keeps belongs to its address, and people stay on one port.
      const second = await start(dataDir, ['--port', new URL(first.url).port]);
      const again = await second.window();
      await again.getByRole('navigation', { name: 'Main' }).waitFor();
      expect((await sessionsOf(again)).map(({ id }) => id)).toEqual([session?.id]);
      await expect.poll(second.shown).toMatchObject([place]);
    });

    test('stays in the tray when it is to be hidden, until it is opened there', async () => {
      const desktop = await start(tempDir(), ['--hidden']);
      await expect.poll(display().tray.isThere).toBe(true);
      expect(await desktop.shown()).toEqual([]);
      await display().tray.choose('Open Vedette');
      await expect.poll(desktop.shown).toHaveLength(1);
      const page = await desktop.window();
      expect(await sessionsOf(page)).toHaveLength(1);
    });
  });
}
