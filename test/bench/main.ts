import { cpus, totalmem } from 'node:os';
import { createBench, FULL, QUICK } from './bench.ts';
import type { Bench } from './bench.ts';
import { table } from './figures.ts';
import type { Figure } from './figures.ts';
import { latency } from './latency.ts';
import { memory } from './memory.ts';
import { latest, rollups } from './reads.ts';
import { start } from './start.ts';
import { batch, pixel } from './throughput.ts';

const ROWS: Record<string, (bench: Bench) => Promise<Figure[]>> = {
  pixel,
  batch,
  latest,
  rollups,
  start,
  latency,
  memory,
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
for (const [name, measure] of Object.entries(ROWS)) {
  if (names.length === 0 || names.includes(name)) figures.push(...(await measure(bench)));
}
const gib = Math.round(totalmem() / 2 ** 30);
process.stdout.write(
  `\n${table(figures)}\n\nNode ${process.versions.node}, ${cpus().length} cores, ${gib} GiB, ` +
    `${Math.round((performance.now() - since) / 1000)} s in all\n`,
);
process.exit(0);
