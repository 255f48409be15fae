import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { startAppliance } from '../helpers/appliance.ts';
import { barriersInBoth } from '../helpers/axe.ts';
import { ownDashboard, signedIn, visit } from '../helpers/browser.ts';
import type { Visit } from '../helpers/browser.ts';
import { fillWithMarkup } from '../helpers/hostile.ts';

const SMALL = { viewport: { width: 900, height: 800 } };

const PAGES = [
  ...['/', '/welcome', '/events', '/events/types', '/events/rejected', '/rules', '/rules/new'],
  ...['/alerts', '/tag-manager'],
  ...['container', 'changes', 'template'].map((name) => `/tag-manager/${name}`),
  ...['keys', 'webhook', 'storage', 'network', 'access', 'tenants', 'about'].map(
    (name) => `/settings/${name}`,
  ),
];

type Way = (page: Page, path: string) => Promise<unknown>;

const byAddress: Way = (page, path) => page.goto(path);

/** Loads nothing anew. Between two pages there is a third, for the second to be waited for. */
const byLink: Way = async (page, path) => {
  const between = page.getByText('There is no page here');
  for (const to of ['/nothing/here', path]) {
    await page.evaluate((href) => {
      const link = Object.assign(document.createElement('a'), { href });
      document.body.append(link);
      link.click();
      link.remove();
    }, to);
    await between.waitFor({ state: to === path ? 'detached' : 'visible' });
  }
};

/** What a page must never do, whatever is in it, by the pages that do it. */
async function look({ page, faults }: Visit, paths: readonly string[], go: Way) {
  page.on('dialog', (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const found: Record<string, string[]> = {};
  for (const path of paths) {
    await go(page, path);
    expect(new URL(page.url()).pathname).toBe(path.split('?')[0]);
    await page.locator('h1').first().waitFor({ state: 'attached' });
    await expect.poll(() => page.locator('.loading').count()).toBe(0);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    const all = [
      ...(await barriersInBoth(page)),
      ...(wide > 0 ? [`${wide} pixels wider than the window`] : []),
      ...((await page.evaluate(() => 'broken' in globalThis)) ? ['ran a stranger’s script'] : []),
      ...faults.splice(0),
    ];
    if (all.length > 0) found[path] = all;
  }
  return found;
}

it('every page keeps nobody out while it is empty, in light and dark', async () => {
  await using window = await ownDashboard('/', {}, SMALL);
  expect(await look(window, PAGES, byLink)).toEqual({});
});

it('every page keeps nobody out when it is full, and takes no text for markup', async () => {
  await using appliance = await startAppliance();
  const { rule, alert } = await fillWithMarkup(appliance);
  await using window = await signedIn(appliance, '/icon.svg', SMALL);
  const more = [`/rules/${rule}`, `/alerts/${alert}`, '/alerts?status=all', '/events/types?type=x'];
  expect(await look(window, [...PAGES, ...more], byAddress)).toEqual({});
});

it('the page for signing in keeps nobody out, in light and dark', async () => {
  await using appliance = await startAppliance({ password: 'a long password' });
  await using window = await visit(appliance, '/alerts');
  await window.page.getByLabel('Password', { exact: true }).waitFor();
  expect(await barriersInBoth(window.page)).toEqual([]);
  expect(window.faults).toEqual([]);
});
