import { setTimeout as sleep } from 'node:timers/promises';
import { loadKeys } from './accounts.ts';
import { FULL_KEY, startAppliance, startYardstick } from './children.ts';
import type { Server } from './children.ts';
import type { Bench } from './bench.ts';
import { COMMON_TYPE } from './fill.ts';
import { megabytes } from './figures.ts';
import type { Figure } from './figures.ts';
import { ask, hold } from './load.ts';
import { RATE } from './latency.ts';
import { getRequest, pixelRequests } from './shop.ts';

const GOALS = { idle: 150e6, loaded: 300e6 };

interface Taken {
  idle: number;
  loaded: number;
}

/** Resident memory: after a start and a handful of requests, and at a steady rate of pixels. */
export async function memory(bench: Bench): Promise<Figure[]> {
  const { dir: filled } = await bench.filled();
  const yardstick = await startYardstick();
  const bare = await weigh(bench, yardstick, pixelRequests([FULL_KEY]));
  const figures: Figure[] = [];
  for (const [what, dir] of [
    ['empty data directory', bench.newDir('memory')],
    [`${bench.size.events / 1e6} million events`, filled],
  ] as const) {
    const server = await startAppliance(dir);
    for (const path of ['', '/types', '/counts', `?event_type=${COMMON_TYPE}`]) {
      await ask(server.port, getRequest(`/api/v1/events${path}`, FULL_KEY), {
        times: 1,
        warmUp: 0,
      });
    }
    const keys = await loadKeys(server);
    const ours = await weigh(bench, server, pixelRequests(keys));
    figures.push(figure('idle', what, ours, bare), figure('loaded', what, ours, bare));
  }
  bench.progress('memory');
  return figures;
}

async function weigh(bench: Bench, server: Server, requests: Buffer[]): Promise<Taken> {
  await sleep(bench.size.idleSeconds * 1000);
  const idle = server.rss();
  let loaded = 0;
  // The highest of what is seen, since a machine must have room for that.
  const timer = setInterval(() => (loaded = Math.max(loaded, server.rss())), 250);
  await hold(
    { server, requests, status: 200 },
    { rate: RATE, seconds: bench.size.holdSeconds, leadIn: 0 },
  );
  clearInterval(timer);
  await server.stop();
  return { idle, loaded };
}

function figure(when: 'idle' | 'loaded', what: string, ours: Taken, bare: Taken): Figure {
  const load = when === 'idle' ? 'idle' : `at ${RATE} pixels a second, highest`;
  return {
    row: 'memory',
    what: `${load}, ${what}`,
    measured: megabytes(ours[when]),
    yardstick: `${megabytes(bare[when])} bare node:http`,
    goal: `≤ ${megabytes(GOALS[when])}`,
    met: ours[when] <= GOALS[when],
  };
}
