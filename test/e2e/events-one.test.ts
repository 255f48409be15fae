import { describe, expect, it } from 'vitest';
import { open, purchase, rows } from './events-parts.ts';

describe('an event', () => {
  it('opens beside the list, by keys too, and has an address of its own', async () => {
    const first =
      '[{"source":"shop","event_type":"purchase","data":{"n":"first","id":12345678901234567891}}]';
    await using window = await open('/events', first, [purchase({ n: 'second' })]);
    const { page } = window;
    const event = page.getByRole('complementary', { name: 'Event' });
    await rows(page).first().waitFor();
    await page.keyboard.press('j');
    await event.getByText('"second"').waitFor();
    await page.keyboard.press('j');
    await event.getByText('"first"').waitFor();
    await event.getByText('12345678901234567891', { exact: true }).waitFor();
    await page.reload();
    await event.getByText('"first"').waitFor();
    await page.keyboard.press('Escape');
    await event.waitFor({ state: 'detached' });
    await page.goto('/events?event=01a1fa3b-849b-7000-9705-941360980000');
    await event.getByText('This event is not here any more').waitFor();
    await page.goto('/events?type=refund&event=1');
    await event.getByText('There is no such event').waitFor();
    await page.getByRole('heading', { name: 'No event matches' }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?event=1&event_type=refund');
    await page.goto('/events/types?event_type=purchase');
    await page.getByRole('link', { name: 'All event types' }).click();
    await page.getByRole('row', { name: /purchase/ }).waitFor();
  });

  it('opens and closes while the list stays as it was: paused, as long, at its place', async () => {
    const sent = Array.from({ length: 150 }, (_, i) => purchase({ i }));
    await using window = await open('/events', sent);
    const { page } = window;
    const event = page.getByRole('complementary', { name: 'Event' });
    const focused = () => page.evaluate(() => document.activeElement?.id);
    await page.getByRole('button', { name: 'Load 100 more' }).click();
    await expect.poll(() => rows(page).count()).toBe(150);
    await page.getByRole('button', { name: 'Pause' }).click();
    const row = rows(page).filter({ hasText: 'i: 30' }).first();
    await row.evaluate((link) => link.scrollIntoView({ block: 'center' }));
    const place = await page.evaluate(() => scrollY);
    const id = await row.getAttribute('id');
    await row.click();
    await event.getByRole('button', { name: 'Copy JSON' }).waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(place);
    expect(await focused()).toBe(id);
    await page.keyboard.press('ArrowDown');
    await event.getByText('29', { exact: true }).waitFor();
    expect(await focused()).toBe(await rows(page).filter({ hasText: 'i: 29' }).getAttribute('id'));
    await page.keyboard.press('ArrowUp');
    await event.getByText('30', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await event.waitFor({ state: 'detached' });
    expect(await focused()).toBe(id);
    expect(await rows(page).count()).toBe(150);
    const text = page.getByRole('searchbox', { name: 'Text in the event' });
    await text.pressSequentially('149');
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await text.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: 'Resume' }).waitFor();
  });

  it('of a megabyte opens without a halt', async () => {
    const data = {
      list: Array.from({ length: 9_000 }, (_, i) => ({
        i,
        name: `item ${i}`,
        deep: { x: { y: i } },
      })),
      text: 'lorem ipsum '.repeat(50_000),
    };
    expect(JSON.stringify(data).length).toBeGreaterThan(1_000_000);
    await using window = await open('/events', [purchase(data)]);
    const { page } = window;
    await rows(page).first().click();
    const event = page.getByRole('complementary', { name: 'Event' });
    await event.getByRole('button', { name: 'Open list' }).click();
    await event.getByText('Show 100 more of 9000').waitFor();
    // How long it takes is up to how much of it is in the page.
    expect(await event.locator('*').count()).toBeLessThan(2_000);
    expect((await event.innerText()).length).toBeLessThan(20_000);
  });

  it('shows what strangers wrote as text, and nothing of it runs', async () => {
    const evil = '<img src=x onerror="document.title=`owned`"><script>alert(1)</script>';
    const data = { [evil]: evil, 'zero\u200bwidth': '\u202eabc' };
    const stranger = [{ source: evil, event_type: evil, data }];
    await using window = await open('/events', stranger, evil);
    const { page } = window;
    await rows(page).first().click();
    const event = page.getByRole('complementary', { name: 'Event' });
    await event.getByRole('heading', { name: evil }).waitFor();
    await event.getByText('zero‹U+200B›width', { exact: true }).waitFor();
    await event.getByText('"‹U+202E›abc"', { exact: true }).waitFor();
    await event.getByRole('link', { name: 'Fields of this type' }).click();
    await page.getByRole('heading', { name: evil }).waitFor();
    expect(new URL(page.url()).searchParams.get('type')).toBe(evil);
    await page.getByRole('rowheader', { name: evil }).waitFor();
    await page.getByRole('link', { name: 'Rejected' }).click();
    await page.getByRole('button', { name: 'This is not valid JSON' }).click();
    await page.getByText(evil, { exact: true }).waitFor();
    expect(await page.title()).not.toContain('owned');
    expect(await page.locator('main img').count()).toBe(0);
  });
});
