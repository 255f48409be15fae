import { readdirSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dashboard, ownDashboard } from '../helpers/browser.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const HTML = '<img src=x onerror="throw 1">';

test('keeping events for less long asks, and says what will be gone', async () => {
  await using at = await dashboard('/settings/storage');
  const { page, appliance } = at;
  const kept = async () => (await appliance.get('/tenants/me')).json<{ retention_days: number }>();
  const save = page.getByRole('button', { name: 'Save' });
  await page.getByLabel('Events (days)').waitFor();
  expect(await save.isDisabled()).toBe(true);
  await page.getByLabel('Events (days)').fill('30');
  await save.click();
  const ask = page.getByRole('alertdialog');
  await ask.getByText(/^Events before .+ will be deleted for good within the hour\.$/).waitFor();
  await ask.getByRole('button', { name: 'Cancel' }).click();
  expect((await kept()).retention_days).toBe(90);

  await page.getByRole('link', { name: 'Tenants' }).click();
  await ask.getByText(/not saved/).waitFor();
  await ask.getByRole('button', { name: 'Cancel' }).click();

  await save.click();
  await ask.getByRole('button', { name: 'Delete them' }).click();
  await page.getByText('Saved').waitFor();
  expect((await kept()).retention_days).toBe(30);
  await page.getByLabel('Events (days)').fill('5000');
  await save.click();
  await page.getByText('must be at most 3650').waitFor();
  expect(at.faults).toEqual([]);
});

test('the network section says why the LAN stays shut, and what is wrong with an address', async () => {
  await using at = await ownDashboard('/settings/network', { rateLimitEvents: 5 });
  const { page } = at;
  const lan = page.getByRole('switch', { name: 'Open the dashboard to other machines' });
  await lan.click();
  await page.getByText('Set a password before you open the dashboard to the LAN').waitFor();
  expect(await lan.isChecked()).toBe(false);
  const links = page.getByRole('link', { name: 'Set a password' });
  for (const link of await links.all()) {
    expect(await link.getAttribute('href')).toBe('/settings/access');
  }
  await page
    .getByRole('textbox', { name: 'Public address' })
    .fill('https://events.shop.example/in');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('must not have a path: write https://events.shop.example').waitFor();
  await page.getByRole('textbox', { name: 'Public address' }).fill('https://events.shop.example');
  await page.getByLabel('Trusted proxies').fill('proxy.example');
  await page.getByLabel('Trusted proxies').press('Enter');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('proxy.example must be an address or a network').waitFor();
  await page.getByRole('button', { name: 'Remove proxy proxy.example' }).click();
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Set a password before you enter a public address').waitFor();
  expect(await page.getByLabel('POST').isDisabled()).toBe(true);
  await page.getByText('Held by a start option').first().waitFor();
  expect(at.faults).toEqual([]);
});

test('a tenant is added, switched to and renamed', async () => {
  await using at = await ownDashboard('/settings/tenants');
  const { page } = at;
  await page.getByRole('button', { name: 'Rename Default' }).waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('default');
  await page.getByText('There is one of this name already').waitFor();
  await page.getByRole('button', { name: 'Add the tenant' }).click();
  expect(await page.getByText('is added').count()).toBe(0);
  await page.getByRole('textbox', { name: 'Name' }).fill(HTML);
  await page.getByRole('button', { name: 'Add the tenant' }).click();
  await page.getByRole('button', { name: 'Switch to it' }).click();
  await page.getByRole('banner').getByText(HTML).waitFor();
  await page.getByRole('button', { name: `Rename ${HTML}` }).click();
  await page.getByLabel('Name of the tenant').fill('Second shop');
  await page.getByLabel('Name of the tenant').press('Enter');
  await page.getByRole('banner').getByText('Second shop').waitFor();
  await page.getByRole('button', { name: 'Switch to Default' }).click();
  await page.getByRole('button', { name: 'Rename Default' }).waitFor();
  expect(at.faults).toEqual([]);
});

test('about says what runs, how it is, and when it listened', async () => {
  await using at = await dashboard('/settings/about');
  const { page, appliance } = at;
  await page.getByText(appliance.appliance.dataDir).waitFor();
  await page.getByText('Rules are evaluated').waitFor();
  await page.getByText(/Listening without a break since/).waitFor();
  await page.goto('/settings/nothing');
  await page.getByRole('heading', { name: 'There is no such section' }).waitFor();
  expect(at.faults).toEqual([]);
});

test('the last backup is shown, one can be made now, and it can go to another folder', async () => {
  await using at = await ownDashboard('/settings/storage');
  const { page } = at;
  await page.getByText('The first one is made within an hour').waitFor();
  await page.getByRole('button', { name: 'Back up now' }).click();
  await page.getByText('Backup made').waitFor();
  await page.getByText(/Last backup: .*KB|Last backup: .*MB/).waitFor();

  const folder = page.getByLabel('Backup folder');
  await folder.fill('/not/there');
  await page.getByRole('button', { name: 'Change folder' }).click();
  await page.getByText('must be an existing folder that Vedette can write to').waitFor();
  const other = tempDir();
  await folder.fill(other);
  await page.getByRole('button', { name: 'Change folder' }).click();
  await page.getByText('Saved').waitFor();
  await page.getByRole('button', { name: 'Back up now' }).click();
  await expect.poll(() => readdirSync(other)).toEqual(['events.duckdb', 'settings.json']);

  rmSync(other, { recursive: true });
  await page.getByRole('button', { name: 'Back up now' }).click();
  await page.getByText(`the folder ${other} is missing`).waitFor();
});
