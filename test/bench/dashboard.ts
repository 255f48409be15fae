import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildDashboard } from '../../build/dashboard.ts';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../helpers/chromium.ts';
import type { Bench } from './bench.ts';
import { PASSWORD, startAppliance } from './children.ts';
import type { Server } from './children.ts';
import { median, ms, spread } from './figures.ts';
import type { Figure } from './figures.ts';

const DIST = path.join(import.meta.dirname, '../../ui/dist');

/** The dashboard over 10 million events, each time in a browser that has seen nothing of it. */
export async function dashboard(bench: Bench): Promise<Figure[]> {
  await buildDashboard();
  const { dir } = await bench.filled();
  const server = await startAppliance(dir);
  const browser = await launchBrowser();
  const first: number[] = [];
  const whole: number[] = [];
  try {
    // The first time only warms the browser.
    for (let i = 0; i <= bench.size.starts; i++) {
      const page = await signedIn(browser, server);
      await page.goto('/');
      await page.locator('main .u-over').first().waitFor({ state: 'attached' });
      const taken = await page.evaluate(() => ({
        paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
        whole: performance.now(),
      }));
      if (i > 0) {
        first.push(taken.paint);
        whole.push(taken.whole);
      }
      await page.context().close();
    }
  } finally {
    await browser.close();
    await server.stop();
  }
  bench.progress('dashboard');
  const kilobytes = firstScript() / 1000;
  return [
    figure('first paint', first, 1000),
    figure('overview with its charts', whole),
    {
      row: '',
      what: 'zipped script of the first paint',
      measured: `${kilobytes.toFixed(0)} kB`,
      goal: '≤ 150 kB',
      met: kilobytes <= 150,
    },
  ];
}

/** A window of its own, which has seen nothing of the dashboard yet. */
export async function signedIn(browser: Browser, { port }: Server): Promise<Page> {
  const baseURL = `http://127.0.0.1:${port}`;
  const context = await browser.newContext({ baseURL });
  const answer = await context.request.post('/api/v1/session', {
    ...{ data: { password: PASSWORD }, headers: { origin: baseURL } },
  });
  if (!answer.ok()) throw new Error(await answer.text());
  return context.newPage();
}

function figure(what: string, taken: number[], goalMs?: number): Figure {
  return {
    row: 'dashboard',
    what,
    measured: ms(median(taken)),
    spread: spread(taken, ms),
    ...(goalMs !== undefined && { goal: `≤ ${goalMs / 1000} s`, met: median(taken) <= goalMs }),
  };
}

/** What the overview needs, with everything that this needs. */
export function firstScript(): number {
  const manifest = JSON.parse(
    readFileSync(path.join(DIST, '.vite/manifest.json'), 'utf8'),
  ) as Record<string, { file: string; isEntry?: boolean; imports?: string[] }>;
  const files = new Set<string>();
  const gather = (name: string) => {
    const entry = manifest[name];
    if (!entry || files.has(entry.file)) return;
    files.add(entry.file);
    for (const other of entry.imports ?? []) gather(other);
  };
  for (const [name, { isEntry }] of Object.entries(manifest)) if (isEntry) gather(name);
  gather('src/pages/overview/Overview.svelte');
  return [...files]
    .map((file) => readFileSync(path.join(DIST, `${file}.gz`)).length)
    .reduce((sum, size) => sum + size, 0);
}
