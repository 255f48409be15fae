import axe from 'axe-core';
import { afterEach, describe, expect, it } from 'vitest';
import { dashboard } from '../helpers/browser.ts';
import type { Visit } from '../helpers/browser.ts';

let faults: string[] = [];
const open = async (...given: Parameters<typeof dashboard>) => {
  const window = await dashboard(...given);
  faults = window.faults;
  return window;
};
afterEach(() => expect(faults).toEqual([]));

describe('types and fields', () => {
  it('say which fields events lack and where they disagree, and lead to rule and events', async () => {
    await using window = await open('/events/types');
    const { page, appliance } = window;
    await page.getByRole('heading', { name: 'No event types yet' }).waitFor();
    const event = (data: object) => ({ source: 'shop', event_type: 'purchase', data });
    await appliance.post([
      ...Array.from({ length: 9 }, (_, i) => event({ value: i, currency: 'EUR' })),
      event({ value: '9.90' }),
    ]);
    await page.reload();
    const type = page.getByRole('row', { name: /purchase/ });
    expect(await type.innerText()).toMatch(/shop\s+10/);
    await type.getByRole('link').click();
    const field = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
    const value = field('value');
    await value.getByRole('img', { name: 'Mixed types' }).waitFor();
    expect(await value.innerText()).toContain('number 90 %, string 10 %');
    expect(await field('currency').innerText()).toContain('90 %');
    await page.getByRole('checkbox', { name: 'Require currency' }).check();
    const rule = page.getByRole('link', { name: 'Require 1 field' });
    expect(await rule.getAttribute('href')).toBe(
      '/rules/new?rule_type=missing_field&event_type=purchase&field=currency',
    );
    await page.getByRole('link', { name: /Without it.*currency/ }).click();
    const rows = page.getByRole('list', { name: 'Events, newest first' }).getByRole('link');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByText('without currency').waitFor();
  });
});

describe('a type and a source without a name', () => {
  it('say so, and lead nowhere that would show all others', async () => {
    await using window = await open();
    const { page, appliance } = window;
    await appliance.post([{ source: '', event_type: '', data: { order_id: 'A-1' } }]);
    await page.reload();
    const nameless = page.getByRole('row', { name: '(without a name)' });
    await nameless.waitFor();
    expect(await nameless.getByRole('link').count()).toBe(0);
    await page.getByRole('term').filter({ hasText: '(without a name)' }).waitFor();
    await page.goto('/events/types');
    await nameless.waitFor();
    expect(await nameless.getByRole('link').count()).toBe(0);
    await page.goto('/events/types?type=');
    await page.getByRole('heading', { name: 'This event type has no name' }).waitFor();
    await page.goto('/events');
    await page.getByRole('list', { name: 'Events, newest first' }).getByRole('link').click();
    const event = page.getByRole('complementary', { name: 'Event' });
    await event.getByRole('group', { name: 'Payload' }).waitFor();
    expect(await event.getByRole('link').count()).toBe(0);
  });
});

describe('rejected items', () => {
  it('come with the reason, what came, and what would make it right', async () => {
    await using window = await open('/events/rejected');
    const { page, appliance } = window;
    await page.getByRole('heading', { name: 'Nothing was refused' }).waitFor();
    await appliance.post([{ source: 'shop', data: { order_id: 'A-1' } }]);
    await page.reload();
    await page.getByRole('button', { name: '[0].event_type: is required' }).click();
    await page.getByText('Add event_type to each event.').waitFor();
    await page.getByRole('group', { name: 'What came' }).getByText('"A-1"').waitFor();
    await page.reload();
    await page.getByText('Add event_type to each event.').waitFor();
  });
});

describe('the pages about events', () => {
  it('have nothing that stands in the way of anybody, in light and dark', async () => {
    await using window = await open();
    const { page, appliance } = window;
    const data = { order_id: 'A-1', items: [{ id: 1 }], nothing: null };
    await appliance.post([{ source: 'shop', event_type: 'purchase', data }]);
    await appliance.post('broken');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto('/events');
      await page.getByRole('list', { name: 'Events, newest first' }).getByRole('link').click();
      await page.getByRole('group', { name: 'Payload' }).waitFor();
      expect(await grave(page)).toEqual([]);
      await page.goto('/events/types?type=purchase');
      await page.getByRole('rowheader', { name: 'order_id' }).waitFor();
      expect(await grave(page)).toEqual([]);
      await page.goto('/events/rejected');
      await page.getByRole('button', { name: 'This is not valid JSON' }).click();
      expect(await grave(page)).toEqual([]);
    }
  });
});

/** By its text, since the page takes no scripts from elsewhere, and this one is handed in. */
async function grave(page: Visit['page']): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  );
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
