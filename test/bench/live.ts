import { setTimeout as sleep } from 'node:timers/promises';
import { buildDashboard } from '../../build/dashboard.ts';
import { launchBrowser } from '../helpers/chromium.ts';
import type { Bench } from './bench.ts';
import { FULL_KEY, startAppliance } from './children.ts';
import type { Server } from './children.ts';
import { signedIn } from './dashboard.ts';
import { ms, quantile } from './figures.ts';
import type { Figure } from './figures.ts';

interface Measured {
  gaps: number[];
  keys: number[];
}

/** The page of events while 10,000 of them arrive within seconds, and somebody types. */
export async function live(bench: Bench): Promise<Figure[]> {
  await buildDashboard();
  const server = await startAppliance(bench.newDir('live'));
  const browser = await launchBrowser();
  try {
    const page = await signedIn(browser, server);
    await page.goto('/events');
    await page.getByRole('status').getByText('Live').waitFor();
    await page.evaluate(watch);

    const state = { isSending: true };
    const sending = flood(server).finally(() => (state.isSending = false));
    const field = page.getByRole('searchbox', { name: 'Text in the event' });
    while (state.isSending) await field.press('ArrowLeft');
    await sending;
    await page.getByRole('link').filter({ hasText: 'n: 9999,' }).first().waitFor();
    const { gaps, keys } = await page.evaluate(() => {
      const { gaps, keys } = globalThis as unknown as Measured;
      return { gaps, keys };
    });
    bench.progress('live');
    return [
      figure('from one frame to the next', gaps),
      { ...figure('a key in the search', keys), row: '' },
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** In the page: the time between frames, and what a key waits for. */
function watch(): void {
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
}

async function flood({ port }: Server): Promise<void> {
  for (let batch = 0; batch < 100; batch++) {
    const events = Array.from({ length: 100 }, (_, i) => ({
      ...{ source: 'shop', event_type: i % 3 ? 'page_view' : 'purchase' },
      data: { n: batch * 100 + i, page: '/boots', items: [{ id: i }], user: { id: 'u' } },
    }));
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/events`, {
      method: 'POST',
      headers: { 'x-api-key': FULL_KEY, 'content-type': 'application/json' },
      body: JSON.stringify(events),
    });
    if (answer.status !== 201) throw new Error(await answer.text());
    await sleep(50);
  }
}

const figure = (what: string, taken: readonly number[]): Figure => ({
  ...{ row: 'live', what: `${what}, nineteen in twenty` },
  measured: ms(quantile(taken, 0.95)),
  spread: `up to ${ms(Math.max(...taken))}`,
  ...{ goal: '≤ 200 ms', met: quantile(taken, 0.95) <= 200 },
});
