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

const purchase = (data: object = { value: 1 }) => ({
  source: 'shop',
  event_type: 'purchase',
  data,
});
const view = { source: 'web', event_type: 'page_view', data: { page: '/boots' } };
const list = (page: Visit['page']) => page.getByRole('list', { name: 'Events, newest first' });
const rows = (page: Visit['page']) => list(page).getByRole('link');

describe('the list of events', () => {
  it('shows the first event as it arrives, and holds others back while it is paused', async () => {
    await using window = await open('/events');
    const { page, appliance } = window;
    await page.getByRole('heading', { name: 'No events yet' }).waitFor();
    await expect.poll(() => page.getByRole('status').allInnerTexts()).toContain('Live');
    await appliance.post([purchase({ order_id: 'A-1' })]);
    await rows(page).filter({ hasText: 'order_id: "A-1"' }).waitFor();
    await page.locator('body').press('Space');
    await appliance.post([purchase(), purchase()]);
    await page.getByRole('button', { name: '2 new events' }).waitFor();
    expect(await rows(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => rows(page).count()).toBe(3);
  });

  it('keeps its filters in the address, so that the back button takes them back', async () => {
    await using window = await open();
    const { page, appliance } = window;
    await appliance.post([purchase(), view, { ...view, data: { page: '/100%_"off"' } }]);
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await expect.poll(() => rows(page).count()).toBe(3);
    await page.getByRole('combobox', { name: 'Event type' }).fill('page_view');
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.getByRole('searchbox', { name: 'Text in the event' }).fill('100%_');
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(new URL(page.url()).searchParams.get('text')).toBe('100%_');
    await page.reload();
    await expect.poll(() => rows(page).count()).toBe(1);
    await rows(page).first().click();
    await page.getByRole('link', { name: 'Only this type' }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.goBack();
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByRole('searchbox', { name: 'Text in the event' }).fill('nowhere');
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await expect.poll(() => rows(page).count()).toBe(3);
  });

  it('goes on below the first hundred, though all arrived at once', async () => {
    await using window = await open();
    const { page, appliance } = window;
    await appliance.post(Array.from({ length: 230 }, (_, i) => purchase({ i })));
    await page.goto('/events');
    const more = page.getByRole('button', { name: 'Load 100 more' });
    await more.click();
    await expect.poll(() => rows(page).count()).toBe(200);
    await more.click();
    await page.getByText('These are all: 230 events.').waitFor();
    const ids = await rows(page).evaluateAll((links) => links.map(({ id }) => id));
    expect(new Set(ids).size).toBe(230);
  });

  it('comes back by itself when the appliance was away', async () => {
    await using window = await open('/events');
    const { page, appliance } = window;
    await expect.poll(() => page.getByRole('status').allInnerTexts()).toContain('Live');
    await page.route('**/events/stream*', (route) => route.fulfill({ status: 503 }));
    await page.getByRole('combobox', { name: 'Event type' }).fill('purchase');
    await page.getByRole('combobox', { name: 'Event type' }).press('Enter');
    await page.getByText('Live view interrupted').waitFor();
    await page.unroute('**/events/stream*');
    await appliance.post([purchase({ order_id: 'while away' })]);
    await rows(page).filter({ hasText: 'while away' }).waitFor();
    await expect.poll(() => page.getByRole('status').allInnerTexts()).toContain('Live');
  });
});

describe('an event', () => {
  it('opens beside the list, by keys too, and has an address of its own', async () => {
    await using window = await open();
    const { page, appliance } = window;
    await appliance.post([purchase({ n: 'first' })]);
    await appliance.post([purchase({ n: 'second' })]);
    await page.goto('/events');
    const event = page.getByRole('complementary', { name: 'Event' });
    await rows(page).first().waitFor();
    await page.keyboard.press('j');
    await event.getByText('"second"').waitFor();
    await page.keyboard.press('j');
    await event.getByText('"first"').waitFor();
    await page.reload();
    await event.getByText('"first"').waitFor();
    await page.keyboard.press('Escape');
    await event.waitFor({ state: 'detached' });
    await page.goto('/events?event=01a1fa3b-849b-7000-9705-941360980000');
    await event.getByText('This event is not here any more').waitFor();
  });

  it('of a megabyte opens without a halt', async () => {
    await using window = await open();
    const { page, appliance } = window;
    const data = {
      list: Array.from({ length: 9_000 }, (_, i) => ({
        i,
        name: `item ${i}`,
        deep: { x: { y: i } },
      })),
      text: 'lorem ipsum '.repeat(50_000),
    };
    expect(JSON.stringify(data).length).toBeGreaterThan(1_000_000);
    await appliance.post([purchase(data)]);
    await page.goto('/events');
    await rows(page).first().waitFor();
    await page.evaluate(watchFrames);
    await rows(page).first().click();
    const event = page.getByRole('complementary', { name: 'Event' });
    await event.getByRole('button', { name: 'Open list' }).click();
    await event.getByText('Show 100 more of 9000').waitFor();
    expect(await page.evaluate(() => Number(document.body.dataset['longest']))).toBeLessThan(800);
  });

  it('shows what strangers wrote as text, and nothing of it runs', async () => {
    await using window = await open();
    const { page, appliance } = window;
    const evil = '<img src=x onerror="document.title=`owned`"><script>alert(1)</script>';
    await appliance.post([{ source: evil, event_type: evil, data: { [evil]: evil } }]);
    await appliance.post(evil);
    await page.goto('/events');
    await rows(page).first().click();
    const event = page.getByRole('complementary', { name: 'Event' });
    await event.getByRole('heading', { name: evil }).waitFor();
    await event.getByRole('link', { name: 'Fields of this type' }).click();
    await page.getByRole('heading', { name: evil }).waitFor();
    await page.getByRole('rowheader', { name: evil }).waitFor();
    await page.getByRole('link', { name: 'Rejected' }).click();
    await page.getByRole('button', { name: 'This is not valid JSON' }).click();
    await page.getByText(evil, { exact: true }).waitFor();
    expect(await page.title()).not.toContain('owned');
    expect(await page.locator('main img').count()).toBe(0);
  });
});

/** Notes the longest time between two frames. */
function watchFrames() {
  let last = performance.now();
  const tick = () => {
    const now = performance.now();
    const longest = Math.max(Number(document.body.dataset['longest'] ?? 0), now - last);
    document.body.dataset['longest'] = String(longest);
    last = now;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
