import { expect, it } from 'vitest';
import { dashboard } from '../helpers/browser.ts';
import { rounds } from '../helpers/soak.ts';

const BATCHES = rounds(25, 100);

it('thousands of events within seconds leave the page bounded and in order', async () => {
  await using window = await dashboard('/events');
  const { page, appliance, faults } = window;
  const live = () => expect.poll(() => page.getByRole('status').allInnerTexts()).toContain('Live');
  await live();
  const field = page.getByRole('searchbox', { name: 'Text in the event' });
  for (let batch = 0; batch < BATCHES; batch++) {
    await appliance.post(
      Array.from({ length: 100 }, (_, i) => ({
        source: 'shop',
        event_type: i % 3 ? 'page_view' : 'purchase',
        data: { n: batch * 100 + i, page: '/boots', items: [{ id: i }], user: { id: 'u' } },
      })),
    );
    // Answered only by a page that is not at a halt.
    await field.press('ArrowLeft');
    expect(await page.getByRole('list').getByRole('link').count()).toBeLessThanOrEqual(600);
  }

  const rows = page.getByRole('list', { name: 'Events, newest first' }).getByRole('link');
  await rows.filter({ hasText: `n: ${BATCHES * 100 - 1},` }).waitFor();
  expect(await rows.count()).toBeLessThanOrEqual(500);
  const shown = await rows.evaluateAll((links) =>
    links.map((link) => Number(/n: (\d+)/.exec(link.textContent)?.[1])),
  );
  expect(shown).toEqual(shown.toSorted((one, other) => other - one));

  // More at once than are ever sent to a browser, counted without what was too fast before.
  await page.reload();
  await live();
  const one = { source: 'shop', event_type: 'burst', data: {} };
  await appliance.post(Array.from({ length: 3_000 }, () => one));
  await page.getByText('2,000 events came too fast to be listed one by one.').waitFor();
  await page.getByRole('button', { name: 'Load the newest' }).click();
  await page.getByText('came too fast').waitFor({ state: 'detached' });
  await expect.poll(() => rows.filter({ hasText: 'burst' }).count()).toBe(100);

  await field.fill('"n":42,');
  await expect.poll(() => rows.count()).toBe(1);
  expect(faults).toEqual([]);
});
