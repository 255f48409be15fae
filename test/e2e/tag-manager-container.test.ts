import { describe, expect, it } from 'vitest';
import { HttpError } from '../../server/platform/errors.ts';
import { barriers, barriersInBoth } from '../helpers/axe.ts';
import { HOSTILE } from '../helpers/hostile.ts';
import { detailOf, FEW, many, objectOf } from '../helpers/tag-manager-container.ts';
import { ago, connections, fault, job, snapshot } from '../helpers/tag-manager-views.ts';
import {
  CONTAINER,
  excess,
  hasRun,
  isFocused,
  names,
  opened,
  panel,
  search,
} from './tag-manager-parts.ts';

describe('the container at a glance', () => {
  it('says in a sentence what is in it, and shows its tags with what they fire on', async () => {
    const { page } = await opened(CONTAINER, { snapshot: { ...snapshot, taken_at: ago(5) } });
    await page.getByText('4 tags, of which 1 is paused and 1 never fires.').waitFor();
    await page.getByText('workspace “Default Workspace”, read 5 min ago').waitFor();
    expect(await names(page)).toEqual(['Nobody fires me', 'Old pixel', 'Purchase', 'Vedette']);
    const row = page.getByRole('row', { name: /^Purchase/ });
    await row.getByText('Changed, not published').waitFor();
    await row.getByText('not on Internal traffic').waitFor();
    await row.getByRole('link', { name: 'Checkout' }).click();
    await page.getByText('fires on Checkout').waitFor();
    expect(await names(page)).toEqual(['Purchase', 'Vedette']);
    await page.getByRole('button', { name: 'Whatever they fire on' }).click();
    expect(await names(page)).toHaveLength(4);
  });

  it('keeps what is looked for in the address, and shows the same after a reload', async () => {
    const { page } = await opened(CONTAINER);
    await page.getByRole('button', { name: 'Not published 2' }).click();
    await search(page).fill('ga4');
    expect(await names(page)).toEqual(['Purchase']);
    await page.getByRole('columnheader', { name: 'Type' }).getByRole('button').click();
    await page.waitForURL(/text=ga4/);
    await page.reload();
    expect(await search(page).inputValue()).toBe('ga4');
    await expect.poll(() => names(page)).toEqual(['Purchase']);
    await page.getByRole('columnheader', { name: 'Type' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Type' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => names(page)).toHaveLength(4);
    await search(page).fill('nothing is called that');
    await page.getByText('No tag is like that').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => names(page)).toHaveLength(4);
  });

  it('shows triggers, variables and templates with how many use them', async () => {
    const { page } = await opened(CONTAINER);
    await page.getByText('Triggers 3').click();
    await page.getByRole('row', { name: /Checkout.*2.*Purchase/ }).waitFor();
    await page.getByRole('button', { name: 'Unused 1' }).click();
    expect(await names(page)).toEqual(['All events']);
    await page.getByText('Variables 2').click();
    await page.getByRole('row', { name: /Order value.*60/ }).waitFor();
    expect(await names(page)).toHaveLength(2);
    await page.getByText('Templates 1').click();
    await expect.poll(() => names(page)).toEqual(['Vedette']);
  });

  it('is read page by page, and shows a part of 2,000 objects at a time', async () => {
    const objects = many({ tags: 1_400, triggers: 300, variables: 300 });
    const { page, asked } = await opened(CONTAINER, { objects });
    await page.getByText('Variables 300').waitFor();
    const reads = asked.filter(({ path }) => path === '/snapshot/objects');
    expect(reads.map(({ query }) => query)).toEqual([
      { limit: '1000', skip: '0' },
      { limit: '1000', skip: '1000' },
      { limit: '1000', skip: '2000' },
    ]);
    expect(await page.locator('tbody tr').count()).toBeLessThanOrEqual(200);
    await search(page).pressSequentially('event 1234');
    // Also the one whose id is 1234.
    await expect
      .poll(() => names(page))
      .toEqual(['GA4 - event 1233 - checkout step 0', 'GA4 - event 1234 - checkout step 1']);
    await search(page).fill('');
    await page.getByText('Variables 300').click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(100);
    await page.getByRole('button', { name: 'Show 100 more' }).scrollIntoViewIfNeeded();
    await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(100);
  });

  it('says what changed since it was last read, with a readable difference', async () => {
    const before = Array.from({ length: 30 }, (_, i) => `line ${i}`);
    const { page } = await opened(CONTAINER, {
      differences: [
        {
          ...{ change: 'changed', kind: 'tag', id: '1', name: 'Purchase' },
          fields: [
            {
              field: 'HTML',
              before: before.join('\n'),
              after: before.with(15, 'line of theirs').join('\n'),
            },
            { field: 'Notes', before: 'by Anna', after: 'by Berta' },
          ],
        },
        { ...{ change: 'removed', kind: 'variable', id: '99', name: 'Gone' }, fields: [] },
      ],
    });
    await page.getByRole('button', { name: /3 objects changed since the reading before/ }).click();
    const list = page.getByRole('list', { name: 'What changed' });
    await list.getByRole('deletion').getByText('line 15').waitFor();
    await list.getByRole('insertion').getByText('line of theirs').waitFor();
    expect(await list.getByText('line 3', { exact: true }).count()).toBe(0);
    await list.getByRole('button', { name: '12 unchanged lines' }).click();
    await list.getByText('line 3', { exact: true }).waitFor();
    await list.getByText('Variable Gone').waitFor();
    expect(await barriers(page)).toEqual([]);
    await list.getByRole('link', { name: 'Purchase' }).click();
    await panel(page, 'Tag').waitFor();
  });

  it('keeps nobody out, wide and narrow, light and dark', async () => {
    const { page } = await opened(CONTAINER);
    await page.getByText('4 tags').waitFor();
    expect(await barriersInBoth(page)).toEqual([]);
    await page.setViewportSize({ width: 900, height: 800 });
    await page.getByRole('link', { name: 'Purchase' }).click();
    await page.getByRole('button', { name: 'Rename' }).waitFor();
    expect(await barriersInBoth(page)).toEqual([]);
    expect(await excess(page)).toBeLessThanOrEqual(0);
  });

  it('takes no stranger’s name for markup, and shows what cannot be seen', async () => {
    const odd = objectOf('tag', '1', HOSTILE, {
      fires_on: [{ kind: 'trigger', id: '7', name: `a\u202eb${HOSTILE}` }],
      type_name: HOSTILE,
    });
    const detail = detailOf(odd, {
      fields: [{ name: HOSTILE, value: `${HOSTILE}\n`.repeat(40) }],
      definition: { [HOSTILE]: { [HOSTILE]: HOSTILE } },
    });
    const { page } = await opened(`${CONTAINER}?kind=tag&id=1&changed=1`, {
      objects: [odd, objectOf('tag', '2', '')],
      details: { 'tag 1': detail },
      differences: [
        {
          ...{ change: 'changed', kind: 'tag', id: '1', name: HOSTILE },
          fields: [{ field: HOSTILE, before: HOSTILE, after: `${HOSTILE}\u200b` }],
        },
      ],
    });
    await page.getByRole('button', { name: 'Definition' }).click();
    await page.getByText('a‹U+202E›b').first().waitFor();
    await page.getByText('‹U+200B›').first().waitFor();
    await page.getByRole('link', { name: '(no name)' }).waitFor();
    expect(await hasRun(page)).toBe(false);
    expect(await page.locator('img[src=x]').count()).toBe(0);
    expect(await excess(page)).toBeLessThanOrEqual(0);
  });
});

describe('a container that cannot be shown', () => {
  it('is not connected or not chosen: the way to that is one link', async () => {
    const { page, known } = await opened(CONTAINER, { connection: connections.none });
    await page.getByText('The tag manager is not connected').waitFor();
    expect(await barriers(page)).toEqual([]);
    known.connection = connections.choosing;
    await page.reload();
    await page.getByText('No container is chosen yet').waitFor();
    await page.getByRole('link', { name: 'Choose a container' }).click();
    await page.waitForURL(/\/tag-manager$/);
  });

  it('has not been read yet, is being read, and appears by itself', async () => {
    const failed = fault('unreachable', 'The tag manager did not answer.', 'Try again later.');
    const connection = { ...connections.chosen, last_failure: failed };
    const { page, known } = await opened(CONTAINER, { connection, snapshot: null });
    await page.getByText('The tag manager did not answer. Try again later.').waitFor();
    await page.getByRole('button', { name: 'Read the container' }).click();
    await page.getByText('The container is being read').waitFor();
    await page.getByRole('progressbar', { name: 'Reading the container' }).waitFor();
    await page.getByText('18 of about 30 requests · waits 40 s for the quota').waitFor();
    expect(await barriers(page)).toEqual([]);
    known.snapshot = snapshot;
    known.connection = connections.chosen;
    await page.getByText('4 tags, of which').waitFor();
    expect(await page.getByRole('progressbar').count()).toBe(0);
  });

  it('is read again without anything that is shown going away', async () => {
    const { page, known, deeds } = await opened(`${CONTAINER}?kind=tag&id=1`);
    await search(page).fill('p');
    await search(page).focus();
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByRole('progressbar').waitFor();
    await search(page).focus();
    known.objects = [...FEW, objectOf('tag', '50', 'Pop-up')];
    known.snapshot = { ...snapshot, id: crypto.randomUUID() };
    known.connection = connections.chosen;
    let wasEmpty = false;
    await expect
      .poll(async () => {
        wasEmpty ||= (await page.locator('.loading').count()) > 0;
        return names(page);
      })
      .toContain('Pop-up');
    expect(wasEmpty).toBe(false);
    expect(await search(page).inputValue()).toBe('p');
    expect(await search(page).evaluate(isFocused)).toBe(true);
    expect(deeds()).toEqual(['POST /snapshot']);
    known.connection = { ...connections.chosen, job: job() };
    await page.reload();
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(deeds).toContain('DELETE /snapshot/job');
  });

  it('could not be loaded, and is tried again', async () => {
    const refusal = new HttpError(400, 'The store is being mended');
    const { page, known } = await opened(CONTAINER, {
      refusals: { 'GET /snapshot/objects': refusal },
    });
    await page.getByText('The store is being mended').waitFor();
    expect(await barriers(page)).toEqual([]);
    known.refusals = {};
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('4 tags').waitFor();
  });
});
