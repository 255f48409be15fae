import { loadKeys } from './accounts.ts';
import { bareNodeMs, startAppliance } from './children.ts';
import type { Bench } from './bench.ts';
import { median, ratio, seconds, spread } from './figures.ts';
import type { Figure } from './figures.ts';
import { press } from './load.ts';
import { pixelRequests } from './shop.ts';

/** With little to replay, a start after a kill takes at most so many times an empty one. */
const TIMES_AN_EMPTY_START = 2.5;

/** From the spawn of the process until /health answers 200. */
export async function start(bench: Bench): Promise<Figure[]> {
  const { dir: filled } = await bench.filled();
  const { starts } = bench.size;
  const bare = await repeat(starts, bareNodeMs);
  const empty = await repeat(starts, () => startOnce(bench.newDir('empty')));
  const full = await repeat(starts, () => startOnce(filled));
  const killed = await afterKills(bench, 1);
  const briefly = await afterKills(bench, 0.2);
  bench.progress('start');
  return [
    figure('empty data directory', empty, bare, 700),
    figure(`with ${bench.size.events / 1e6} million events`, full, bare, 1500),
    figure('after kill -9, a second of pixels to replay', killed, bare, 2000),
    againstEmpty('after kill -9, a fifth of a second to replay, of an empty start', briefly, empty),
  ];
}

/** What was acknowledged but not yet in the database is replayed before it is ready. */
async function afterKills(bench: Bench, loadedSeconds: number): Promise<number[]> {
  const dir = bench.newDir('killed');
  let server = await startAppliance(dir);
  const requests = pixelRequests(await loadKeys(server));
  const taken = await repeat(bench.size.starts, async () => {
    await press({ server, requests, status: 200 }, { seconds: loadedSeconds, leadIn: 0 });
    await server.kill();
    server = await startAppliance(dir);
    return server.readyAfterMs;
  });
  await server.stop();
  return taken;
}

async function startOnce(dir: string): Promise<number> {
  const server = await startAppliance(dir);
  await server.stop();
  return server.readyAfterMs;
}

async function repeat(count: number, work: () => Promise<number>): Promise<number[]> {
  const taken: number[] = [];
  for (let i = 0; i < count; i++) taken.push(await work());
  return taken;
}

function figure(what: string, taken: number[], bare: number[], goalMs: number): Figure {
  return {
    row: 'start',
    what,
    measured: seconds(median(taken)),
    spread: spread(taken, seconds),
    yardstick: `${seconds(median(bare))} node -e 0`,
    goal: `≤ ${goalMs / 1000} s`,
    met: median(taken) <= goalMs,
  };
}

/** Machines differ, so what only little work is added to is held against the start without it. */
function againstEmpty(what: string, taken: number[], empty: number[]): Figure {
  const times = median(taken) / median(empty);
  return {
    row: 'start',
    what,
    measured: ratio(times),
    spread: spread(taken, (ms) => ratio(ms / median(empty))),
    yardstick: '1',
    goal: `≤ ${TIMES_AN_EMPTY_START}`,
    met: times <= TIMES_AN_EMPTY_START,
  };
}
