import { describe, expect, it } from 'vitest';
import { startAppliance } from '../helpers/appliance.ts';
import { barriers } from '../helpers/axe.ts';
import { ownDashboard, hide, visit } from '../helpers/browser.ts';

const MARKUP = '<img src=x onerror="document.title=1"><b>Shop</b>';

/** The first start of an appliance, in a browser that has never been here. */
async function firstStart() {
  const appliance = await startAppliance();
  // A colour on its way to another is no colour to judge contrast by.
  const still = { reducedMotion: 'reduce' } as const;
  const window = await visit(appliance, appliance.signInUrl(), still);
  await window.page.getByRole('heading', { level: 1, name: 'Welcome to Vedette' }).waitFor();
  return {
    ...window,
    appliance,
    async [Symbol.asyncDispose]() {
      await window[Symbol.asyncDispose]();
      await appliance.close();
    },
  };
}

describe('the first start', () => {
  it('leads from nothing to the first event and the first rules, with strangers’ text as text', async () => {
    await using window = await firstStart();
    const { page, appliance } = window;
    await page.getByLabel('Name').fill(MARKUP);
    await page.getByRole('button', { name: 'Save the name' }).click();
    await page.getByText(MARKUP).waitFor();

    const password = page.getByLabel('New password');
    await password.fill('short');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('It needs at least 10 characters.').waitFor();
    await password.fill('long enough');
    await page.getByLabel('The same again').fill('long enougH');
    await page.getByText('This is not the same as above.').waitFor();
    await page.getByLabel('The same again').fill('long enough');
    await page.getByRole('button', { name: 'Set the password' }).click();

    await page.getByRole('button', { name: 'Make a key for sending' }).click();
    const code = page.getByLabel('curl command', { exact: true });
    await expect.poll(() => code.textContent()).toMatch(/X-API-Key: vdt_/);
    await page.getByText('Waiting for the first event').waitFor();
    expect(await barriers(page)).toEqual([]);

    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByText('The way works: your test event arrived.').waitFor();

    const data = { [MARKUP]: MARKUP, order_id: 'A-1' };
    // Who sends them is at another window meanwhile.
    await hide(page);
    await appliance.post(
      Array.from({ length: 30 }, () => ({ source: MARKUP, event_type: 'purchase', data })),
    );
    await hide(page, false);
    await page.getByText('arrived from').waitFor();
    await page.getByText(/^29 more have arrived|^30 more have arrived/).waitFor();

    await page.getByRole('checkbox', { name: /Purchases without required fields/ }).uncheck();
    await page.getByRole('button', { name: 'Make this rule' }).click();
    await page.getByText('1 rule is watching now').waitFor();
    expect((await appliance.get('/rules')).json()).toMatchObject([{ name: 'Purchases stopped' }]);
    expect(await barriers(page)).toEqual([]);

    await page.getByRole('button', { name: 'Go to the overview' }).last().click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(await page.title()).not.toBe('1');
    expect(window.faults).toEqual([]);
  });

  it('can be skipped as a whole, and is not shown again', async () => {
    await using window = await firstStart();
    const { page } = window;
    await page.getByRole('button', { name: 'Skip all' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.reload();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it('shows what was refused, and why', async () => {
    await using window = await firstStart();
    const { page, appliance } = window;
    for (const name of ['Keep this name', 'Skip, no password for now']) {
      await page.getByRole('button', { name }).click();
    }
    await page.getByText('Waiting for the first event').waitFor();
    await appliance.post([{ source: 'web', event_type: 7, data: {} }]);
    const refused = page.getByText('Something came at');
    await refused.waitFor();
    expect(await refused.textContent()).toContain('[0].event_type: must be a string');
    expect(window.faults).toEqual([]);
  });
});

describe('connecting something later', () => {
  it('begins at the snippets, and says what came last', async () => {
    await using window = await ownDashboard('/', { password: 'correct horse' });
    const { page, appliance } = window;
    await appliance.post([{ source: 'backend', event_type: 'signup', data: { plan: 'pro' } }]);
    await page.goto('/welcome');
    await page.getByRole('heading', { name: 'Connect something that sends events' }).waitFor();
    await page.getByText('The last was').waitFor();
    await page.getByRole('tab', { name: 'Browser' }).click();
    const text = await page.getByLabel('browser code', { exact: true }).textContent();
    expect(text).toContain('keepalive');
    expect(text).toContain(appliance.url);

    await page.getByRole('tab', { name: 'Tag manager' }).click();
    await page.getByRole('link', { name: 'Download the template and import it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tag manager' }).waitFor();
    expect(window.faults).toEqual([]);
  });
});
