import type { Page } from 'playwright-core';
import type { ChangeView } from '../../server/tagmanager/changes/schema.ts';
import { dashboard } from '../helpers/browser.ts';
import { container } from '../helpers/tag-manager-container.ts';
import type { Inside } from '../helpers/tag-manager-container.ts';
import { connections, job } from '../helpers/tag-manager-stand-in.ts';
import type { Known } from '../helpers/tag-manager-stand-in.ts';

export const CONTAINER = '/tag-manager/container';
export const CHANGES = '/tag-manager/changes';

/** The page about a container that only the stand-in knows. */
export async function openedContainer(
  path = CONTAINER,
  inside: Partial<Inside> = {},
  about: Partial<Known> = {},
  context = {},
) {
  const window = await dashboard('/settings/about', { reducedMotion: 'reduce', ...context });
  const stand = await container(window.page, inside, about);
  await window.page.goto(path);
  return { ...window, ...stand };
}

export const names = (page: Page) => page.locator('tbody th a').allTextContents();
export const search = (page: Page) =>
  page.getByRole('searchbox', { name: 'Name, type, trigger or id' });
export const panel = (page: Page, kind: string) => page.getByRole('complementary', { name: kind });

export const is = (status: ChangeView['status'], changes: ChangeView[]) =>
  changes.map((change) => ({ ...change, status }));

/** The page about changes that only the stand-in knows, which says what was decided. */
export async function openedChanges(
  changes: ChangeView[],
  {
    inside = {},
    about = {},
    path = CHANGES,
    context = {},
  }: { inside?: Partial<Inside>; about?: Partial<Known>; path?: string; context?: object } = {},
) {
  const window = await dashboard('/settings/about', { reducedMotion: 'reduce', ...context });
  const stand = await container(window.page, inside, { changes, ...about });
  const decided: { path: string; ids: string[] }[] = [];
  const { known } = stand;
  await window.page.route('**/tag-manager/changes/{accept,reject}', async (route) => {
    const { ids } = route.request().postDataJSON() as { ids: string[] };
    const path = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    decided.push({ path, ids });
    if (known.refusals[path]) return route.fulfill(known.refusals[path]);
    known.changes = known.changes.flatMap((change) => {
      if (!ids.includes(change.id)) return [change];
      return path === 'accept' ? is('accepted', [change]) : [];
    });
    if (path === 'accept') {
      const work = job({ kind: 'apply', step: 'Writing template “Vedette”' });
      known.connection = { ...connections.chosen, job: work };
    }
    return route.fulfill({ status: path === 'accept' ? 202 : 200, json: [] });
  });
  await window.page.goto(path);
  return { ...window, ...stand, decided };
}
