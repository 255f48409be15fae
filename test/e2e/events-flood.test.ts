import { expect, it } from 'vitest';
import { dashboard } from '../helpers/browser.ts';

/** Machines are busy at times. */
const soon = <T>(look: () => T) => expect.poll(look, { timeout: 15_000 });

it('10,000 events within seconds leave the page quick, bounded and in order', async () => {
  await using window = await dashboard('/events');
  const { page, appliance, faults } = window;
  await soon(() => page.getByRole('status').allInnerTexts()).toContain('Live');
  await page.evaluate(() => {
    let last = performance.now();
    const gaps: number[] = [];
    const keys: number[] = [];
    Object.assign(globalThis, { gaps, keys });
    addEventListener('keydown', ({ timeStamp }) => keys.push(performance.now() - timeStamp));
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
  while (Date.now() - began < 5_000) {
    await field.press('ArrowLeft');
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
  const { gaps, keys } = await page.evaluate(() => {
    const measured = globalThis as unknown as { gaps: number[]; keys: number[] };
    return { gaps: measured.gaps, keys: measured.keys };
  });
  // Measured: 52 ms at the longest on two cores. Where they are shared with others, it is the most
  // that they take away; nineteen in twenty say what the page itself takes.
  expect(nearlyAll(gaps)).toBeLessThan(200);
  expect(Math.max(...gaps)).toBeLessThan(1_500);
  expect(nearlyAll(keys)).toBeLessThan(200);

  // More at once than are ever sent to a browser.
  const one = { source: 'shop', event_type: 'burst', data: {} };
  await appliance.post(Array.from({ length: 3_000 }, () => one));
  await page.getByText('2,000 events came too fast to be listed one by one.').waitFor();
  await page.getByRole('button', { name: 'Load the newest' }).click();
  await page.getByText('came too fast').waitFor({ state: 'detached' });
  await soon(() => rows.filter({ hasText: 'burst' }).count()).toBe(100);

  await field.fill('"n":42,');
  await soon(() => rows.count()).toBe(1);
  expect(faults).toEqual([]);
});

/** What nineteen in twenty of them stay below. */
function nearlyAll(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.95)] ?? Infinity;
}
