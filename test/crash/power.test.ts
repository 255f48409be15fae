import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Alert } from '../../server/alerts/schema.ts';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import { runCrashable, startVedette } from '../helpers/child.ts';
import { createLedger } from '../helpers/ledger.ts';
import type { Ledger } from '../helpers/ledger.ts';
import { createRandom } from '../helpers/random.ts';
import type { Random } from '../helpers/random.ts';
import { rounds } from '../helpers/soak.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { ALL_THERE, held, postNumbers, startTraffic } from '../helpers/traffic.ts';
import { cutsOf } from './disk/cuts.ts';
import { recording, whyNoPreload } from './disk/preload.ts';
import { createReplay } from './disk/replay.ts';
import type { Model } from './disk/replay.ts';
import { readTrace } from './disk/trace.ts';

const why = whyNoPreload();
const recorded = test.skipIf(why !== undefined);
if (why) process.stderr.write(`tests of power cuts are skipped: ${why}\n`);

/** In the soak ten traces of some seconds each, which is a loaded minute. */
const TRACES = rounds(1, 10);
const STATES = rounds(6, 30);
const CHANGES = rounds(12, 60);
const MODELS: Model[] = ['ordered', 'strict', 'torn'];
/** A day goes by in some seconds, and checkpoints are due all the time. */
const CLOCK_SPEED = 20_000;

/** Acknowledged before this place of the trace. */
type Known =
  | { kind: 'events'; first: number; count: number; fate: Parameters<Ledger['mark']>[1] }
  | { kind: 'alert'; id: string; flag: 'is_acknowledged' | 'is_resolved' }
  | { kind: 'rule'; id: string };

async function call<T>(url: string, method: 'GET' | 'POST', at: string, body?: object): Promise<T> {
  const answer = await fetch(`${url}/api/v1${at}`, {
    method,
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
  });
  if (!answer.ok) throw new Error(`${at}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** A rule that fires whenever it is judged. */
const rule = (name: string) => ({
  name,
  rule_type: 'threshold',
  config: {
    ...{ event_type: 'type-0', operator: '>=', value: 0, window_minutes: 60, severity: 'info' },
  },
});

/** The trace of an appliance under load, whose alerts and rules change too. */
async function loaded(random: Random) {
  const dataDir = tempDir();
  const { file, env, mark } = recording(dataDir);
  const know = (known: Known) => {
    mark(known);
  };
  const ledger = createLedger();
  const marking: Ledger = {
    ...ledger,
    mark(numbers, fate) {
      ledger.mark(numbers, fate);
      know({ kind: 'events', first: numbers[0] ?? 0, count: numbers.length, fate });
    },
  };
  const born = Date.now();
  const vedette = runCrashable({ dataDir, clockSpeed: CLOCK_SPEED }, env);
  const { url } = await vedette.up;
  const traffic = startTraffic(url, marking, random, 3);
  for (let change = 0; change < CHANGES; change++) {
    if (change % 4 === 0) {
      const { id } = await call<{ id: string }>(url, 'POST', '/rules', rule(`rule ${change}`));
      know({ kind: 'rule', id });
    }
    await call(url, 'POST', '/evaluations');
    const [alert] = await call<Alert[]>(url, 'GET', '/alerts?limit=1');
    const id = alert?.id ?? '';
    await call(url, 'POST', `/alerts/${id}/acknowledge`);
    know({ kind: 'alert', id, flag: 'is_acknowledged' });
    if (random.chance(0.5)) {
      await call(url, 'POST', `/alerts/${id}/resolve`);
      know({ kind: 'alert', id, flag: 'is_resolved' });
    }
  }
  await traffic.stop();
  await vedette.end('SIGKILL');
  const now = born + (Date.now() - born) * CLOCK_SPEED;
  return { entries: readTrace(file), issued: ledger.issued(), now };
}

/** What an appliance says of its alerts and rules against what was acknowledged of them. */
async function changesLost(url: string, known: readonly Known[]): Promise<Known[]> {
  const alerts = await call<Alert[]>(url, 'GET', '/alerts?limit=1000');
  const rules = await call<{ id: string }[]>(url, 'GET', '/rules?limit=1000');
  return known.filter((one) => {
    if (one.kind === 'alert') return !alerts.some((alert) => alert.id === one.id && alert[one.flag]);
    if (one.kind === 'rule') return !rules.some(({ id }) => id === one.id);
    return false;
  });
}

/** What is wrong with a start after a power cut; nothing when all is well. */
async function faultsOf(dataDir: string, model: Model, ledger: Ledger, known: Known[], now: number) {
  const born = Date.now();
  const clock = { now: () => now + Date.now() - born };
  await using appliance = await startAppliance({ dataDir, clock });
  const { url, notices } = appliance;
  const found = await held(url, ledger);
  const lost = await changesLost(url, known);
  const isTold = model === 'torn' && notices.length > 0;
  return {
    ...(!isEqual(found, ALL_THERE) && { events: found }),
    ...(lost.length > 0 && !isTold && { lost: lost.slice(0, 3) }),
    ...(model === 'ordered' && notices.length > 0 && { notices }),
  };
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

recorded.for(Array.from({ length: TRACES }, (_, index) => index + 1))(
  'a power cut at any moment loses nothing that was acknowledged (trace %i)',
  async () => {
    const random = createRandom();
    const { entries, issued, now } = await loaded(random);
    const replay = createReplay(entries);
    const ledger = createLedger();
    ledger.take(issued);
    const known: Known[] = [];
    const faults: unknown[] = [];
    let told = 0;
    for (const [state, cut] of cutsOf(entries, STATES, random).entries()) {
      replay.goTo(cut);
      for (; told <= cut; told++) {
        const entry = entries[told];
        if (entry?.kind !== 'mark') continue;
        const one = entry.known as Known;
        if (one.kind === 'events') {
          ledger.mark(
            Array.from({ length: one.count }, (_, index) => one.first + index),
            one.fate,
          );
        } else known.push(one);
      }
      const model = MODELS[state % MODELS.length] as Model;
      const dataDir = tempDir();
      replay.write(dataDir, model, random);
      const wrong = await faultsOf(dataDir, model, ledger, known, now).catch((error: unknown) => ({
        start: String(error),
      }));
      if (Object.keys(wrong).length > 0) {
        const { known: _, data: __, ...at } = { known: 0, data: 0, ...entries[cut] };
        faults.push({ model, cut, of: entries.length, at, ...wrong });
      }
    }
    expect(faults, `seed ${random.seed}`).toEqual([]);
    expect(known.length).toBeGreaterThan(0);
  },
);

/** Names below a directory with their contents. */
function contentsOf(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(path.join(dir, name)).isFile(),
  );
  return Object.fromEntries(
    files.sort().map((name) => [name, readFileSync(path.join(dir, name), 'latin1')]),
  );
}

recorded('a trace holds all that is written', async () => {
  const random = createRandom();
  const dataDir = tempDir();
  const { file, env } = recording(dataDir);
  const vedette = await startVedette(dataDir, { env: { ...env, VEDETTE_API_KEY: KEY } });
  const ledger = createLedger();
  for (let batch = 0; batch < 5; batch++) await postNumbers(vedette.url, ledger, 300);
  await held(vedette.url, ledger);
  await vedette.end('SIGTERM');

  const entries = readTrace(file);
  const replay = createReplay(entries);
  replay.goTo(entries.length - 1);
  const copy = tempDir();
  replay.write(copy, 'ordered', random);
  const [there, replayed] = [contentsOf(dataDir), contentsOf(copy)];
  expect(Object.keys(replayed)).toEqual(Object.keys(there));
  expect(Object.keys(there).filter((name) => replayed[name] !== there[name])).toEqual([]);
});
