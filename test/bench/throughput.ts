import { setTimeout as sleep } from 'node:timers/promises';
import { countEvents, loadKeys } from './accounts.ts';
import { startAppliance, startYardstick } from './children.ts';
import type { Server } from './children.ts';
import type { Bench } from './bench.ts';
import { median, perSecond, ratio, spread } from './figures.ts';
import type { Figure } from './figures.ts';
import { press } from './load.ts';
import type { Pressure } from './load.ts';
import { BATCH, batchRequests, pixelRequests } from './shop.ts';

interface Kind {
  row: string;
  what: string;
  requests: (keys: readonly string[]) => Buffer[];
  status: number;
  events: number;
  goal: number;
}

export const pixel = (bench: Bench) =>
  measure(bench, {
    row: 'pixel',
    what: 'durable pixel requests',
    requests: pixelRequests,
    status: 200,
    events: 1,
    goal: 0.6,
  });

export const batch = (bench: Bench) =>
  measure(bench, {
    row: 'batch',
    what: `durable events in batches of ${BATCH}`,
    requests: batchRequests,
    status: 201,
    events: BATCH,
    goal: 0.65,
  });

/**
 * Yardstick and appliance take turns, so that what else the machine does meets both alike, and
 * each pair gives one ratio.
 */
async function measure(bench: Bench, kind: Kind): Promise<Figure[]> {
  const profiled = bench.profiling(kind.row);
  const ours = await startAppliance(bench.newDir(kind.row), profiled.nodeArgs);
  const bare = await startYardstick();
  const requests = kind.requests(await loadKeys(ours));
  const target = (server: Server) => ({ server, requests, status: kind.status });
  const { pairs, roundSeconds, warmUpSeconds } = bench.size;
  let accepted = 0;

  async function round(seconds: number) {
    const yardstick = await press(target(bare), { seconds, leadIn: 0.5 });
    const appliance = await press(target(ours), { seconds, leadIn: 0.5 });
    accepted += appliance.answers * kind.events;
    // Whatever has gathered goes into the database now, not during the yardstick's turn.
    const since = performance.now();
    const stored = await countEvents(ours);
    if (stored !== accepted) throw new Error(`${accepted} were accepted, but ${stored} are there`);
    const settleMs = performance.now() - since;
    await sleep(500);
    return { yardstick, appliance, settleMs };
  }

  await round(warmUpSeconds);
  const rounds: Awaited<ReturnType<typeof round>>[] = [];
  for (let i = 0; i < pairs; i++) {
    globalThis.gc?.();
    rounds.push(await round(roundSeconds));
    bench.progress(`${kind.row} ${i + 1}/${pairs}`);
  }
  await bare.stop();
  await ours.stop();
  await profiled.report();

  const rates = (side: 'yardstick' | 'appliance') =>
    rounds.map((round) => round[side].perSecond * kind.events);
  const ratios = rounds.map(
    ({ appliance, yardstick }) => appliance.perSecond / yardstick.perSecond,
  );
  const cores = (side: 'yardstick' | 'appliance', who: keyof Pressure['cores']) =>
    ratio(median(rounds.map((round) => round[side].cores[who])));
  const both = (who: keyof Pressure['cores']) => ({
    measured: cores('appliance', who),
    yardstick: cores('yardstick', who),
  });
  // What a request costs says more than the rate where other programs want the cores too.
  const mainTime = (side: 'yardstick' | 'appliance') =>
    `${median(rounds.map((round) => (round[side].cores.main / round[side].perSecond) * 1e6)).toFixed(1)} µs`;
  return [
    {
      row: kind.row,
      what: `${kind.what}, of bare node:http`,
      measured: ratio(median(ratios)),
      spread: spread(ratios, ratio),
      yardstick: '1',
      goal: `≥ ${kind.goal}`,
      met: median(ratios) >= kind.goal,
    },
    {
      row: kind.row,
      what: kind.what,
      measured: perSecond(median(rates('appliance'))),
      spread: spread(rates('appliance'), perSecond),
      yardstick: perSecond(median(rates('yardstick'))),
    },
    { row: kind.row, what: 'cores used by the server', ...both('server') },
    {
      row: kind.row,
      what: "time of the server's main thread for a request",
      measured: mainTime('appliance'),
      yardstick: mainTime('yardstick'),
    },
    { row: kind.row, what: 'cores used by the generator', ...both('generator') },
    {
      row: kind.row,
      what: 'left for the database when a round ended',
      measured: `${Math.round(median(rounds.map(({ settleMs }) => settleMs)))} ms`,
    },
  ];
}
