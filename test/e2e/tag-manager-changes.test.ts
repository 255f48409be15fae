import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { HttpError, problems } from '../../server/platform/errors.ts';
import { barriers, barriersInBoth } from '../helpers/axe.ts';
import { HOSTILE } from '../helpers/hostile.ts';
import { changeOf, entryOf } from '../helpers/tag-manager-container.ts';
import { ago, connections, verificationOf } from '../helpers/tag-manager-views.ts';
import { CHANGES, excess, hasRun, is, isFocused, opened } from './tag-manager-parts.ts';

const IDS = { template: ago(9), later: ago(3) };

const made = (name: string, value: string | null) => [
  { field: 'Name', before: null, after: name },
  { field: 'Settings', before: null, after: value },
];
const created = { action: 'create' as const, object_id: null, proposed_at: IDS.template };
const template = changeOf({ ...created, kind: 'template', name: 'Vedette' });
const trigger = changeOf({
  ...{ ...created, kind: 'trigger', name: 'All events' },
  difference: made('All events', 'Event matches RegEx .*'),
});
const tag = changeOf({
  ...{ ...created, name: 'Sends to Vedette', needs: [template.id, trigger.id] },
  difference: made('Sends to Vedette', 'fires on All events'),
});
const notes = changeOf({ name: 'Purchase', proposed_at: IDS.later });
const gone = changeOf({
  ...{ action: 'delete', kind: 'trigger', object_id: '7', name: 'Checkout' },
  ...{ proposed_at: IDS.later, warnings: ['2 tags fire on this trigger'] },
  difference: [{ field: 'Type', before: 'Custom event', after: null }],
});
const ALL = [gone, notes, tag, trigger, template];

const card = (page: Page, name: string) => page.getByRole('article', { name });
const namesOf = (page: Page) => page.locator('article h4').allInnerTexts();

describe('changes that wait', () => {
  it('stand in the order in which they were proposed, with what they do and what they need', async () => {
    const { page } = await opened(CHANGES, { changes: ALL });
    await page.getByRole('heading', { name: '5 changes wait for you.' }).waitFor();
    expect(await namesOf(page)).toEqual([
      'Create template Vedette',
      'Create trigger All events',
      'Create tag Sends to Vedette',
      'Delete trigger Checkout',
      'Change tag Purchase',
    ]);
    await card(page, 'tag “Purchase”').getByRole('deletion').getByText('hand').waitFor();
    await card(page, 'trigger “Checkout”').getByText('2 tags fire on this trigger').waitFor();
    await page.getByText('It needs template “Vedette” and trigger “All events”').waitFor();
    await page.getByText('It never publishes').waitFor();
    const publish = page.getByRole('link', { name: 'publish in the tag manager' });
    expect(await publish.getAttribute('href')).toBe(
      'https://tagmanager.google.com/#/container/accounts/600/containers/700/workspaces/12',
    );
  });

  it('take along what they need when one is accepted, and show how far writing is', async () => {
    const { page, bodiesOf, known } = await opened(CHANGES, { changes: ALL });
    const one = card(page, 'tag “Sends to Vedette”');
    await one.getByRole('button', { name: 'Accept with 2 needed' }).click();
    await page.getByText('Accepted 3 changes. They are written now').waitFor();
    expect(bodiesOf('POST /changes/accept')).toEqual([{ ids: [template.id, trigger.id, tag.id] }]);
    await one.getByText('Being written').waitFor();
    await page.getByText('Writing template “Vedette”').waitFor();
    await page.getByRole('progressbar', { name: 'Writing the changes' }).waitFor();
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
    expect(
      await card(page, 'tag “Purchase”').getByRole('button', { name: 'Accept' }).isDisabled(),
    ).toBe(true);
    expect(await barriers(page)).toEqual([]);
    known.changes = [gone, notes];
    known.connection = connections.chosen;
    await page.getByRole('heading', { name: '2 changes wait for you.' }).waitFor();
    expect(await page.getByText('interrupted').count()).toBe(0);
  });

  it('are accepted by keyboard, and what deletes something asks first', async () => {
    const { page, bodiesOf } = await opened(CHANGES, { changes: ALL });
    const accept = card(page, 'trigger “Checkout”').getByRole('button', { name: 'Accept' });
    await accept.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Delete trigger “Checkout”?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(bodiesOf('POST /changes/accept')).toEqual([]);
    await accept.click();
    await dialog.getByRole('button', { name: 'Accept and delete' }).click();
    await expect.poll(() => bodiesOf('POST /changes/accept')).toEqual([{ ids: [gone.id] }]);
  });

  it('are decided together: all that are shown, or those that are chosen', async () => {
    const { page, bodiesOf, known } = await opened(CHANGES, { changes: ALL });
    await page.getByRole('button', { name: 'Accept all 5' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog
      .getByText('trigger “Checkout” will be gone from the workspace; 4 other changes')
      .waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('checkbox', { name: 'Choose tag “Sends to Vedette”' }).check();
    await page.getByText('1 change chosen').waitFor();
    await page.getByRole('button', { name: 'Accept chosen 1, with 2 needed' }).waitFor();
    await page.getByRole('checkbox', { name: 'Choose tag “Sends to Vedette”' }).uncheck();
    await page.getByRole('checkbox', { name: 'Choose template “Vedette”' }).check();
    await page.getByRole('button', { name: 'Reject chosen' }).click();
    await dialog.getByText('and what needs it: tag “Sends to Vedette”').waitFor();
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await expect
      .poll(() => bodiesOf('POST /changes/reject'))
      .toEqual([{ ids: [template.id, tag.id] }]);
    await page.getByRole('heading', { name: '3 changes wait for you.' }).waitFor();
    expect(known.changes).toHaveLength(3);
    await page.getByRole('checkbox', { name: 'Choose all' }).check();
    await page.getByText('3 changes chosen').waitFor();
  });

  it('that somebody else decided meanwhile are shown as they stand, with the words for it', async () => {
    const { page, known } = await opened(CHANGES, { changes: ALL });
    await page.getByRole('heading', { name: '5 changes wait for you.' }).waitFor();
    const detail = 'This change was decided already';
    known.refusals['POST /changes/accept'] = problems.conflict(detail);
    known.changes = [template, trigger, tag, gone];
    await card(page, 'tag “Purchase”').getByRole('button', { name: 'Accept' }).click();
    await page.getByText(`Not accepted: ${detail}. What is shown is now as it stands.`).waitFor();
    await page.getByRole('heading', { name: '4 changes wait for you.' }).waitFor();
    // What was pressed is gone; the keyboard goes on from the headline.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent.trim()))
      .toBe('4 changes wait for you.');
  });

  it('stay in place, with the focus, when others come', async () => {
    const { page, known } = await opened(CHANGES, { changes: ALL });
    const reject = card(page, 'tag “Purchase”').getByRole('button', { name: 'Reject' });
    await reject.focus();
    const before = await reject.boundingBox();
    known.changes = [changeOf({ name: 'New one', proposed_at: ago(0) }), ...known.changes];
    await expect
      .poll(async () => {
        // As when somebody comes back to the window.
        await page.evaluate(() => globalThis.dispatchEvent(new Event('visibilitychange')));
        return page.locator('article').count();
      })
      .toBe(6);
    expect(await reject.boundingBox()).toEqual(before);
    expect(await reject.evaluate(isFocused)).toBe(true);
  });

  it('cannot be accepted where Vedette may only read, and it is said why', async () => {
    const connection = { ...connections.chosen, may_edit: false };
    const { page } = await opened(CHANGES, { changes: ALL, connection });
    await page.getByText('Vedette may only read this container').waitFor();
    const accept = card(page, 'tag “Purchase”').getByRole('button', { name: 'Accept' });
    expect(await accept.isDisabled()).toBe(true);
    const described = (await accept.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`#${described}`).innerText()).toContain('Connect again');
    expect(await page.getByRole('button', { name: 'Accept all' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Reject all' }).isDisabled()).toBe(false);
    expect(await barriers(page)).toEqual([]);
  });
});

describe('a conflict', () => {
  const conflict = changeOf({
    ...{ status: 'conflict', name: 'Purchase' },
    difference: [
      { field: 'Paused', before: 'no', after: 'yes' },
      { field: 'Notes', before: 'a', after: 'mine' },
    ],
    theirs: [
      { field: 'Notes', before: 'a', after: 'theirs' },
      { field: 'Fires on', before: 'Checkout', after: 'All Pages' },
    ],
  });

  it('shows both versions, and is proposed again over theirs or rejected', async () => {
    const { page, known, bodiesOf } = await opened(CHANGES, { changes: [conflict] });
    await page.getByRole('heading', { name: '1 change waits for you, in conflict.' }).waitFor();
    const versions = page.getByRole('table', { name: 'Both versions' });
    expect(await versions.getByRole('rowheader').allInnerTexts()).toEqual([
      ...['Notes\nchanged by both', 'Paused', 'Fires on'],
    ]);
    await versions.getByRole('row', { name: /Notes.*mine.*theirs/ }).waitFor();
    expect(await barriers(page)).toEqual([]);
    const renewed = { ...conflict, status: 'proposed' as const, theirs: null };
    known.renewed = renewed;
    await page.getByRole('button', { name: 'Propose again over theirs' }).click();
    await page.getByText('Proposed again, over what is there now.').waitFor();
    await page.getByRole('heading', { name: '1 change waits for you.' }).waitFor();
    await card(page, 'tag “Purchase”').getByRole('button', { name: 'Reject' }).click();
    await expect.poll(() => bodiesOf('POST /changes/reject')).toEqual([{ ids: [conflict.id] }]);
    await page.getByText('Nothing waits to be decided.').waitFor();
  });

  it('over a name that was taken says that theirs is replaced, before and after', async () => {
    const taken = { ...conflict, action: 'create' as const, object_id: null };
    const { page, known } = await opened(CHANGES, { changes: [taken] });
    await page.getByText('yours replaces the one that somebody else made').waitFor();
    expect(await barriers(page)).toEqual([]);
    const warning = 'This replaces tag "Purchase" that somebody else made';
    known.renewed = changeOf({ warnings: [warning] });
    await page.getByRole('button', { name: 'Propose again over theirs' }).click();
    await card(page, 'tag “Purchase”').getByText(warning).waitFor();
  });

  it('with what was deleted can only be rejected, and holds up what needs it', async () => {
    const deleted = {
      ...conflict,
      theirs: [{ field: 'Name', before: 'Purchase', after: null }],
    };
    const after = changeOf({ name: 'After it', needs: [deleted.id] });
    const { page } = await opened(CHANGES, { changes: [deleted, after] });
    await page.getByText('Somebody deleted it in the tag manager').waitFor();
    expect(await page.getByRole('button', { name: 'Propose again' }).count()).toBe(0);
    await page.getByText('It needs tag “Purchase”, which cannot be accepted now.').waitFor();
    expect(
      await card(page, 'tag “After it”').getByRole('button', { name: 'Accept' }).isDisabled(),
    ).toBe(true);
  });
});

describe('writing that was interrupted', () => {
  it('says so once it is sure, what happened, and goes on', async () => {
    const why = 'Interrupted: the tag manager could not be reached.';
    const halted = is('accepted', [template, trigger, tag]).map((one) => ({
      ...one,
      problem: why,
    }));
    const { page, known } = await opened(CHANGES, { changes: halted });
    await page.getByRole('heading', { name: 'Writing was interrupted.' }).waitFor();
    await page.getByText(`${why} 3 accepted changes are not finished.`).waitFor();
    expect(await page.getByText(why).count()).toBe(1);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('heading', { name: '3 changes are being written.' }).waitFor();
    await page.getByRole('progressbar').waitFor();
    known.changes = [];
    known.connection = connections.chosen;
    await page.getByRole('heading', { name: 'Nothing waits to be decided.' }).waitFor();
  });
});

describe('nothing to decide', () => {
  it('says what will be here, and proposes to install, or that all is there', async () => {
    const { page, known, deeds } = await opened(CHANGES, {
      verification: verificationOf({ template: {}, tag: {} }),
    });
    const install = page.getByRole('button', { name: 'Propose to install the template' });
    await install.click();
    await page.getByText('Everything is there already').waitFor();
    expect(await barriers(page)).toEqual([]);
    known.refusals['POST /changes/install'] = problems.conflict('Read the container first');
    await install.click();
    await page.getByText('Nothing was proposed: Read the container first').waitFor();
    known.refusals = {};
    known.proposed = [template, trigger, tag];
    known.changes = known.proposed;
    await install.click();
    await page.getByRole('heading', { name: '3 changes wait for you.' }).waitFor();
    expect(deeds()).toEqual(Array.from({ length: 3 }, () => 'POST /changes/install'));
  });

  it('is as it must be without a connection; the history is there all the same', async () => {
    const closed = [changeOf({ status: 'withdrawn', name: 'Old' })];
    const { page } = await opened(CHANGES, { connection: connections.none, closed });
    await page.getByText('The tag manager is not connected').waitFor();
    await page.getByText('History', { exact: true }).click();
    await page.getByRole('button', { name: /Withdrawn.*Old/ }).waitFor();
  });

  it('could not be loaded, and is tried again', async () => {
    const refusal = new HttpError(400, 'The store is being mended');
    const { page, known } = await opened(CHANGES, {
      changes: ALL,
      refusals: { 'GET /changes': refusal },
    });
    await page.getByText('The store is being mended').waitFor();
    known.refusals = {};
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: '5 changes wait for you.' }).waitFor();
  });
});

it('the page of changes keeps nobody out in any size and colour, and takes no text for markup', async () => {
  const code = Array.from({ length: 400 }, (_, i) => `${HOSTILE} ${i}`);
  const hostile = changeOf({
    ...{ name: HOSTILE, proposed_by: HOSTILE, warnings: [HOSTILE], problem: HOSTILE },
    difference: [
      { field: HOSTILE, before: code.join('\n'), after: code.with(200, 'x\u202ey').join('\n') },
      { field: 'One line', before: 'x'.repeat(5_000), after: `${'x'.repeat(5_000)}\u200b` },
      { field: 'Made', before: null, after: HOSTILE.repeat(100) },
    ],
  });
  const disputed = { ...hostile, id: crypto.randomUUID(), status: 'conflict' as const };
  const changes = [hostile, { ...disputed, theirs: hostile.difference }, ...ALL];
  const audit = [entryOf({ who: HOSTILE, words: HOSTILE })];
  const path = `${CHANGES}?change=${gone.id}`;
  const { page } = await opened(path, { changes, audit, closed: changes });
  await page.getByText('x‹U+202E›y').first().waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('trigger “Checkout”');
  for (const width of [1440, 900]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await barriersInBoth(page)).toEqual([]);
    expect(await excess(page)).toBeLessThanOrEqual(0);
  }
  for (const view of ['History', 'Audit trail']) {
    await page.getByText(view, { exact: true }).click();
    await page.getByText('onerror').first().waitFor();
    expect(await barriersInBoth(page)).toEqual([]);
  }
  expect(await hasRun(page)).toBe(false);
});
