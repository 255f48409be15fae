import { describe, expect, it } from 'vitest';
import { barriers } from '../helpers/axe.ts';
import { signedIn } from '../helpers/browser.ts';
import { monitored, QUARTER } from '../helpers/monitored.ts';
import type { StandingClock } from '../helpers/monitored.ts';
import { savedId, threshold } from './rules-parts.ts';
import { shop } from './standing-parts.ts';

const stopped = { ...threshold, event_type: 'refund' };

describe('the list of rules', () => {
  it('says what each rule watches and found, what fires first', async () => {
    // The browser's own clock says what the last 24 hours are.
    const time = Math.floor(Date.now() / QUARTER) * QUARTER - 5 * QUARTER;
    const clock: StandingClock = { time, now: () => clock.time };
    await using vedette = await monitored({ clock });
    // As long as their window is.
    await vedette.pass(4 * QUARTER);
    await vedette.send('purchase', 6);
    await vedette.rule('threshold', threshold, { name: 'A quiet one' });
    await vedette.rule('threshold', stopped, { name: '<b>Refunds</b>', tags: ['<i>'] });
    await vedette.nextQuarter();
    await using window = await signedIn(vedette, '/rules', { colorScheme: 'dark' });
    const { page, faults } = window;
    const first = page.getByRole('row').nth(1);
    await first.getByText('<b>Refunds</b>').waitFor();
    await first.getByText('refund: fewer than 1 in 1 h').waitFor();
    await first.getByText('Fires', { exact: true }).waitFor();
    await first.getByText('0, fires below 1').waitFor();
    await first.getByRole('img', { name: 'Last 24 h: fired in 2 of 2 checks' }).waitFor();
    await page.getByRole('row').nth(2).getByText('6, fires below 1').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('keeps its filters in the address', async () => {
    const vedette = await shop();
    await vedette.rule('threshold', threshold, { name: 'Purchases', tags: ['shop'] });
    await vedette.rule('threshold', stopped, { name: 'Refunds', is_active: false });
    await using window = await vedette.open('/rules?state=paused');
    const { page } = window;
    await page.getByRole('link', { name: 'Refunds' }).waitFor();
    expect(await page.getByRole('link', { name: 'Purchases' }).count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Text' }).fill('nothing');
    await page.getByText('No rule is like that').waitFor();
    expect(new URL(page.url()).search).toBe('?state=paused&text=nothing');
    await page.getByRole('button', { name: 'Show all rules' }).click();
    await page.getByRole('link', { name: 'Purchases' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('pauses, duplicates and deletes a rule', async () => {
    const vedette = await shop();
    const { id } = await vedette.rule('threshold', threshold, { name: 'Stopped' });
    await using window = await vedette.open('/rules');
    const { page, faults } = window;
    const act = async (name: string) => {
      await page.getByRole('button', { name: 'Actions for Stopped' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await act('Pause');
    await page.getByText('Paused “Stopped”.').waitFor();
    expect((await vedette.one(id)).is_active).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await vedette.one(id)).is_active).toBe(true);

    await act('Duplicate');
    await page.getByRole('button', { name: 'Save rule' }).click();
    const copy = await vedette.one(await savedId(page));
    expect(copy).toMatchObject({ name: 'Copy of Stopped', config: threshold });
    await page.getByRole('link', { name: 'Cancel' }).click();

    await act('Delete');
    const question = page.getByRole('alertdialog', { name: 'Delete “Stopped”?' });
    await question.getByText('Its alerts stay').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await vedette.rules()).toHaveLength(2);
    await act('Delete');
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted “Stopped”.').waitFor();
    expect((await vedette.rules()).map(({ name }) => name)).toEqual(['Copy of Stopped']);
    expect(faults).toEqual([]);
  });

  it('changes several at once, and takes that back', async () => {
    const vedette = await shop();
    for (const name of ['One', 'Two', 'Three']) {
      await vedette.rule('threshold', threshold, { name, tags: name === 'One' ? ['old'] : [] });
    }
    await using window = await vedette.open('/rules');
    const { page } = window;
    await page.getByRole('checkbox', { name: 'Choose all 3 rules' }).check();
    await page.getByRole('checkbox', { name: 'Choose Three' }).uncheck();
    await page.getByText('2 rules chosen').waitFor();
    await page.getByRole('button', { name: 'Add tag' }).click();
    await page.getByRole('dialog').getByLabel('Tag').fill('shop');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Tagged 2 rules shop.').waitFor();
    const tags = async () =>
      Object.fromEntries((await vedette.rules()).map((rule) => [rule.name, rule.tags]));
    expect(await tags()).toEqual({ One: ['old', 'shop'], Two: ['shop'], Three: [] });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(tags).toEqual({ One: ['old'], Two: [], Three: [] });

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted 2 rules.').waitFor();
    expect((await vedette.rules()).map(({ name }) => name)).toEqual(['Three']);
  });

  it('checks now and says what came out, and shows the checks of the past', async () => {
    const vedette = await shop();
    await vedette.rule('threshold', stopped, { name: 'Refunds' });
    await vedette.rule('missing_field', {
      ...{ event_type: 'refund', required_fields: ['value'], severity: 'info' },
    });
    await using window = await vedette.open('/rules');
    const { page, faults } = window;
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText(/2 rules checked in .+: 1 fires, 1 could not be judged\./).waitFor();
    await page.getByText('1 firing').waitFor();
    await page.getByRole('button', { name: 'Past checks' }).click();
    const dialog = page.getByRole('dialog', { name: 'Past checks' });
    await dialog.getByText('by hand').first().waitFor();
    await dialog.getByText('1 rule', { exact: true }).first().click();
    await dialog.getByText('no refund events to look at').first().waitFor();
    expect(new URL(page.url()).search).toBe('?cycles=1');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });
});
