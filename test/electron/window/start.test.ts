import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { callsTo } from '../../helpers/desktop/calls.ts';
import { bridge, dashboardOf, sessionsOf } from '../../helpers/desktop/pages.ts';
import { startDesktop } from '../../helpers/desktop/program.ts';
import type { RunningDesktop } from '../../helpers/desktop/program.ts';
import { desktopSuite } from '../../helpers/desktop/suite.ts';
import { storedEvents } from '../../helpers/traffic.ts';

const PLACE = { x: 37, y: 41, width: 1010, height: 640 };

/** One data directory from its first start through its second to its end, a test for each step. */
desktopSuite('the window', (scope) => {
  const dataDir = scope.dir();
  const start = (args: string[] = []) => startDesktop({ dataDir, args, scope });
  let desktop: RunningDesktop;
  let page: Page;

  beforeAll(async () => {
    desktop = await start();
    page = await desktop.window();
  });

  const opened = async () => {
    await desktop.tray.choose('Open Vedette');
    await expect.poll(desktop.shown).toHaveLength(1);
  };

  test('leads to the welcome page the first time, signed in without a password', async () => {
    await page.getByRole('heading', { level: 1, name: 'Welcome to Vedette' }).waitFor();
    expect(await sessionsOf(page)).toHaveLength(1);
    await expect.poll(desktop.shown).toHaveLength(1);
  });

  test('leaves Vedette in the tray when it is closed, which is said the first time only', async () => {
    const { notifications } = desktop.display;
    notifications.forget();
    await dashboardOf(desktop);
    for (let time = 1; time <= 2; time++) {
      await desktop.closeWindow();
      await expect.poll(desktop.shown).toEqual([]);
      await opened();
    }
    const titles = () => notifications.all().map(({ title }) => title);
    await expect.poll(titles).toEqual(['Vedette goes on watching']);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  test('goes to its pages by the keys of the menu, and is closed by them', async () => {
    for (const [key, place] of [
      ['2', '/events'],
      ['3', '/rules'],
      ['5', '/tag-manager'],
      [',', '/settings'],
      ['1', '/'],
    ] as const) {
      await desktop.press(page, 'Control', key);
      await expect.poll(() => new URL(page.url()).pathname).toBe(place);
    }
    await desktop.press(page, 'Control', 'w');
    await expect.poll(desktop.shown).toEqual([]);
    await opened();
  });

  test('keeps session, size and place over a quit, also where it stays hidden at first', async () => {
    const [session] = await sessionsOf(page);
    const { x, y, width, height } = PLACE;
    await desktop.display.placeWindow((await desktop.shownWindow()).id, x, y, width, height);
    await expect.poll(() => page.evaluate(() => outerWidth)).toBe(width);
    await desktop.press(page, 'Control', 'q');
    expect(await desktop.ended).toEqual({ code: 0, signal: null });

    // What a page keeps belongs to its address, and people stay on one port.
    desktop = await start(['--port', new URL(desktop.url).port, '--hidden']);
    await expect.poll(desktop.tray.isThere).toBe(true);
    expect(await desktop.shown()).toEqual([]);
    await opened();
    page = await desktop.window();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect((await sessionsOf(page)).map(({ id }) => id)).toEqual([session?.id]);
    await expect.poll(desktop.shown).toMatchObject([PLACE]);
  });

  test('asks before words are lost that are not saved, and takes events meanwhile', async () => {
    await dashboardOf(desktop, '/rules/new');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Half a rule');
    const window = await desktop.shownWindow();
    await desktop.press(page, 'Control', 'r');
    await expect.poll(desktop.shown).toHaveLength(2);
    await callsTo(desktop.url).send('purchase');

    const question = (await desktop.shown()).find(({ id }) => id !== window.id);
    await desktop.display.closeWindow(question?.id ?? 0);
    await expect.poll(desktop.shown).toHaveLength(1);
    expect(await name.inputValue()).toBe('Half a rule');
    expect(await storedEvents(desktop.url)).toHaveLength(1);
  });

  test('ends Vedette when it is closed, where that is not to stay in the tray', async () => {
    const changed = await bridge(page, 'change', { close_to_tray: false });
    expect(changed.close_to_tray).toBe(false);
    await desktop.closeWindow();
    expect(await desktop.ended).toEqual({ code: 0, signal: null });
  });
});
