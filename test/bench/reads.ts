import { startAppliance } from './children.ts';
import type { Bench } from './bench.ts';
import { COMMON_TYPE, DAYS, RARE_SOURCE, RARE_TYPE } from './fill.ts';
import { median, ms, spread } from './figures.ts';
import type { Figure } from './figures.ts';
import { ask } from './load.ts';
import { getRequest } from './shop.ts';

const DAY = 86_400_000;

/** The newest 100 events by each kind of filter, through HTTP. */
export async function latest(bench: Bench): Promise<Figure[]> {
  const { key, otherKey } = await bench.filled();
  const longAgo = new Date(Date.now() - (DAYS - 5) * DAY).toISOString();
  const filters: [what: string, query: string, key: string][] = [
    ['no filter', '', key],
    ['common type', `event_type=${COMMON_TYPE}`, key],
    ['rare type', `event_type=${RARE_TYPE}`, key],
    ['rare source', `source=${RARE_SOURCE}`, key],
    ['source and type', 'source=backend&event_type=refund', key],
    ['a type that does not exist', 'event_type=no_such_type', key],
    ['until 25 days ago', `until=${longAgo}`, key],
    ['the small tenant', '', otherKey],
    ['the small tenant, rare type', `event_type=${RARE_TYPE}`, otherKey],
  ];
  return timed(
    bench,
    'latest',
    30,
    filters.map(([what, query, key]) => [
      `newest 100, ${what}`,
      getRequest(`/api/v1/events?limit=100&${query}`, key),
    ]),
  );
}

/** What is answered from counts: each range, with and without filter. */
export async function rollups(bench: Bench): Promise<Figure[]> {
  const { key } = await bench.filled();
  const paths = ['types', 'sources', 'counts', 'usual', `usual?event_type=${COMMON_TYPE}`];
  for (const range of ['1h', '24h', '7d', '30d']) {
    paths.push(`counts?time_range=${range}`);
    for (const filter of ['', `&event_type=${COMMON_TYPE}`, `&source=${RARE_SOURCE}`]) {
      paths.push(`activity?time_range=${range}${filter}`);
    }
  }
  return timed(
    bench,
    'rollups',
    10,
    paths.map((path) => [path, getRequest(`/api/v1/events/${path}`, key)]),
  );
}

async function timed(
  bench: Bench,
  row: string,
  goalMs: number,
  requests: [what: string, request: Buffer][],
): Promise<Figure[]> {
  const { dir } = await bench.filled();
  const server = await startAppliance(dir);
  const figures: Figure[] = [];
  for (const [what, request] of requests) {
    const { taken, body } = await ask(server.port, request, {
      times: bench.size.times,
      warmUp: 3,
    });
    figures.push({
      row,
      what: `${what} (${sizeOf(JSON.parse(body))})`,
      measured: ms(median(taken)),
      spread: spread(taken, ms),
      goal: `≤ ${goalMs} ms`,
      met: median(taken) <= goalMs,
    });
  }
  await server.stop();
  bench.progress(row);
  return figures;
}

function sizeOf(answer: unknown): number {
  return Array.isArray(answer) ? answer.length : Object.keys(answer as object).length;
}
