import { cpus, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { openAlerts } from './alerts.ts';
import { createBench, FULL, QUICK } from './bench.ts';
import type { Bench } from './bench.ts';
import { dashboard } from './dashboard.ts';
import { desktop } from './desktop.ts';
import { table } from './figures.ts';
import type { Figure } from './figures.ts';
import { latency } from './latency.ts';
import { live } from './live.ts';
import { memory } from './memory.ts';
import { latest, rollups } from './reads.ts';
import { cycle, preview } from './rules.ts';
import { start } from './start.ts';
import { batch, pixel } from './throughput.ts';

const ROWS: Record<string, (bench: Bench) => Promise<Figure[]>> = {
  pixel,
  batch,
  latest,
  rollups,
  alerts: openAlerts,
  start,
  memory,
  preview,
  cycle,
  latency,
  dashboard,
  live,
  desktop,
};

const args = process.argv.slice(2);
const flags = args.filter((arg) => arg.startsWith('--'));
const names = args.filter((arg) => !arg.startsWith('--'));
const unknown = [
  ...flags.filter((flag) => flag !== '--quick' && flag !== '--profile'),
  ...names.filter((name) => !(name in ROWS)),
];
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown: ${unknown.join(' ')}\nRows: ${Object.keys(ROWS).join(' ')}\nFlags: --quick --profile\n`,
  );
  process.exit(2);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const since = performance.now();
const bench = createBench(flags.includes('--quick') ? QUICK : FULL, flags.includes('--profile'));
const figures: Figure[] = [];
let others = 0;
let failed = false;
for (const [name, measure] of Object.entries(ROWS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  others = Math.max(others, await coresInUse());
  try {
    figures.push(...(await measure(bench)));
  } catch (error) {
    // What the other rows found is still worth printing.
    failed = true;
    process.stderr.write(`${name}: ${String((error as Error).stack)}\n`);
  }
}
const gib = Math.round(totalmem() / 2 ** 30);
process.stdout.write(
  `\n${table(figures)}\n\nNode ${process.versions.node}, ${cpus().length} cores, ${gib} GiB, ` +
    `${Math.round((performance.now() - since) / 1000)} s in all; ` +
    `before a row up to ${others.toFixed(1)} cores were busy with other things\n`,
);
process.exit(failed ? 1 : 0);

/** Figures from a machine that has other things to do say little, so a look before each row. */
async function coresInUse(): Promise<number> {
  const spent = () => cpus().map(({ times }) => times.user + times.nice + times.sys + times.irq);
  const before = spent();
  await sleep(500);
  return spent().reduce((sum, time, core) => sum + (time - (before[core] ?? 0)) / 500, 0);
}
