import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { templateFor } from '../../server/tagmanager/template.ts';
import { useDisplay } from '../helpers/desktop/display.ts';
import { dashboardOf } from '../helpers/desktop/pages.ts';
import { startDesktop } from '../helpers/desktop/program.ts';
import { programs } from '../helpers/desktop/programs.ts';
import { tempDir } from '../helpers/temp-dir.ts';

/** Who drives a page gets its files otherwise; these are to go the way that a person's go. */
async function letGoOfFiles(page: Page): Promise<void> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  await session?.send('Browser.setDownloadBehavior', { behavior: 'default' });
}

for (const program of programs('a file of the dashboard'))
  describe.skipIf(program.why !== undefined)(program.name, () => {
    const display = useDisplay(program);

    test('is saved by the dialog of the system', async () => {
      const desktop = await startDesktop(display(), { dataDir: tempDir() });
      const page = await dashboardOf(desktop, '/tag-manager/template');
      await letGoOfFiles(page);
      await page.getByRole('button', { name: 'Download template' }).click();
      const asking = async () =>
        (await desktop.shown()).find(({ title }) => title === 'Save vedette.tpl');
      await expect.poll(asking).toBeDefined();
      await display().focus((await asking())?.id ?? 0);
      await display().press('Enter');
      await expect.poll(asking).toBeUndefined();
      const file = path.join(desktop.home, 'vedette.tpl');
      await expect.poll(() => existsSync(file)).toBe(true);
      const whole = templateFor(desktop.url);
      expect(whole).toContain('___TESTS___');
      await expect.poll(() => readFileSync(file, 'utf8')).toBe(whole);
    });
  });
