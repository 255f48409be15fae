import { expect, it } from 'vitest';
import { dashboard } from '../helpers/browser.ts';

it('10,000 events within seconds leave the page quick, bounded and in order', async () => {
  await using window = await dashboard('/events');
  const { page, appliance, faults } = window;
  await expect.poll(() => page.getByRole('status').allInnerTexts()).toContain('Live');
  await page.evaluate(() => {
    let last = performance.now();
    const gaps: number[] = [];
    Object.assign(globalThis, { gaps });
    const tick = () => {
      const now = performance.now();
      gaps.push(now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });

  const began = Date.now();
  const sending = (async () => {
    for (let batch = 0; batch < 100; batch++) {
      await appliance.post(
        Array.from({ length: 100 }, (_, i) => ({
          source: 'shop',
          event_type: i % 3 ? 'page_view' : 'purchase',
          data: { n: batch * 100 + i, page: '/boots', items: [{ id: i }], user: { id: 'u' } },
        })),
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  const field = page.getByRole('searchbox', { name: 'Text in the event' });
  const typing: number[] = [];
  while (Date.now() - began < 5_000) {
    const before = Date.now();
    await field.press('ArrowLeft');
    typing.push(Date.now() - before);
    expect(await page.getByRole('list').getByRole('link').count()).toBeLessThanOrEqual(600);
  }
  await sending;

  const rows = page.getByRole('list', { name: 'Events, newest first' }).getByRole('link');
  await rows.filter({ hasText: 'n: 9999,' }).waitFor();
  expect(await rows.count()).toBeLessThanOrEqual(500);
  const shown = await rows.evaluateAll((links) =>
    links.map((link) => Number(/n: (\d+)/.exec(link.textContent)?.[1])),
  );
  expect(shown).toEqual(shown.toSorted((one, other) => other - one));
  const gaps = await page.evaluate(() => (globalThis as unknown as { gaps: number[] }).gaps);
  // Measured: 52 ms, and 74 ms for a key, on two busy cores. A machine may be busier than that.
  expect(Math.max(...gaps)).toBeLessThan(500);
  expect(Math.max(...typing)).toBeLessThan(500);
  await field.fill('"n":42,');
  await expect.poll(() => rows.count()).toBe(1);
  expect(faults).toEqual([]);
});
