import { describe, expect, it } from 'vitest';
import { barriers } from '../helpers/axe.ts';
import { changeOf, entryOf } from '../helpers/tag-manager-container.ts';
import { ago } from '../helpers/tag-manager-views.ts';
import { CHANGES, opened } from './tag-manager-parts.ts';

describe('what was decided', () => {
  const closed = Array.from({ length: 120 }, (_, i) =>
    changeOf({
      ...{ name: `Closed ${i}`, status: i % 2 ? 'applied' : 'rejected' },
      ...{ decided_at: ago(i), decided_by: 'Dashboard, Chrome on Windows', applied_at: ago(i) },
    }),
  );

  it('is a list that goes on, and opens to what it was', async () => {
    const { page } = await opened(`${CHANGES}?view=history`, { closed });
    const rows = page.getByRole('list', { name: /Decided changes/ }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(100);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(120);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await page.getByRole('button', { name: /Closed 0/ }).click();
    await page.getByText('by Dashboard, Chrome on Windows.').waitFor();
    await rows.first().getByRole('insertion').getByText('the team').waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  it('says in words what befell a batch, and what was replaced', async () => {
    const audit = (
      [
        ['interrupted', 'With 5 of 8 changes written: Google could not be reached.'],
        ['resumed', '8 changes accepted by Dashboard, Firefox on Linux, 127.0.0.1'],
        ['undone', 'Taken back: Delete tag "Goes", which has the id 105 now'],
        ['replaced', 'Create tag "Vedette": Replaced by a newer proposal from Key "CI" (…abcd).'],
      ] as const
    ).map(([deed, words]) => entryOf({ deed, words }));
    const { page } = await opened(`${CHANGES}?view=audit`, { audit });
    const cells = page.locator('tbody tr td:nth-child(2)');
    await expect.poll(() => cells.count()).toBe(4);
    expect(await cells.allInnerTexts()).toEqual(['Interrupted', 'Went on', 'Put back', 'Replaced']);
  });

  it('says who did what and when, with the change itself one link away', async () => {
    const audit = [
      entryOf({ change_id: closed[99]?.id ?? null, words: 'Change of tag “Closed 99”' }),
      ...Array.from({ length: 60 }, () => entryOf({ deed: 'connected', words: 'With Google' })),
    ];
    const { page } = await opened(`${CHANGES}?view=audit`, { closed, audit });
    const rows = page.locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(61);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'Change of tag “Closed 99”' }).click();
    const asked = page.getByRole('region', { name: 'The change asked for' });
    await asked.getByText('Closed 99').waitFor();
    await asked.getByRole('insertion').getByText('the team').waitFor();
    await asked.getByRole('button', { name: 'Back to all of them' }).click();
    await expect.poll(() => asked.count()).toBe(0);
    await page.goto(`${CHANGES}?change=${closed[3]?.id}`);
    await page.getByRole('link', { name: 'See what became of it' }).click();
    await asked.getByText('Closed 3').waitFor();
    await page.goto(`${CHANGES}?view=history&change=nonsense`);
    await page.getByText('There is no such change here').waitFor();
  });
});
