import { describe, expect, test } from 'vitest';
import { barriersInBoth } from '../helpers/axe.ts';
import { visit } from '../helpers/browser.ts';
import { sharedAppliance } from '../helpers/tenant.ts';
import { asked, desktopWindow, failing, holding } from './desktop-parts.ts';

const PASSWORD = 'correct horse battery';
const OPEN = 'Open the dashboard';

describe('the desktop window, signed out', () => {
  test('opens the dashboard by one button, where one wanted to be', async () => {
    await using at = await desktopWindow('/alerts?status=open', {
      isSignedIn: false,
      appliance: { password: PASSWORD },
    });
    const { page } = at;
    const open = page.getByRole('button', { name: OPEN });
    await expect.poll(() => open.evaluate((it) => it === document.activeElement)).toBe(true);
    expect(await page.getByLabel('Password').count()).toBe(0);
    expect(await page.getByText('terminal').count()).toBe(0);

    const go = await holding(page, 'signIn');
    await page.keyboard.press('Enter');
    await expect.poll(() => open.isDisabled()).toBe(true);
    await go();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(page.url()).toBe(`${at.appliance.url}/alerts?status=open`);
    expect(await asked(page)).toEqual(['signIn']);
    expect(at.faults).toEqual([]);
  });

  test('says why it could not be opened, and lets the password do it', async () => {
    await using at = await desktopWindow('/', {
      isSignedIn: false,
      appliance: { password: PASSWORD },
      faults: { signIn: 'Vedette is about to close' },
    });
    const { page } = at;
    await page.getByRole('button', { name: OPEN }).click();
    await page.getByText('Vedette is about to close.', { exact: true }).waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(at.faults).toEqual([]);
  });

  test('says so when the shell believes that it signed the window in, and did not', async () => {
    await using at = await desktopWindow('/alerts', { isSignedIn: false });
    const { page } = at;
    await page.route('**/api/v1/session', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 204 }) : route.continue(),
    );
    await page.getByRole('button', { name: OPEN }).click();
    await page.getByText('This window was not signed in. Try once more.').waitFor();
    // Without a password there is nothing else to try.
    expect(await page.getByLabel('Password').count()).toBe(0);
    await page.unroute('**/api/v1/session');
    await page.getByRole('button', { name: OPEN }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(at.faults).toEqual([]);
  });

  test('comes back to the page and the tenant that a session which ran out left', async () => {
    await using at = await desktopWindow('/settings/tenants', { appliance: {} });
    const { page } = at;
    await page.getByRole('textbox', { name: 'Name' }).fill('Second');
    await page.getByRole('button', { name: 'Add the tenant' }).click();
    await page.getByRole('button', { name: 'Switch to it' }).click();
    await page.getByRole('banner').getByText('Second').waitFor();
    await page.getByRole('link', { name: 'Rules', exact: true }).click();
    await page.getByRole('link', { name: 'New rule' }).first().click();
    const name = page.locator('#main').getByLabel('Name', { exact: true });
    await name.fill('half a rule');

    await page.context().clearCookies();
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    const cover = page.getByRole('dialog', { name: 'Sign in' });
    await cover.getByText('Open the dashboard to go on where you were').waitFor();
    await cover.getByRole('button', { name: OPEN }).click();
    await cover.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('half a rule');
    await page.getByRole('banner').getByText('Second').waitFor();
    expect(at.faults).toEqual([]);
  });

  test('keeps nobody out, in light and dark', async () => {
    await using at = await desktopWindow('/', { isSignedIn: false });
    const { page } = at;
    await failing(page, 'signIn', 'Not now');
    await page.getByRole('button', { name: OPEN }).click();
    await page.getByText('Not now.', { exact: true }).waitFor();
    expect(await barriersInBoth(page)).toEqual([]);
  });
});

test('a browser is asked for the password, or told of the window and the link', async () => {
  await using at = await visit(await sharedAppliance());
  await at.page.getByText('No password is set yet').waitFor();
  await at.page.getByText('the new link that it shows in the terminal').waitFor();
  expect(await at.page.getByRole('button', { name: OPEN }).count()).toBe(0);
});

test('where Vedette does not answer, the window leads to the tray and the logs', async () => {
  await using at = await desktopWindow('/icon.svg');
  const { page } = at;
  await page.route('**/api/v1/session', (route) => route.abort());
  await page.goto('/');
  await page.getByText('quit Vedette from its icon in the tray').waitFor();
  await page.getByRole('button', { name: 'Open the logs folder' }).click();
  await expect.poll(() => asked(page)).toEqual(['openFolder "logs"']);
  await page.unroute('**/api/v1/session');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
});

test('the first steps speak of the window, not of a link in a terminal', async () => {
  await using at = await desktopWindow('/welcome', { appliance: {} });
  const { page } = at;
  await page.getByRole('button', { name: /Set a password/ }).click();
  await page.getByText('This window does without.').waitFor();
  expect(await page.getByText('link in the terminal').count()).toBe(0);
});

test('copying needs no permission of the shell', async () => {
  await using at = await desktopWindow('/settings/about');
  const { page } = at;
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('denied'));
    document.addEventListener('copy', () => (document.title = getSelection()?.toString() ?? ''));
  });
  await page.getByRole('button', { name: 'Copy the data folder' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.title()).toBe(at.appliance.dataDir);
});
