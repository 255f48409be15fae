import type { Page } from 'playwright-core';
import type { RuleView } from '../../server/rules/schema.ts';
import { signedIn } from '../helpers/browser.ts';
import { MINUTE, monitored, QUARTER } from '../helpers/monitored.ts';
import type { StandingClock } from '../helpers/monitored.ts';

/** Two hours of a shop up to now: two purchases in each quarter of an hour. */
export async function shop() {
  const start = Math.floor(Date.now() / QUARTER) * QUARTER - 2 * 60 * MINUTE;
  const clock: StandingClock = { time: start, now: () => clock.time };
  const vedette = await monitored({ clock });
  while (clock.time < start + 2 * 60 * MINUTE) {
    const data = { value: 20, currency: 'EUR', items: [{ id: 'a' }] };
    await vedette.send('purchase', 2, data, 'web');
    await vedette.pass(QUARTER);
  }
  return {
    ...vedette,
    open: (path: string, options = {}) => signedIn(vedette, path, options),
    rules: async () => (await vedette.call('GET', '/rules')).json<RuleView[]>(),
    one: async (id: string) => (await vedette.call('GET', `/rules/${id}`)).json<RuleView>(),
  };
}

export const threshold = {
  ...{ event_type: 'purchase', field: 'count', operator: '<', value: 1, window_minutes: 60 },
  ...{ severity: 'critical', consecutive: 1 },
};

/** The id of the rule that is shown, once it is stored. */
export async function savedId(page: Page): Promise<string> {
  await page.waitForURL(/\/rules\/[0-9a-f-]{36}$/);
  return page.url().slice(-36);
}
