import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const script = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Found {
  id: string;
  impact: string | null;
  nodes: { target: string[]; failureSummary?: string }[];
}

/** What keeps people out of the page that is shown: serious faults and worse, in words. */
export async function barriers(page: Page): Promise<string[]> {
  // Handed over by the debugger's door: the page's own policy would refuse the script.
  await page.evaluate(readFileSync(script, 'utf8'));
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: Found[] }> };
    };
    return (await axe.run({ resultTypes: ['violations'] })).violations;
  });
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary = '' }) => `${id}: ${target.join(' ')} ${failureSummary}`,
      ),
    );
}
