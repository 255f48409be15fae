import { endIfNobodyWaits } from './asker.ts';

/** Work goes on for so long before others get their turn. */
const TURN_MS = 5;

/** One after the other like a loop, which leaves room for requests in between. */
export async function inTurns<T, R>(
  all: readonly T[],
  work: (one: T, index: number) => R,
): Promise<R[]> {
  const results: R[] = [];
  let began = performance.now();
  for (const [i, one] of all.entries()) {
    if (performance.now() - began > TURN_MS) {
      await new Promise(setImmediate);
      endIfNobodyWaits();
      began = performance.now();
    }
    results.push(work(one, i));
  }
  return results;
}
