import { expect, it } from 'vitest';
import { barriersInBoth } from '../helpers/axe.ts';
import { open, purchase } from './events-parts.ts';

const madeUp = Array.from({ length: 150 }, (_, i) => ({
  ...{ source: 'shop', event_type: `made-up-${i}`, data: {} },
}));

it('says that not all types are counted by name, and gives back the names that were made up', async () => {
  await using window = await open('/events/types');
  const { page, appliance } = window;
  await appliance.call('PATCH', '/tenants/me', { max_names: 100 });
  await appliance.post([...Array.from({ length: 20 }, () => purchase()), ...madeUp]);
  await page.reload();
  await page
    .getByText(
      'All 100 places for names are taken. Events of other types and sources are counted together: 51 events so far.',
    )
    .waitFor();
  expect(await page.getByRole('row', { name: /^All others/ }).innerText()).toMatch(/\b51\b/);

  await page.getByRole('button', { name: 'Remove names…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('99 names with 99 events in all.').waitFor();
  expect(await dialog.getByText(/made-up-/).count()).toBe(8);
  expect(await barriersInBoth(page)).toEqual([]);
  await dialog.getByLabel('Maximum events').fill('50');
  const remove = dialog.getByRole('button', { name: 'Remove 100 names' });
  await remove.waitFor();
  await dialog.getByLabel('Maximum events').fill('10');
  await dialog.getByRole('button', { name: 'Remove 99 names' }).click();
  await page.getByText('99 names removed').waitFor();
  await page
    .getByText('150 events came from types and sources that are not counted by name.')
    .waitFor();
  await expect
    .poll(() => page.getByRole('rowheader').allInnerTexts())
    .toEqual(['purchase', 'All others']);

  await page.goto('/');
  await page.getByRole('link', { name: '150 events of other types' }).waitFor();
  await page.goto('/events/types?type=made-up-3');
  await page.getByText('1 event in the last 24 hours').waitFor();
});
