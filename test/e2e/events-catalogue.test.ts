import { describe, expect, it } from 'vitest';
import { barriersInBoth } from '../helpers/axe.ts';
import { open, purchase, rows } from './events-parts.ts';

describe('types and fields', () => {
  it('say which fields events lack and where they disagree, and lead to rule and events', async () => {
    await using window = await open('/events/types');
    const { page, appliance } = window;
    await page.getByRole('heading', { name: 'No event types yet' }).waitFor();
    await appliance.post([
      ...Array.from({ length: 9 }, (_, i) => purchase({ value: i, currency: 'EUR' })),
      purchase({ value: '9.90' }),
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
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByText('without currency').waitFor();
  });
});

describe('a type and a source without a name', () => {
  it('say so, and lead nowhere that would show all others', async () => {
    await using window = await open('/', [
      { source: '', event_type: '', data: { order_id: 'A-1' } },
    ]);
    const { page } = window;
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
    await rows(page).click();
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

it('the pages about events keep nobody out, in light and dark', async () => {
  const data = { order_id: 'A-1', items: [{ id: 1 }], nothing: null };
  await using window = await open('/events', [purchase(data)], 'broken');
  const { page } = window;
  await rows(page).click();
  await page.getByRole('group', { name: 'Payload' }).waitFor();
  expect(await barriersInBoth(page)).toEqual([]);
  await page.goto('/events/types?type=purchase');
  await page.getByRole('rowheader', { name: 'order_id' }).waitFor();
  expect(await barriersInBoth(page)).toEqual([]);
  await page.goto('/events/rejected');
  await page.getByRole('button', { name: 'This is not valid JSON' }).click();
  expect(await barriersInBoth(page)).toEqual([]);
});
