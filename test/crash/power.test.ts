import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import { runCrashable, startVedette } from '../helpers/child.ts';
import { createLedger } from '../helpers/ledger.ts';
import type { Ledger } from '../helpers/ledger.ts';
import { createRandom } from '../helpers/random.ts';
import type { Random } from '../helpers/random.ts';
import { rounds } from '../helpers/soak.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { ALL_THERE, held, postNumbers, startTraffic } from '../helpers/traffic.ts';
import { changeAlert, lostChanges, makeRule } from '../helpers/changes.ts';
import type { Change } from '../helpers/changes.ts';
import { cutsOf } from './disk/cuts.ts';
import { recording, whyNoPreload } from './disk/preload.ts';
import { createReplay } from './disk/replay.ts';
import type { Model } from './disk/replay.ts';
import { readTrace } from './disk/trace.ts';
import type { Entry } from './disk/trace.ts';

const why = whyNoPreload();
const recorded = test.skipIf(why !== undefined);
if (why) process.stderr.write(`tests of power cuts are skipped: ${why}\n`);

/** In the soak some traces of a few seconds each, together a loaded minute. */
const TRACES = rounds(1, 20);
const STATES = rounds(6, 15);
const CHANGES = rounds(8, 20);
const MODELS: Model[] = ['ordered', 'strict', 'torn'];
/** A day goes by in some seconds, and checkpoints are due all the time. */
const CLOCK_SPEED = 20_000;

/** A folder for the states of which something was lost, to look into. */
const KEEP = process.env['VEDETTE_KEEP'];

/** Acknowledged before this place of the trace. */
type Known =
  Change | { kind: 'events'; first: number; count: number; fate: Parameters<Ledger['mark']>[1] };

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
  const traffic = startTraffic(url, marking, random, 2);
  for (let change = 0; change < CHANGES; change++) {
    if (change % 8 === 0) know(await makeRule(url));
    know(await changeAlert(url, random.chance(0.5) ? 'is_acknowledged' : 'is_resolved'));
  }
  await traffic.stop();
  await vedette.end('SIGKILL');
  const now = born + (Date.now() - born) * CLOCK_SPEED;
  return { entries: readTrace(file), issued: ledger.issued(), now };
}

/** What is wrong with a start after a power cut; nothing when all is well. */
async function faultsOf(
  dataDir: string,
  model: Model,
  ledger: Ledger,
  known: Change[],
  now: number,
) {
  const born = Date.now();
  const clock = { now: () => now + Date.now() - born };
  await using appliance = await startAppliance({ dataDir, clock });
  const { url } = appliance;
  // The clock of the traces is faster than any other.
  const notices = appliance.notices.filter((notice) => !notice.startsWith('The clock '));
  const found = await held(url, ledger);
  const lost = await lostChanges(url, known);
  const isTold = model === 'torn' && notices.length > 0;
  return {
    ...(!isEqual(found, ALL_THERE) && { events: found }),
    ...(lost.length > 0 && !isTold && { lost: lost.slice(0, 3) }),
    ...(model === 'ordered' && notices.length > 0 && { notices }),
  };
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Takes in what was known at this place of a trace. */
function tell(entry: Entry | undefined, ledger: Ledger, known: Change[]): void {
  if (entry?.kind !== 'mark') return;
  const one = entry.known as Known;
  if (one.kind !== 'events') known.push(one);
  else
    ledger.mark(
      Array.from({ length: one.count }, (_, n) => one.first + n),
      one.fate,
    );
}

recorded.for(Array.from({ length: TRACES }, (_, index) => index + 1))(
  'a power cut at any moment loses nothing that was acknowledged (trace %i)',
  async () => {
    const random = createRandom();
    const { entries, issued, now } = await loaded(random);
    const replay = createReplay(entries);
    const ledger = createLedger();
    ledger.take(issued);
    const known: Change[] = [];
    const faults: unknown[] = [];
    let told = 0;
    for (const [state, { index, at }] of cutsOf(entries, STATES, random).entries()) {
      replay.goTo(index);
      for (; told <= index; told++) tell(entries[told], ledger, known);
      const model = MODELS[state % MODELS.length] as Model;
      const leave = (dir: string) => {
        replay.write(dir, model, createRandom(random.seed + state));
        return dir;
      };
      const dataDir = leave(tempDir());
      const wrong = await faultsOf(dataDir, model, ledger, known, now).catch((error: unknown) => ({
        start: String(error),
      }));
      if (Object.keys(wrong).length === 0) continue;
      const kept = KEEP && leave(mkdtempSync(path.join(KEEP, `${model}-`)));
      faults.push({ model, index, of: entries.length, at, ...wrong, ...(kept && { kept }) });
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
