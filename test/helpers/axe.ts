import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Found {
  id: string;
  impact: string | null;
  nodes: { target: string[]; failureSummary?: string }[];
}

/** What the choice of colours can break; all else is the same in light and dark. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** What keeps people out of the page that is shown: serious faults and worse, in words. */
export async function barriers(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Handed over by the debugger's door: the page's own policy would refuse the script.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(script);
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: Found[] }> };
    };
    const options = { resultTypes: ['violations'], ...(runOnly && { runOnly }) };
    return (await axe.run(options)).violations;
  }, rules);
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary = '' }) => `${id}: ${target.join(' ')} ${failureSummary}`,
      ),
    );
}

/** The same in light and then in dark, for a page that was opened in light. */
export async function barriersInBoth(page: Page): Promise<string[]> {
  const inLight = await barriers(page);
  // A colour on its way to another is no colour to judge contrast by.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
  const inDark = await barriers(page, OF_COLOURS);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...inLight, ...inDark.map((fault) => `in dark: ${fault}`)];
}
