import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { templateFor } from '../../../server/tagmanager/template.ts';
import { callsTo } from '../../helpers/desktop/calls.ts';
import { bridge, sharedWindow } from '../../helpers/desktop/pages.ts';
import { runDesktop } from '../../helpers/desktop/program.ts';
import { offerSleep } from '../../helpers/desktop/sleep.ts';
import { desktopSuite } from '../../helpers/desktop/suite.ts';

desktopSuite('the program that runs', () => {
  test('shows its window when it is started a second time, which ends by itself', async () => {
    const { desktop, page } = await sharedWindow('/rules');
    await desktop.closeWindow();
    await expect.poll(desktop.shown).toEqual([]);
    const second = await runDesktop({ dataDir: desktop.dataDir });
    expect(await second.ended).toEqual({ code: 0, signal: null });
    await expect.poll(desktop.shown).toHaveLength(1);
    expect(new URL(page.url()).pathname).toBe('/rules');
    expect(Array.isArray(await callsTo(desktop.url).call('GET', '/rules'))).toBe(true);
  });

  test('saves a file of the dashboard by the dialog of the system', async () => {
    const { desktop, page } = await sharedWindow('/tag-manager/template');
    await letGoOfFiles(page);
    await page.getByRole('button', { name: 'Download template' }).click();
    const asking = async () =>
      (await desktop.shown()).find(({ title }) => title === 'Save vedette.tpl');
    await expect.poll(asking).toBeDefined();
    await desktop.display.focus((await asking())?.id ?? 0);
    await desktop.display.press('Enter');
    await expect.poll(asking).toBeUndefined();
    const file = path.join(desktop.home, 'vedette.tpl');
    await expect.poll(() => existsSync(file)).toBe(true);
    const whole = templateFor(desktop.url);
    expect(whole).toContain('___TESTS___');
    await expect.poll(() => readFileSync(file, 'utf8')).toBe(whole);
  });

  test('starts hidden at sign-in to the computer once that is switched on, until it is off', async () => {
    const { desktop, page } = await sharedWindow();
    const file = path.join(desktop.home, '.config/autostart/vedette.desktop');
    expect(await bridge(page, 'read')).toMatchObject({ start_at_login: false });

    const on = { start_at_login: true };
    expect(await bridge(page, 'change', on)).toMatchObject(on);
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^\[Desktop Entry\]\n/);
    const line = /^Exec=(.*)$/m.exec(text)?.[1] ?? '';
    const given = ['--data-dir', desktop.dataDir, '--host', '127.0.0.1', '--port', '0'];
    expect(argumentsOf(line)).toEqual([...desktop.command, ...given, '--hidden']);

    const off = { start_at_login: false };
    expect(await bridge(page, 'change', off)).toMatchObject(off);
    expect(existsSync(file)).toBe(false);
  });

  test('tells the evaluator when the machine wakes up', async () => {
    const { desktop } = await sharedWindow();
    const machine = await offerSleep(desktop.display.bus);
    const log = path.join(desktop.dataDir, 'logs/vedette.log');
    // Nobody says when it has begun to listen, so it sleeps until it is heard.
    await expect
      .poll(() => {
        machine.fallAsleep();
        machine.wakeUp();
        return readFileSync(log, 'utf8').includes('The machine woke up');
      })
      .toBe(true);
  });
});

/** Who drives a page gets its files otherwise; these are to go the way that a person's go. */
async function letGoOfFiles(page: Page): Promise<void> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  await session?.send('Browser.setDownloadBehavior', { behavior: 'default' });
}

/** As the Desktop Entry specification reads it: the rules of all its texts, then those of Exec. */
function argumentsOf(line: string): string[] {
  const text = line.replaceAll('\\\\', '\\');
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, bare]) =>
    (quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? '').replaceAll('%%', '%'),
  );
}
