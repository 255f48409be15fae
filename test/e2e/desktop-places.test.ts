import { expect, test } from 'vitest';
import { desktopWindow, led } from './desktop-parts.ts';

test('the menu leads to a page without loading anything anew', async () => {
  await using at = await desktopWindow('/');
  const { page } = at;
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await led(page, '/settings/desktop');
  await page.getByRole('switch', { name: /^Keep running/ }).waitFor();
  expect(page.url()).toBe(`${at.appliance.url}/settings/desktop`);
  expect(await page.evaluate('window.isSame')).toBe(true);
  expect(at.faults).toEqual([]);
});

test('what is not saved is not left without asking', async () => {
  await using at = await desktopWindow('/rules/new');
  const { page } = at;
  await page.getByLabel('Name', { exact: true }).fill('Half a rule');
  await led(page, '/alerts');
  await page.getByRole('button', { name: 'Leave' }).waitFor();
  expect(page.url()).toBe(`${at.appliance.url}/rules/new`);
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect.poll(() => page.url()).toBe(`${at.appliance.url}/alerts`);
});
