import { describe, expect, it } from 'vitest';
import { barriers } from '../helpers/axe.ts';
import { hide } from '../helpers/browser.ts';
import { open, purchase, rows } from './events-parts.ts';

const view = { source: 'web', event_type: 'page_view', data: { page: '/boots' } };

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

  it('says that newer events wait in the journal, and shows them once they can be read', async () => {
    await using window = await open('/', [purchase({ order_id: 'A-1' })]);
    const { page, appliance } = window;
    await page.clock.install();
    const stored = page.waitForResponse('**/api/v1/events?*');
    await page.goto(new URL('/events', page.url()).href);
    const answer = await stored;
    const headers = { ...answer.headers(), 'x-stale': 'true' };
    const body = await answer.text();
    await page.route('**/api/v1/events?*', (route) => route.fulfill({ headers, body }));
    await page.route('**/events/stream*', (route) => route.fulfill({ status: 503 }));
    await page.reload();
    await page.getByText('Newer events are safe in the journal').waitFor();
    expect(await barriers(page)).toEqual([]);

    await appliance.post([purchase({ order_id: 'A-2' })]);
    await page.unroute('**/api/v1/events?*');
    await page.clock.fastForward(5_000);
    await rows(page).filter({ hasText: 'order_id: "A-2"' }).waitFor();
    expect(await page.getByText('safe in the journal').count()).toBe(0);
  });

  it('keeps its filters in the address, so that the back button takes them back', async () => {
    const sent = [purchase(), view, { ...view, data: { page: '/100%_"off"' } }];
    await using window = await open('/events', sent);
    const { page } = window;
    await expect.poll(() => rows(page).count()).toBe(3);
    await page.getByRole('combobox', { name: 'Event type' }).fill('page_view');
    await page.keyboard.press('Enter');
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

  it('forgets what was typed when it is cleared, or left, before it was looked for', async () => {
    await using window = await open('/events?source=web');
    const { page } = window;
    const text = page.getByRole('searchbox', { name: 'Text in the event' });
    await page.getByRole('button', { name: 'Clear', exact: true }).waitFor();
    expect(await text.evaluate(typeAndClick, 'Clear')).toBe('/events');
    expect(await text.inputValue()).toBe('');
    expect(await text.evaluate(typeAndClick, 'Rules')).toBe('/rules');
  });

  it('shows the time that is picked by a drag over the chart', async () => {
    await using window = await open('/events', [purchase()]);
    const { page } = window;
    const chart = page.getByRole('img', { name: /^1 event since yesterday/ });
    const box = await chart.boundingBox();
    if (!box) throw new Error('There is no chart');
    const y = box.y + 40;
    await page.mouse.move(box.x + 200, y);
    await page.mouse.down();
    await page.mouse.move(box.x + 500, y, { steps: 4 });
    await page.mouse.up();
    await page.getByText('Not live: the time chosen has an end').waitFor();
    await page.getByRole('heading', { name: 'No event matches' }).waitFor();
    await page.getByRole('img', { name: /^0 events between / }).waitFor();
    const { searchParams } = new URL(page.url());
    const length =
      Date.parse(searchParams.get('until') ?? '') - Date.parse(searchParams.get('since') ?? '');
    expect(length / 3_600_000).toBeGreaterThan(4);
    expect(length / 3_600_000).toBeLessThan(9);
    await page.goBack();
    await expect.poll(() => rows(page).count()).toBe(1);
  });

  it('counts between the times that are typed, and refuses an end before the beginning', async () => {
    await using window = await open('/events', [purchase()]);
    const { page } = window;
    await page.getByRole('combobox', { name: 'Time', exact: true }).selectOption('From and to');
    const [from, to] = [page.getByLabel('From'), page.getByLabel('to', { exact: true })];
    await from.fill('2026-01-10T18:00');
    await to.fill('2026-01-10T17:00');
    await page.getByText('From must be earlier than to.').waitFor();
    expect(new URL(page.url()).searchParams.has('until')).toBe(false);
    await to.fill('2026-01-10T19:00');
    const head = page.locator('figcaption');
    await expect.poll(() => head.innerText()).toMatch(/^0 events between .*18:00 and 19:00$/);
  });

  it('goes on below the first hundred, and does not move while one reads there', async () => {
    const sent = Array.from({ length: 230 }, (_, i) => purchase({ i }));
    await using window = await open('/events', sent);
    const { page, appliance } = window;
    const more = page.getByRole('button', { name: 'Load 100 more' });
    await more.click();
    await expect.poll(() => rows(page).count()).toBe(200);
    await more.click();
    await page.getByText('These are all: 230 events.').waitFor();
    await page.evaluate(() => scrollTo(0, 2_000));
    await appliance.post([purchase({ n: 'meanwhile' })]);
    await page.getByRole('button', { name: '1 new event' }).click();
    await rows(page).filter({ hasText: 'meanwhile' }).waitFor();
    const ids = await rows(page).evaluateAll((links) => links.map(({ id }) => id));
    expect(new Set(ids).size).toBe(231);
  });

  it('says how far back a search came, and searches before that', async () => {
    await using window = await open('/events', [purchase({ order_id: 'A-7' })]);
    const { page } = window;
    const until = new Date(Date.now() + 60_000).toISOString();
    // A search is only cut where there is far more to look through.
    await page.route(
      (url) => url.pathname === '/api/v1/events' && !url.searchParams.has('until'),
      (route) =>
        new URL(route.request().url()).searchParams.has('text')
          ? route.fulfill({ json: [], headers: { 'x-searched-until': until } })
          : route.continue(),
    );
    await page.getByRole('searchbox', { name: 'Text in the event' }).fill('A-7');
    await page.getByText('Nothing found so far. Searched back to').waitFor();
    await page.getByRole('button', { name: 'Search before that' }).click();
    await rows(page).filter({ hasText: 'A-7' }).waitFor();
    await page.getByText('These are all: 1 event.').waitFor();
  });

  it('keeps no connection while it is out of view or covered, and then shows what came meanwhile', async () => {
    await using window = await open('/events');
    const { page, appliance } = window;
    const status = () => page.getByRole('status').allInnerTexts();
    await expect.poll(status).toContain('Live');
    const closed = page.waitForEvent('requestfailed', (request) => isStream(request.url()));
    await hide(page);
    await closed;
    await appliance.post([purchase({ order_id: 'meanwhile' })]);
    const opened = page.waitForRequest((request) => isStream(request.url()));
    await hide(page, false);
    await opened;
    await rows(page).filter({ hasText: 'meanwhile' }).waitFor();
    expect(await status()).toContain('Live');

    // More than are sent afterwards, of which nothing is told but what is new.
    await hide(page);
    await appliance.post(Array.from({ length: 1_200 }, (_, n) => purchase({ n })));
    await hide(page, false);
    await expect.poll(() => rows(page).count()).toBe(100);
    await rows(page).filter({ hasText: 'n: 1199' }).waitFor();
    expect(await page.getByText('too fast').count()).toBe(0);

    const covered = page.waitForEvent('requestfailed', (request) => isStream(request.url()));
    await page.evaluate(() => fetch('/api/v1/session', { method: 'DELETE' }));
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await covered;
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

const isStream = (url: string) => url.includes('/events/stream');

/** Types, and clicks at once; says where that leads once the typing would have been looked for. */
async function typeAndClick(field: HTMLElement | SVGElement, word: string) {
  if (field instanceof HTMLInputElement) field.value = 'abc';
  field.dispatchEvent(new Event('input', { bubbles: true }));
  const words = [...document.querySelectorAll<HTMLElement>('a, button')];
  words.find(({ textContent }) => textContent.trim() === word)?.click();
  await new Promise((resolve) => setTimeout(resolve, 400));
  return location.pathname + location.search;
}
