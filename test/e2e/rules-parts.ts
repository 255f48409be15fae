import type { Page } from 'playwright-core';

export const threshold = {
  ...{ event_type: 'purchase', field: 'count', operator: '<', value: 1, window_minutes: 60 },
  ...{ severity: 'critical', consecutive: 1 },
};

/** The id of the rule that is shown, once it is stored. */
export async function savedId(page: Page): Promise<string> {
  await page.waitForURL(/\/rules\/[0-9a-f-]{36}$/);
  return page.url().slice(-36);
}
