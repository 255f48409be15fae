import { describe, expect, it } from 'vitest';
import { signedIn } from '../helpers/browser.ts';
import { monitored, QUARTER } from '../helpers/monitored.ts';
import type { StandingClock } from '../helpers/monitored.ts';
import { openReceiver, verified } from '../webhooks/receiver.ts';

describe('from what has been seen to somebody being told', () => {
  it('a suggested rule is tried, kept, fires, and reaches the webhook', async () => {
    const receiver = await openReceiver();
    // Moved by hand, so that no quarter of an hour ends whose cycle would be first to find it.
    const now = Date.now();
    const quarterEnds = (Math.floor(now / QUARTER) + 1) * QUARTER;
    const time = Math.min(now, quarterEnds - 10_000);
    const clock: StandingClock = { time, now: () => clock.time };
    await using appliance = await monitored({ clock });
    await using window = await signedIn(appliance, '/settings/webhook');
    const { page, faults } = window;

    await page.getByLabel('Address').fill(receiver.url);
    await page.getByRole('button', { name: 'Set up the webhook' }).click();
    await page.getByRole('button', { name: 'Send alerts there' }).click();
    await page
      .getByText(/whsec_/)
      .first()
      .waitFor();
    const secret = /whsec_[\w+/=]+/.exec(await page.locator('main').innerText())?.[0] ?? '';

    const purchase = (data: object) => ({ source: 'shop', event_type: 'purchase', data });
    await appliance.post(
      Array.from({ length: 40 }, (_, i) => purchase({ order_id: `A-${i}`, value: i })),
    );
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Rules' })
      .click();
    await page.getByRole('link', { name: 'Purchases without required fields' }).click();
    await page.getByText('There is nothing to look back at yet').waitFor();
    await page.getByRole('button', { name: 'Save rule' }).click();
    await page.waitForURL(/\/rules(\/[0-9a-f-]{36})?$/);

    clock.time += 1_000;
    await appliance.post([purchase({ order_id: 'A-99' })]);
    clock.time += 1_000;
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Rules' })
      .click();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText(/1 rule checked in .+: 1 fires/).waitFor();
    await receiver.arrived(1);
    const [message] = receiver.received;
    if (!message) throw new Error('Nothing arrived');
    expect(verified(message, secret)).toMatchObject({
      type: 'alert.created',
      data: { rule_name: 'Purchases without required fields' },
    });

    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page
      .getByRole('heading', { level: 1, name: /^Purchases without required fields, firing/ })
      .waitFor();
    await page.getByRole('link', { name: /Missing fields: value in 1 of 41/ }).click();
    await page.getByText('is missing').first().waitFor();
    await page
      .getByText(/^Webhook told/)
      .first()
      .waitFor();
    expect(faults).toEqual([]);
  });
});
