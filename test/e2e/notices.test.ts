import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startAppliance } from '../helpers/appliance.ts';
import { barriers, barriersInBoth } from '../helpers/axe.ts';
import { ownDashboard } from '../helpers/browser.ts';
import { tempDir } from '../helpers/temp-dir.ts';

test('what was found at the start stands on the overview until somebody has read it', async () => {
  const dataDir = tempDir();
  const before = await startAppliance({ dataDir });
  await before.close();
  writeFileSync(path.join(dataDir, 'settings.json'), '{"version": 1, "tenan');

  await using at = await ownDashboard('/', { dataDir });
  const { page } = at;
  const notices = page.getByRole('region', { name: 'Found at the start' });
  await notices.getByText('The settings could not be read').waitFor();
  expect(await barriers(page)).toEqual([]);
  await notices.getByRole('button', { name: 'I have read this' }).click();
  await notices.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await notices.count()).toBe(0);
  expect(at.faults).toEqual([]);
});

test('a clock that has moved ahead is asked about on the overview', async () => {
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  await using at = await ownDashboard('/', { clock, elapsed: () => performance.now() });
  const { page } = at;
  await page.getByRole('heading', { level: 1 }).waitFor();
  ahead = 20 * 86_400_000;
  await page.reload();
  const asked = page.getByRole('region', { name: 'Clock' });
  await asked.getByText('The clock has moved ahead by 20 days').waitFor();
  expect(await barriersInBoth(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 700 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await asked.getByRole('button', { name: 'Confirm new date' }).click();
  await asked.waitFor({ state: 'detached' });
  expect(at.faults).toEqual([]);
});

test('where Vedette is reached from outside, the overview leads to a password until there is one', async () => {
  await using at = await ownDashboard('/', { publicUrl: 'https://events.shop.example' });
  const { page } = at;
  await page.getByText('and the dashboard has no password').waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('link', { name: 'Set a password' }).click();
  await page.getByLabel('New password').fill('a long enough sentence');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByText('The password is set').waitFor();
  await page.getByRole('link', { name: 'Vedette, overview' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.getByText('has no password').count()).toBe(0);
  expect(at.faults).toEqual([]);
});
