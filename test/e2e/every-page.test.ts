import { describe, expect, it } from 'vitest';
import { startAppliance } from '../helpers/appliance.ts';
import type { TestAppliance } from '../helpers/appliance.ts';
import { barriers } from '../helpers/axe.ts';
import { signedIn, visit } from '../helpers/browser.ts';
import { fillWithMarkup } from '../helpers/hostile.ts';

const PAGES = [
  ...[
    '/',
    '/welcome',
    '/events',
    '/events/types',
    '/events/rejected',
    '/rules',
    '/rules/new',
    '/alerts',
    '/tag-manager',
    '/tag-manager/container',
    '/tag-manager/changes',
    '/tag-manager/template',
  ],
  ...['keys', 'webhook', 'storage', 'network', 'access', 'tenants', 'about'].map(
    (name) => `/settings/${name}`,
  ),
];

/** What a page must never do, whatever is in it. */
async function look(
  appliance: TestAppliance,
  paths: readonly string[],
  colorScheme: 'light' | 'dark',
) {
  await using window = await signedIn(appliance, '/', {
    colorScheme,
    viewport: { width: 900, height: 800 },
  });
  const { page, faults } = window;
  page.on('dialog', (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const found: Record<string, string[]> = {};
  for (const path of paths) {
    await page.goto(path);
    await page.locator('h1').first().waitFor({ state: 'attached' });
    await expect.poll(() => page.locator('.loading').count()).toBe(0);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    found[path] = [
      ...(await barriers(page)),
      ...(wide > 0 ? [`${wide} pixels wider than the window`] : []),
      ...((await page.evaluate(() => 'broken' in globalThis)) ? ['ran a stranger’s script'] : []),
      ...faults.splice(0),
    ];
  }
  return Object.fromEntries(Object.entries(found).filter(([, faults]) => faults.length > 0));
}

describe.each(['light', 'dark'] as const)('every page in %s', (scheme) => {
  it('keeps nobody out while it is empty', async () => {
    await using appliance = await startAppliance();
    expect(await look(appliance, PAGES, scheme)).toEqual({});
  });

  it('keeps nobody out when it is full, and takes no text for markup', async () => {
    await using appliance = await startAppliance();
    const { rule, alert } = await fillWithMarkup(appliance);
    const more = [
      `/rules/${rule}`,
      `/alerts/${alert}`,
      '/alerts?status=all',
      '/events/types?type=x',
    ];
    expect(await look(appliance, [...PAGES, ...more], scheme)).toEqual({});
  });
});

describe.each(['light', 'dark'] as const)('the page for signing in, in %s', (colorScheme) => {
  it('keeps nobody out', async () => {
    await using appliance = await startAppliance({ password: 'a long password' });
    await using window = await visit(appliance, '/alerts', { colorScheme });
    await window.page.getByLabel('Password', { exact: true }).waitFor();
    expect(await barriers(window.page)).toEqual([]);
    expect(window.faults).toEqual([]);
  });
});
