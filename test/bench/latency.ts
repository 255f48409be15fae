import { loadKeys } from './accounts.ts';
import { startAppliance, startYardstick } from './children.ts';
import { syncTimes } from './disk.ts';
import type { Bench } from './bench.ts';
import { ms, quantile } from './figures.ts';
import type { Figure } from './figures.ts';
import { ask, hold } from './load.ts';
import { evaluateRequest, putRules, RULES } from './rules.ts';
import { pixelRequests } from './shop.ts';

export const RATE = 1000;
const CYCLE = { times: 1, warmUp: 0, status: 201 };

/** A pixel's time at a steady rate, which keeps flushes running beside it, and cycles of rules. */
export async function latency(bench: Bench): Promise<Figure[]> {
  const { dir } = await bench.filled();
  putRules(dir);
  const seconds = bench.size.holdSeconds;
  const bare = await startYardstick();
  const ours = await startAppliance(dir);
  const requests = pixelRequests(await loadKeys(ours));
  const timing = { rate: RATE, seconds, leadIn: 2 };
  const yardstick = await hold({ server: bare, requests, status: 200 }, timing);
  const syncs = await syncTimes(bench.newDir('disk'), seconds / 8);
  const run = { over: false };
  let cycles = 0;
  const evaluating = (async () => {
    for (; !run.over; cycles++) await ask(ours.port, evaluateRequest(), CYCLE);
  })();
  const appliance = await hold({ server: ours, requests, status: 200 }, timing);
  run.over = true;
  await evaluating;
  syncs.push(...(await syncTimes(bench.newDir('disk'), seconds / 8)));
  await bare.stop();
  await ours.stop();
  bench.progress('latency');
  return [0.5, 0.99, 0.999].map((share) => ({
    row: 'latency',
    what: `pixel at ${RATE}/s beside flushes and ${cycles} cycles of ${RULES} rules, p${share * 100}`,
    measured: ms(appliance.latency(share)),
    yardstick: `${ms(yardstick.latency(share))} bare, ${ms(quantile(syncs, share))} disk`,
    ...(share === 0.99 && { goal: '≤ 10 ms', met: appliance.latency(share) <= 10 }),
  }));
}
