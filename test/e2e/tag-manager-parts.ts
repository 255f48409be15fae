import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { ChangeView } from '../../server/tagmanager/changes/schema.ts';
import { signedIn } from '../helpers/browser.ts';
import { standIn } from '../helpers/tag-manager-stand-in.ts';
import type { Known } from '../helpers/tag-manager-stand-in.ts';
import { freshTenant } from '../helpers/tenant.ts';

export const STATUS = '/tag-manager';
export const CONTAINER = '/tag-manager/container';
export const CHANGES = '/tag-manager/changes';

/**
 * A page of a tag manager that is connected and in order, but for what is given. Whatever the test
 * is about, it must not do what no page may do.
 */
export async function opened(
  path: string,
  given: Partial<Known> = {},
  options: Parameters<typeof signedIn>[2] = {},
) {
  const tenant = await freshTenant();
  const stand = await standIn(tenant, given);
  const window = await signedIn(tenant, path, { reducedMotion: 'reduce', ...options });
  onTestFinished(async () => {
    await window[Symbol.asyncDispose]();
    expect(window.faults).toEqual([]);
  });
  return { page: window.page, ...stand, tenant };
}

/** The consent screen, where nothing is to be asked of the network. */
export const answerConsent = (page: Page) =>
  page
    .context()
    .route('https://accounts.google.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Consent</title><h1>Consent</h1>' }),
    );

export const names = (page: Page) => page.locator('tbody th a').allTextContents();
export const search = (page: Page) =>
  page.getByRole('searchbox', { name: 'Name, type, trigger or id' });
export const panel = (page: Page, kind: string) => page.getByRole('complementary', { name: kind });

export const is = (status: ChangeView['status'], changes: ChangeView[]) =>
  changes.map((change) => ({ ...change, status }));
/** Whether the keyboard is there. */
export const isFocused = (one: Element): boolean => one === document.activeElement;
/** By how much the page is wider than its window. */
export const excess = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
/** Whether a stranger's text was taken for a script. */
export const hasRun = (page: Page): Promise<boolean> => page.evaluate(() => 'broken' in globalThis);
