import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { barriers } from '../helpers/axe.ts';
import { HOSTILE } from '../helpers/hostile.ts';
import { changeOf, entryOf } from '../helpers/tag-manager-container.ts';
import { ago, connections, job } from '../helpers/tag-manager-stand-in.ts';
import { CHANGES, is, openedChanges } from './tag-manager-container-parts.ts';

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
    await using window = await openedChanges(ALL);
    const { page, faults } = window;
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
    expect(faults).toEqual([]);
  });

  it('take along what they need when one is accepted, and show how far writing is', async () => {
    await using window = await openedChanges(ALL);
    const { page, decided, known } = window;
    const one = card(page, 'tag “Sends to Vedette”');
    await one.getByRole('button', { name: 'Accept with 2 needed' }).click();
    await page.getByText('Accepted 3 changes. They are written now').waitFor();
    expect(decided).toEqual([{ path: 'accept', ids: [template.id, trigger.id, tag.id] }]);
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
    await using window = await openedChanges(ALL);
    const { page, decided } = window;
    const accept = card(page, 'trigger “Checkout”').getByRole('button', { name: 'Accept' });
    await accept.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Delete trigger “Checkout”?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(decided).toEqual([]);
    await accept.click();
    await dialog.getByRole('button', { name: 'Accept and delete' }).click();
    await expect.poll(() => decided).toEqual([{ path: 'accept', ids: [gone.id] }]);
  });

  it('are decided together: all that are shown, or those that are chosen', async () => {
    await using window = await openedChanges(ALL);
    const { page, decided, known } = window;
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
    await expect.poll(() => decided).toEqual([{ path: 'reject', ids: [template.id, tag.id] }]);
    await page.getByRole('heading', { name: '3 changes wait for you.' }).waitFor();
    expect(known.changes).toHaveLength(3);
    await page.getByRole('checkbox', { name: 'Choose all' }).check();
    await page.getByText('3 changes chosen').waitFor();
  });

  it('that somebody else decided meanwhile are shown as they stand, with the words for it', async () => {
    await using window = await openedChanges(ALL);
    const { page, known } = window;
    await page.getByRole('heading', { name: '5 changes wait for you.' }).waitFor();
    const detail = 'This change was decided already';
    known.refusals['accept'] = { status: 409, json: { detail } };
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
    await using window = await openedChanges(ALL);
    const { page, known } = window;
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
    expect(await reject.evaluate((node) => node === document.activeElement)).toBe(true);
  });

  it('cannot be accepted where Vedette may only read, and it is said why', async () => {
    const connection = { ...connections.chosen, may_edit: false };
    await using window = await openedChanges(ALL, { about: { connection } });
    const { page } = window;
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
    await using window = await openedChanges([conflict]);
    const { page, known, decided } = window;
    await page.getByRole('heading', { name: '1 change waits for you, in conflict.' }).waitFor();
    const versions = page.getByRole('table', { name: 'Both versions' });
    expect(await versions.getByRole('rowheader').allInnerTexts()).toEqual([
      ...['Notes\nchanged by both', 'Paused', 'Fires on'],
    ]);
    await versions.getByRole('row', { name: /Notes.*mine.*theirs/ }).waitFor();
    expect(await barriers(page)).toEqual([]);
    const renewed = { ...conflict, status: 'proposed' as const, theirs: null };
    await page.route('**/changes/*/renew', (route) => {
      known.changes = [renewed];
      return route.fulfill({ status: 201, json: renewed });
    });
    await page.getByRole('button', { name: 'Propose again over theirs' }).click();
    await page.getByText('Proposed again, over what is there now.').waitFor();
    await page.getByRole('heading', { name: '1 change waits for you.' }).waitFor();
    await card(page, 'tag “Purchase”').getByRole('button', { name: 'Reject' }).click();
    await expect.poll(() => decided).toEqual([{ path: 'reject', ids: [conflict.id] }]);
    await page.getByText('Nothing waits to be decided.').waitFor();
  });

  it('over a name that was taken says that theirs is replaced, before and after', async () => {
    const taken = { ...conflict, action: 'create' as const, object_id: null };
    await using window = await openedChanges([taken]);
    const { page, known } = window;
    await page.getByText('yours replaces the one that somebody else made').waitFor();
    expect(await barriers(page)).toEqual([]);
    const warning = 'This replaces tag "Purchase" that somebody else made';
    await page.route('**/changes/*/renew', (route) => {
      known.changes = [changeOf({ warnings: [warning] })];
      return route.fulfill({ status: 201, json: known.changes[0] });
    });
    await page.getByRole('button', { name: 'Propose again over theirs' }).click();
    await card(page, 'tag “Purchase”').getByText(warning).waitFor();
  });

  it('with what was deleted can only be rejected, and holds up what needs it', async () => {
    const deleted = {
      ...conflict,
      theirs: [{ field: 'Name', before: 'Purchase', after: null }],
    };
    const after = changeOf({ name: 'After it', needs: [deleted.id] });
    await using window = await openedChanges([deleted, after]);
    const { page } = window;
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
    await using window = await openedChanges(halted);
    const { page, known } = window;
    await page.getByRole('heading', { name: 'Writing was interrupted.' }).waitFor();
    await page.getByText(`${why} 3 accepted changes are not finished.`).waitFor();
    expect(await page.getByText(why).count()).toBe(1);
    expect(await barriers(page)).toEqual([]);
    await page.route('**/changes/resume', (route) => {
      known.connection = { ...connections.chosen, job: job({ kind: 'apply', step: 'Looking' }) };
      return route.fulfill({ status: 202, json: known.changes });
    });
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
    await using window = await openedChanges([]);
    const { page, known, deeds } = window;
    const install = page.getByRole('button', { name: 'Propose to install the template' });
    await install.click();
    await page.getByText('Everything is there already').waitFor();
    expect(await barriers(page)).toEqual([]);
    const refusal = { status: 409, json: { detail: 'Read the container first' } };
    known.refusals['POST /changes/install'] = refusal;
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
    await using window = await openedChanges([], {
      ...{ about: { connection: connections.none }, inside: { closed } },
    });
    const { page } = window;
    await page.getByText('The tag manager is not connected').waitFor();
    await page.getByText('History', { exact: true }).click();
    await page.getByRole('button', { name: /Withdrawn.*Old/ }).waitFor();
  });

  it('could not be loaded, and is tried again', async () => {
    const refusal = { status: 400, json: { detail: 'The store is being mended' } };
    await using window = await openedChanges(ALL, {
      about: { refusals: { 'GET /changes': refusal } },
    });
    const { page, known } = window;
    await page.getByText('The store is being mended').waitFor();
    known.refusals = {};
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: '5 changes wait for you.' }).waitFor();
  });
});

describe.each(['light', 'dark'] as const)('the page of changes in %s', (colorScheme) => {
  it('keeps nobody out, wide and narrow, and takes no text for markup', async () => {
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
    await using window = await openedChanges(changes, {
      ...{ context: { colorScheme }, inside: { audit, closed: changes }, path },
    });
    const { page, faults } = window;
    await page.getByText('x‹U+202E›y').first().waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('trigger “Checkout”');
    for (const width of [1440, 900]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await barriers(page)).toEqual([]);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide).toBeLessThanOrEqual(0);
    }
    for (const view of ['History', 'Audit trail']) {
      await page.getByText(view, { exact: true }).click();
      await page.getByText('onerror').first().waitFor();
      expect(await barriers(page)).toEqual([]);
    }
    expect(await page.evaluate(() => 'broken' in globalThis)).toBe(false);
    expect(faults).toEqual([]);
  });
});
