import { setTimeout as pause } from 'node:timers/promises';
import type { TestTenant } from './tenant.ts';

/** How long each took, in milliseconds, and what came back instead of a good answer. */
export interface Waits {
  count: number;
  median: number;
  worst: number;
  refused: number[];
}

const PACE_MS = 25;

/** A pixel of a neighbour by the wire, so that connections and the loop are in it. */
export const pixelOf = (neighbour: Pick<TestTenant, 'url' | 'key'>) => () => {
  const d = encodeURIComponent('{"source":"gtm","events":[{"type":"page_view","data":{}}]}');
  return fetch(`${neighbour.url}/api/v1/events/collect?k=${neighbour.key}&d=${d}`);
};

/** A list of a neighbour's newest ten. */
export const listOf = (neighbour: Pick<TestTenant, 'url' | 'key'>) => () =>
  fetch(`${neighbour.url}/api/v1/events?limit=10`, { headers: { 'x-api-key': neighbour.key } });

/**
 * What a neighbour waits while all is calm, for as many requests as `calmly`, and then for as long
 * as somebody does what he should not. For tests of bounds: they hold the second against the first.
 */
export async function waitsBeside(
  ask: () => Promise<Response>,
  attack: () => Promise<unknown>,
  calmly = 20,
): Promise<{ calm: Waits; attacked: Waits }> {
  let rounds = 0;
  const calm = await waits(ask, () => rounds++ < calmly);
  let isOver = false;
  const over = attack().finally(() => (isOver = true));
  const attacked = await waits(ask, () => !isOver);
  await over;
  return { calm, attacked };
}

async function waits(ask: () => Promise<Response>, goesOn: () => boolean): Promise<Waits> {
  const took: number[] = [];
  const refused: number[] = [];
  while (goesOn()) {
    const began = performance.now();
    const answer = await ask();
    await answer.arrayBuffer();
    took.push(performance.now() - began);
    if (!answer.ok) refused.push(answer.status);
    await pause(PACE_MS);
  }
  took.sort((a, b) => a - b);
  const median = took[took.length >> 1] ?? 0;
  return { count: took.length, median, worst: took.at(-1) ?? 0, refused };
}
