import { describe, expect, it } from 'vitest';
import { dashboard, signedIn } from '../helpers/browser.ts';
import { startAppliance } from '../helpers/appliance.ts';
import { tempDir } from '../helpers/temp-dir.ts';

describe('the frame', () => {
  it('leads to every page, by links that show where one is', async () => {
    await using window = await dashboard();
    const { page, faults } = window;
    for (const name of ['Events', 'Rules', 'Alerts', 'Tag manager', 'Settings', 'Overview']) {
      const link = page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name, exact: true });
      await link.click();
      await page.waitForFunction(() => document.querySelector('main h1') !== null);
      expect(await link.getAttribute('aria-current')).toBe('page');
    }
    await page.goBack();
    expect(new URL(page.url()).pathname).toMatch(/^\/settings/);
    expect(faults).toEqual([]);
  });

  it('says that there is no such page, and leads back', async () => {
    await using window = await dashboard('/events/nothing/here');
    await window.page.getByText('There is no page here').waitFor();
    await window.page.getByRole('link', { name: 'Go to the overview' }).click();
    await window.page.getByText('Nothing has arrived yet').waitFor();
  });

  it('finds pages by the palette, with keys alone', async () => {
    await using window = await dashboard();
    const { page, faults } = window;
    await page.getByText('Nothing has arrived yet').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('A page, a rule').waitFor();
    await page.keyboard.type('storage');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/settings/storage');
    expect(faults).toEqual([]);
  });

  it('keeps to the light or dark that was chosen, from before the first paint', async () => {
    await using window = await dashboard('/', { colorScheme: 'light' });
    const { page } = window;
    const shown = () => page.evaluate(() => document.documentElement.dataset['theme']);
    expect(await shown()).toBe('light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(shown).toBe('dark');
    await page.getByRole('button', { name: 'Look, password, sign out' }).click();
    await page.getByRole('menuitem', { name: 'Light' }).click();
    await expect.poll(shown).toBe('light');
    await page.reload();
    expect(await shown()).toBe('light');
  });

  it('says when Vedette cannot be reached, and goes on by itself when it can', async () => {
    const dataDir = tempDir();
    const first = await startAppliance({ dataDir });
    await using window = await signedIn(first, '/');
    const { page } = window;
    await page.getByText('Nothing has arrived yet').waitFor();
    await first.close();
    await page.getByRole('link', { name: 'Rules', exact: true }).click();
    await page.getByText('Vedette cannot be reached').first().waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();

    await using second = await startAppliance({ dataDir, port: Number(new URL(first.url).port) });
    await second.post([{ source: 'shop', event_type: 'purchase', data: {} }]);
    await page.getByText('Events arrive, but no rule watches them').waitFor();
    await expect.poll(() => page.getByText('What you see is as it was').count()).toBe(0);
  });

  it('shows another tenant as soon as one is chosen', async () => {
    await using window = await dashboard();
    const { page, appliance } = window;
    await appliance.post([{ source: 'shop', event_type: 'purchase', data: {} }]);
    await page.evaluate(() =>
      fetch('/api/v1/tenants', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Second <b>shop</b>' }),
      }),
    );
    await page.reload();
    await page.getByRole('button', { name: /switch tenant/ }).click();
    await page.getByRole('menuitem', { name: 'Second <b>shop</b>' }).click();
    await page.getByText('Nothing has arrived yet').waitFor();
    expect(await page.getByRole('button', { name: /switch tenant/ }).innerText()).toContain(
      'Second <b>shop</b>',
    );
    expect(window.faults).toEqual([]);
  });

  it('does nothing for one tenant in a window that still shows another', async () => {
    await using window = await dashboard('/settings/tenants');
    const { page, appliance } = window;
    const names = async () =>
      page.evaluate(() =>
        fetch('/api/v1/tenants')
          .then((answer) => answer.json() as Promise<{ name: string }[]>)
          .then((all) => all.map(({ name }) => name)),
      );
    await page.getByLabel('Name', { exact: true }).fill('Second');
    await page.getByRole('button', { name: 'Add the tenant' }).click();
    await page.getByText('Second is added.').waitFor();
    const asBefore = await names();

    // A second browser with the same session, as far as the appliance can tell.
    const other = await page.context().newPage();
    await other.goto(`${appliance.url}/health`);
    await other.evaluate(async (second) => {
      const tenants = (await (await fetch('/api/v1/tenants')).json()) as {
        id: string;
        name: string;
      }[];
      const body = JSON.stringify({ tenant_id: tenants.find(({ name }) => name === second)?.id });
      await fetch('/api/v1/session', {
        method: 'PATCH',
        body,
        headers: { 'content-type': 'application/json' },
      });
    }, 'Second');

    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name of the tenant').fill('Renamed by the wrong window');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => page.getByRole('button', { name: /switch tenant/ }).innerText())
      .toContain('Second');
    expect(await names()).toEqual(asBefore);
  });
});
