import { KEY } from './appliance.ts';
import { NO_FAULTS } from './ledger.ts';
import type { Ledger, Stored } from './ledger.ts';
import type { Random } from './random.ts';

const JSON_HEADERS = { 'x-api-key': KEY, 'content-type': 'application/json' };
const PAGE = 1000;

/** Sends one batch; what was answered goes into the ledger. Returns the status. */
export async function postNumbers(url: string, ledger: Ledger, count: number, filler = '') {
  const numbers = ledger.take(count);
  const items = numbers.map((n) => ({ source: 'crash', event_type: kind(n), data: { n, filler } }));
  return answered(await post(url, JSON.stringify(items)), ledger, numbers);
}

export function post(url: string, body: string): Promise<Response> {
  return fetch(`${url}/api/v1/events`, { method: 'POST', headers: JSON_HEADERS, body });
}

export async function pixelNumbers(url: string, ledger: Ledger, count: number) {
  const numbers = ledger.take(count);
  const events = numbers.map((n) => ({ type: kind(n), timestamp: 1, data: { n }, metadata: {} }));
  const d = encodeURIComponent(JSON.stringify({ source: 'gtm', source_id: 'GTM-1', events }));
  const address = `${url}/api/v1/events/collect?k=${KEY}&d=${d}`;
  return answered(await fetch(address), ledger, numbers);
}

/** A batch whose last item is wrong: nothing of it may be kept. */
async function postRefused(url: string, ledger: Ledger, count: number) {
  const numbers = ledger.take(count);
  const items: object[] = numbers.map((n) => ({ source: 's', event_type: kind(n), data: { n } }));
  return answered(await post(url, JSON.stringify([...items, { source: 1 }])), ledger, numbers);
}

async function answered(response: Response, ledger: Ledger, numbers: readonly number[]) {
  // Acknowledged by its status, even when the connection breaks behind it.
  ledger.mark(
    numbers,
    response.ok ? 'acknowledged' : response.status === 503 ? 'put off' : 'refused',
  );
  await response.arrayBuffer().catch(() => undefined);
  return response.status;
}

const kind = (n: number) => `type-${n % 7}`;

export const ask = (url: string, path: string) =>
  fetch(`${url}/api/v1${path}`, { headers: { 'x-api-key': KEY } });

async function asked<T>(url: string, path: string): Promise<T> {
  const response = await ask(url, path);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  if (response.headers.has('x-stale')) throw new Error(`${path}: stale`);
  return (await response.json()) as T;
}

/** Every event the appliance holds, newest first. Goes by time, since deep offsets are slow. */
export async function storedEvents(url: string, since = 0): Promise<Stored[]> {
  const from = `since=${new Date(since).toISOString()}`;
  const all: Stored[] = [];
  let cursor = '';
  for (;;) {
    const page = await asked<Stored[]>(url, `/events?${from}&limit=${PAGE}${cursor}`);
    all.push(...page);
    if (page.length < PAGE) return all;
    const last = all.at(-1)?.created_at ?? '';
    let skip = 0;
    while (all.at(-1 - skip)?.created_at === last) skip++;
    cursor = `&until=${new Date(Date.parse(last) + 1).toISOString()}&skip=${skip}`;
  }
}

/** How many events the counts say there are. */
export async function countedEvents(url: string): Promise<number> {
  const counts = await asked<{ count: number }[]>(url, '/events/counts');
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** What an appliance holds, beside what the ledger knows from number `from` on. */
export async function held(url: string, ledger: Ledger, from = 0) {
  const events = await storedEvents(url);
  const countsAgree = (await countedEvents(url)) === events.length;
  return { faults: ledger.faults(events, from), countsAgree };
}

export const ALL_THERE = { faults: NO_FAULTS, countsAgree: true };

const READS = ['/events?limit=5', '/events?source=gtm', '/events/types', '/events/counts'];

/** Mixed load over several connections until it is stopped or nobody answers any more. */
export function startTraffic(url: string, ledger: Ledger, random: Random, connections = 6) {
  const statuses = new Map<number, number>();
  let going = true;

  function once(): Promise<number> {
    if (random.chance(0.08)) return postRefused(url, ledger, random.whole(1, 20));
    if (random.chance(0.2)) return pixelNumbers(url, ledger, random.whole(1, 3));
    if (random.chance(0.08)) {
      return ask(url, READS[random.whole(0, READS.length - 1)] as string).then(statusOf);
    }
    const size = random.chance(0.05)
      ? random.whole(200, 700)
      : random.chance(0.3)
        ? random.whole(10, 80)
        : random.whole(1, 5);
    return postNumbers(url, ledger, size, 'x'.repeat(random.whole(0, 300)));
  }

  async function connection(): Promise<void> {
    while (going) {
      const status = await once().catch(() => undefined);
      if (status === undefined) return;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }

  const done = Promise.all(Array.from({ length: connections }, connection));
  return {
    /** Resolves when the last answer is in. */
    async stop(): Promise<Map<number, number>> {
      going = false;
      await done;
      return statuses;
    },
    done,
    statuses,
  };
}

async function statusOf(response: Response): Promise<number> {
  await response.arrayBuffer();
  return response.status;
}
