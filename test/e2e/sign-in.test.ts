import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAppliance } from '../helpers/appliance.ts';
import type { TestAppliance } from '../helpers/appliance.ts';
import { signedIn, visit } from '../helpers/browser.ts';
import type { StandingClock } from '../helpers/monitored.ts';
import { sharedDir } from '../helpers/temp-dir.ts';
import { sharedAppliance } from '../helpers/tenant.ts';

const PASSWORD = 'correct horse battery';

let vedette: TestAppliance;
beforeAll(async () => {
  vedette = await startAppliance({ password: PASSWORD, dataDir: sharedDir() });
});
afterAll(() => vedette.close());

describe('signing in', () => {
  it('by a link takes the token out of the address, and the link works once', async () => {
    const vedette = await sharedAppliance();
    const link = vedette.signInUrl();
    await using first = await visit(vedette, link);
    await first.page.getByRole('heading', { level: 1 }).waitFor();
    expect(first.page.url()).not.toContain('token');
    await expect.poll(() => new URL(first.page.url()).pathname).not.toBe('/sign-in');
    // Back leads to where one was before, not to the link.
    await first.page.goBack();
    expect(first.page.url()).not.toContain('token');

    await using second = await visit(vedette, link);
    await second.page.getByText('was used already or has expired').waitFor();
    await second.page.getByText('There is no password to use instead').waitFor();
    expect(await second.page.getByLabel('Password').count()).toBe(0);
    expect(second.page.url()).toBe(`${vedette.url}/sign-in`);

    // A fresh link in the same window changes no more than what stands behind the #.
    await second.page.goto(vedette.signInUrl());
    await second.page.waitForURL((url) => url.pathname !== '/sign-in');
    expect([...first.faults, ...second.faults]).toEqual([]);
  });

  it('by an old link is no obstacle to who is signed in already', async () => {
    await using window = await signedIn(vedette, '/alerts');
    await window.page.goto(`${vedette.url}/sign-in#token=used-long-ago`);
    await window.page.waitForURL(`${vedette.url}/`);
    await window.page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(window.faults).toEqual([]);
  });

  it('by password says what is wrong, waits after too many attempts, and leads to where one wanted', async () => {
    // The wait is over when the test says so, however slow the machine is.
    const clock: StandingClock = { time: Date.now(), now: () => clock.time };
    await using vedette = await startAppliance({ password: PASSWORD, clock });
    await using window = await visit(vedette, '/alerts?status=open');
    const { page } = window;
    const field = page.getByLabel('Password');
    await field.fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Wrong password').first().waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');

    for (let i = 0; i < 4; i += 1) {
      await vedette.app.inject({
        ...{ method: 'POST', url: '/api/v1/session', headers: { host: 'localhost' } },
        payload: { password: 'wrong' },
      });
    }
    await field.fill(PASSWORD);
    await field.press('Enter');
    await page.getByText(/^Too many attempts\. Try again in \d s\.$/).waitFor();
    clock.time += 60_000;
    expect(await page.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole('button', { name: 'Sign in' }).isEnabled()).toBe(true);
    await field.press('Enter');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(page.url()).toBe(`${vedette.url}/alerts?status=open`);
    expect(window.faults).toEqual([]);
  });

  it('goes on by itself when the appliance is back, with what was typed', async () => {
    await using window = await visit(vedette);
    const { page } = window;
    await page.getByLabel('Password').fill(PASSWORD);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const lost = page.getByText('Vedette cannot be reached. This page tries again');
    await lost.waitFor();
    await page.context().setOffline(false);
    await lost.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });
});

describe('a session that runs out', () => {
  it('is covered by the sign-in, and the page beneath is as it was', async () => {
    await using window = await signedIn(vedette, '/rules/new?event_type=purchase');
    const { page } = window;
    const name = page.locator('#main').getByLabel('Name', { exact: true });
    await name.fill('half a rule');

    await page.context().clearCookies();
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    const cover = page.getByRole('dialog', { name: 'Sign in' });
    await cover.getByText('Your session has ended').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('password');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await cover.getByLabel('Password').fill(PASSWORD);
    await cover.getByLabel('Password').press('Enter');
    await cover.waitFor({ state: 'detached' });

    expect(await name.inputValue()).toBe('half a rule');
    expect(page.url()).toBe(`${vedette.url}/rules/new?event_type=purchase`);
    expect(window.faults).toEqual([]);
  });
});

describe('signing out', () => {
  it('leaves nothing of the page behind', async () => {
    await using window = await signedIn(vedette, '/alerts');
    const { page, faults } = window;
    await page.getByRole('button', { name: 'Look, password, sign out' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('main').getByLabel('Password').waitFor();
    expect(await page.locator('nav, dialog').count()).toBe(0);
    expect(faults).toEqual([]);
  });
});

describe('where the dashboard does not answer', () => {
  it('a browser gets a page to read, and programs get JSON', async () => {
    const vedette = await sharedAppliance();
    const ask = (url: string, headers: Record<string, string>) =>
      vedette.app.inject({ url, remoteAddress: '192.168.1.7', headers });
    const page = await ask('/alerts', { host: '192.168.1.20', accept: 'text/html,*/*;q=0.8' });
    expect(page.statusCode).toBe(403);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body).toContain('dashboard on the LAN');
    expect(page.body).not.toContain('<script');
    expect(String(page.headers['content-security-policy'])).not.toContain('script-src');

    const api = await ask('/api/v1/session', { host: '192.168.1.20', accept: 'text/html' });
    expect([api.statusCode, api.headers['content-type']]).toEqual([
      403,
      'application/json; charset=utf-8',
    ]);
    const program = await ask('/', { host: '192.168.1.20', accept: '*/*' });
    expect(program.json()).toHaveProperty('detail');

    // Browsers take every name below localhost for this machine.
    const url = vedette.url.replace('127.0.0.1', 'evil.localhost');
    await using window = await visit({ url }, '/alerts');
    await window.page.getByRole('heading', { name: 'does not answer to this name' }).waitFor();
    expect(await window.page.content()).not.toContain('evil');
    expect(window.faults).toEqual([]);
  });
});
