import { describe, expect, it } from 'vitest';
import { barriers } from '../helpers/axe.ts';
import { setWebhook } from '../helpers/webhook.ts';
import { standingTenant } from './standing-parts.ts';
import type { StandingTenant } from './standing-parts.ts';

const EVIL = '<img src=x onerror="window.hit=1">';

const alertsOf = async (app: StandingTenant, name: string) =>
  (await app.alerts()).filter(({ rule_name }) => rule_name.includes(name));

/**
 * Two alerts of one rule and one of another, whose names and tags are scripts. What is arranged
 * before the window opens says where it opens.
 */
async function alarmed(arrange: string | ((app: StandingTenant) => Promise<string>) = '/alerts') {
  const app = await standingTenant();
  const clicks = { event_type: 'click', operator: '>', value: 2, window_minutes: 60 };
  const rule = await app.rule(
    'threshold',
    { ...clicks, severity: 'critical' },
    { name: 'Too many clicks', tags: ['shop'] },
  );
  await app.send('click', 3);
  await app.check();
  const fields = {
    event_type: 'purchase',
    required_fields: ['order_id', 'cart.items'],
    severity: 'warning',
  };
  const lacking = await app.rule('missing_field', fields, {
    ...{ name: `${EVIL} lacks`, tags: [EVIL], category: '<b>bold</b>' },
  });
  await app.send('purchase', 1, { value: 9.5, customer: EVIL, cart: {} });
  await app.check();
  const path = typeof arrange === 'string' ? arrange : await arrange(app);
  return { ...(await app.open(path)), app, rule, lacking };
}

const row = (name: RegExp | string) => ({ name, exact: false });

describe('the list of alerts', () => {
  it('says how alerts come about where there is none', async () => {
    await using window = await (await standingTenant()).open('/alerts');
    await window.page.getByText('No alert yet').waitFor();
    await window.page.getByRole('link', { name: 'Make a rule' }).waitFor();
    await window.page.getByText('No alerts in 7 days').waitFor();
    expect(window.faults).toEqual([]);
  });

  it('groups them by rule, opens into single ones, and shows text of strangers as text', async () => {
    await using window = await alarmed();
    const { page, faults } = window;
    const group = page.getByRole('row', row('Too many clicks'));
    await group.getByRole('cell', { name: '2', exact: true }).waitFor();
    await page.getByText('3 alerts in 7 days').waitFor();
    await page.getByRole('row', row(EVIL)).getByText('<b>bold</b>').waitFor();
    await group.getByRole('button', { name: 'Too many clicks' }).click();
    const singles = page.getByRole('list', { name: 'Alerts of Too many clicks' });
    await expect.poll(() => singles.getByRole('listitem').count()).toBe(2);
    expect(await page.evaluate(() => 'hit' in globalThis)).toBe(false);
    expect(await barriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('is worked through with keys: move, acknowledge with a note, undo', async () => {
    // Alone, as the two rules fired last at the same time, so that either may stand first.
    await using window = await alarmed('/alerts?severity=critical');
    const { page, app, rule, faults } = window;
    await page.getByRole('row', row('Too many clicks')).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: 'Acknowledge 2 alerts' }).waitFor();
    await page.keyboard.type('Looking <i>at</i> it');
    await page.keyboard.press('Enter');
    await page.getByText('Acknowledged 2 alerts').waitFor();
    await expect.poll(() => page.getByRole('row', row('Too many clicks')).count()).toBe(0);
    const noted = (await app.alerts()).filter(({ rule_id }) => rule_id === rule.id);
    expect(noted.map(({ acknowledge_note }) => acknowledge_note)).toEqual(
      Array(2).fill('Looking <i>at</i> it'),
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('row', row('Too many clicks')).waitFor();
    expect((await app.alerts()).some(({ is_acknowledged }) => is_acknowledged)).toBe(false);
    expect(faults).toEqual([]);
  });

  it('resolves several groups at once, and takes back no more than that', async () => {
    await using window = await alarmed(async (app) => {
      const [known] = await alertsOf(app, 'lacks');
      await app.call('POST', `/alerts/${known?.id}/acknowledge`);
      return '/alerts?status=all';
    });
    const { page, app, lacking, faults } = window;
    await page.getByRole('checkbox', { name: 'Choose all' }).check();
    await page.getByText('2 rules chosen').waitFor();
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('Resolved 3 alerts').waitFor();
    expect((await app.alerts()).every(({ is_resolved }) => is_resolved)).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(async () => (await app.alerts()).map(({ is_resolved }) => is_resolved))
      .toEqual([false, false, false]);
    const still = (await app.alerts()).filter(({ is_acknowledged }) => is_acknowledged);
    expect(still.map(({ rule_id }) => rule_id)).toEqual([lacking.id]);
    expect(faults).toEqual([]);
  });

  it('is calm when nothing is open, and reopens what was resolved', async () => {
    await using window = await alarmed('/alerts?status=resolved');
    const { page, app, faults } = window;
    await page.getByText('No resolved alert').waitFor();
    await app.call('POST', '/alerts/resolve', { filter: {} });
    await page.goto('/alerts');
    await page.getByText('Nothing is open').waitFor();
    await page.getByText('Resolved', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Choose Too many clicks' }).check();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByText('Reopened 2 alerts').waitFor();
    await expect
      .poll(async () => (await app.alerts()).filter(({ is_resolved }) => !is_resolved).length)
      .toBe(2);
    expect(faults).toEqual([]);
  });

  it('keeps its filters in the address, through a reload and back', async () => {
    await using window = await alarmed();
    const { page, faults } = window;
    await page.getByRole('row', row('Too many clicks')).waitFor();
    await page.getByLabel('Severity', { exact: true }).selectOption('critical');
    await page.getByText('Single', { exact: true }).click();
    await expect.poll(() => page.locator('tr[data-key]').count()).toBe(2);
    expect(new URL(page.url()).search).toBe('?severity=critical&view=single');
    await page.reload();
    await expect.poll(() => page.locator('tr[data-key]').count()).toBe(2);
    await page.getByLabel('Severity', { exact: true }).selectOption('info');
    await page.getByText('No open alert is like that').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await expect.poll(() => page.locator('tr[data-key]').count()).toBe(3);
    // From the first to the last, as in any list.
    await page
      .getByRole('checkbox', { name: /^Choose (?!all)/ })
      .first()
      .click();
    await page
      .getByRole('checkbox', { name: /^Choose (?!all)/ })
      .last()
      .click({ modifiers: ['Shift'] });
    await page.getByText('3 alerts chosen').waitFor();
    expect(faults).toEqual([]);
  });
});

describe('an alert', () => {
  it('shows the events that lack the field, and where it should have been', async () => {
    await using window = await alarmed();
    const { page, lacking, faults } = window;
    await page.getByRole('row', row(EVIL)).getByRole('link').click();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page
      .getByText(/^Missing fields: order_id in 1, cart.items in 1/)
      .first()
      .waitFor();
    await page.getByRole('figure').getByText('1 purchase event lacked a field').waitFor();
    await page.getByText('purchase: without order_id or cart.items').waitFor();
    const events = page.getByRole('list', { name: 'Events without order_id' });
    // One beside the other fields, one inside the empty cart.
    await expect.poll(() => events.getByText('is missing').count()).toBe(2);
    expect(await events.getByText('<img src=x').count()).toBe(1);
    const all = await page.getByRole('link', { name: 'All of them' }).first().getAttribute('href');
    expect(all).toContain('missing=order_id');
    expect(await page.getByRole('link', { name: 'Open the rule' }).getAttribute('href')).toBe(
      `/rules/${lacking.id}`,
    );
    expect(await barriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('is resolved with a note, reopened, and deleted only after a question', async () => {
    await using window = await alarmed(async (app) => {
      // Nobody listens there.
      await setWebhook(app.owner, { url: 'http://127.0.0.1:9/hook' });
      await app.check();
      return `/alerts/${(await alertsOf(app, 'clicks'))[0]?.id}`;
    });
    const { page, app, faults } = window;
    const [, older] = await alertsOf(app, 'clicks');
    await page
      .getByText(/^Webhook (about to be told|will be told again) that it was made/)
      .waitFor();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByLabel('Note').fill('It was <u>us</u>');
    await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('Marked as resolved').waitFor();
    await page.getByText('It was <u>us</u>').waitFor();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByText('Was resolved once').waitFor();
    await page.getByRole('link', { name: 'Previous' }).click();
    await page.waitForURL(`**/alerts/${older?.id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/alerts');
    expect((await app.alerts()).map(({ id }) => id)).not.toContain(older?.id);
    await page.goto(`/alerts/${older?.id}`);
    await page.getByText('This alert is gone').waitFor();
    expect(faults).toEqual([]);
  });

  it('of a rule that is deleted or changed says so, and shows the events', async () => {
    await using window = await alarmed(async (app) => {
      const [alert] = await alertsOf(app, 'lacks');
      await app.call('DELETE', `/rules/${alert?.rule_id}`);
      return `/alerts/${alert?.id}`;
    });
    const { page, app, rule, faults } = window;
    await page.getByText('Its rule was deleted since').waitFor();
    await page.getByRole('figure').getByText('of purchase around this alert').waitFor();
    await page.getByText('is missing').first().waitFor();
    app.clock.time += 60_000;
    await app.call('PATCH', `/rules/${rule.id}`, { name: 'Far too many clicks' });
    await page.goto(`/alerts/${(await alertsOf(app, 'clicks'))[0]?.id}`);
    await page.getByText('The rule was changed after this alert').waitFor();
    await page.getByRole('figure').getByText('of click around this alert').waitFor();
    expect(faults).toEqual([]);
  });

  it('stays within the page, however long the names are', async () => {
    const app = await standingTenant();
    const config = {
      ...{ event_type: 'e'.repeat(900), required_fields: ['f'.repeat(400), 'g'.repeat(400)] },
      severity: 'info',
    };
    await app.rule('missing_field', config, { name: 'n'.repeat(200), category: 'c'.repeat(100) });
    await app.send(config.event_type, 1, {}, 's'.repeat(900));
    await app.check();
    await using window = await app.open('/alerts', { viewport: { width: 900, height: 800 } });
    const { page, faults } = window;
    const isWider = () =>
      page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth > clientWidth;
      });
    await page.locator('tr[data-key] [data-open]').click();
    await page.getByRole('listitem').getByRole('link').first().waitFor();
    expect(await isWider()).toBe(false);
    await page.locator('tr[data-key] a').first().click();
    await page.getByText('is missing').first().waitFor();
    await page.getByRole('figure').waitFor();
    expect(await isWider()).toBe(false);
    expect(faults).toEqual([]);
  });
});
