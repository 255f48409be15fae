import { describe, expect, it } from 'vitest';
import { HttpError } from '../../server/platform/errors.ts';
import { barriers } from '../helpers/axe.ts';
import { changeOf } from '../helpers/tag-manager-container.ts';
import { CONTAINER, isFocused, names, opened, panel } from './tag-manager-parts.ts';

describe('one object of the container', () => {
  it('opens beside the list with its settings and links, and gives the keyboard back', async () => {
    const { page } = await opened(CONTAINER);
    await page.getByRole('link', { name: 'Nobody fires me' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const tag = panel(page, 'Tag');
    await tag.getByRole('heading', { name: 'Purchase' }).waitFor();
    await tag.getByText('<script>track()</script>').waitFor();
    await page.getByRole('button', { name: 'Definition' }).click();
    await tag.getByText('firingTriggerId').waitFor();
    const out = tag.getByRole('link', { name: 'Open in the tag manager' });
    expect(await out.getAttribute('href')).toContain('/workspaces/12/tags/1');
    expect(await out.getAttribute('rel')).toBe('noreferrer');
    await tag.getByRole('list', { name: 'Fires on' }).getByRole('link').click();
    await panel(page, 'Trigger').getByText('Used by').waitFor();
    // The list that one came from stays.
    expect(await names(page)).toContain('Nobody fires me');
    await page.goBack();
    await tag.getByRole('heading', { name: 'Purchase' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('complementary').count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('tag-1');
  });

  it('says that it is not there, or that it could not be loaded, and tries again', async () => {
    const { page, known } = await opened(`${CONTAINER}?kind=trigger&id=12345`);
    await page.getByText('This trigger is not in the container').waitFor();
    await page.goto(`${CONTAINER}?kind=trigger&id=../../x`);
    await page.getByText('This trigger is not in the container').waitFor();
    const path = 'GET /snapshot/objects/tag/1';
    known.refusals[path] = new HttpError(503, 'The disk is full');
    await page.goto(`${CONTAINER}?kind=tag&id=1`);
    await page.getByText('The disk is full').waitFor();
    await page.getByText('GA4 event').first().waitFor();
    known.refusals = {};
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Rename' }).waitFor();
  });

  it('is paused, renamed, edited and deleted by proposal only', async () => {
    const made = changeOf({ object_id: '1' });
    const { page, known, deeds, bodiesOf } = await opened(`${CONTAINER}?kind=tag&id=1`, {
      proposed: [made],
    });
    const body = {
      ...{ name: 'Purchase', type: 'gaawe', firingTriggerId: ['7'] },
      parameter: [{ type: 'template', key: 'html', value: '<script>track()</script>' }],
    };
    const back = async () => {
      await page.waitForURL(new RegExp(`/tag-manager/changes\\?change=${made.id}`));
      await page.goBack();
    };
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await back();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await back();
    await page.getByRole('button', { name: 'Rename' }).click();
    const field = page.getByRole('textbox', { name: 'Name', exact: true });
    expect(await field.evaluate(isFocused)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByText('This is its name already.').waitFor();
    await field.fill('Purchase 2');
    await page.keyboard.press('Enter');
    await back();
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    const json = page.getByRole('dialog').getByRole('textbox');
    expect(JSON.parse(await json.inputValue())).toEqual(body);
    await json.fill(JSON.stringify({ ...body, notes: 'by us' }));
    await page.getByRole('button', { name: 'Propose', exact: true }).click();
    await back();
    const update = { action: 'update', kind: 'tag', id: '1' };
    expect(bodiesOf('POST /changes')).toEqual([
      { changes: [{ ...update, body: { ...body, paused: true } }] },
      { changes: [{ action: 'delete', kind: 'tag', id: '1' }] },
      { changes: [{ ...update, body: { ...body, name: 'Purchase 2' } }] },
      { changes: [{ ...update, body: { ...body, notes: 'by us' } }] },
    ]);
    expect(deeds()).toHaveLength(4);
    known.changes = [made];
    await page.reload();
    await page.getByText('A change to this tag is waiting.').waitFor();
    expect(await page.getByRole('button', { name: 'Rename' }).count()).toBe(0);
  });

  it('is not edited to what is no definition, and what was typed is not lost', async () => {
    const { page, known } = await opened(`${CONTAINER}?kind=tag&id=1`);
    const json = page.getByRole('dialog').getByRole('textbox');
    const propose = page.getByRole('button', { name: 'Propose', exact: true });
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    await propose.click();
    await page.getByText('Nothing is changed yet.').waitFor();
    await json.fill('{"name": }');
    await page.getByText('This is not JSON').waitFor();
    expect(await json.getAttribute('aria-invalid')).toBe('true');
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    expect(await json.inputValue()).toBe('{"name": }');
    known.refusals['POST /changes'] = new HttpError(422, 'The change cannot be made', {
      errors: [{ path: 'changes.0.body.name', message: 'is taken' }],
    });
    await json.fill('{"name": "Old pixel", "type": "html"}');
    await propose.click();
    await page.getByText('It was not proposed: The change cannot be made').waitFor();
    await page.getByText('is taken').waitFor();
    await page.getByRole('button', { name: 'Back to what it is' }).click();
    expect(await json.inputValue()).toContain('firingTriggerId');
  });
});
