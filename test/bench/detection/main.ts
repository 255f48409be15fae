import { accessSync, constants, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { at, DAYS, HISTORY_DAYS, QUICK_DAYS, wall } from './calendar.ts';
import { isOutage, planIncidents } from './incidents.ts';
import type { Incident } from './incidents.ts';
import { playBack, playEvents, playMonth, playQuickly, setUpRules } from './play.ts';
import type { Span } from './play.ts';
import { report } from './report.ts';
import { createTraffic } from './traffic.ts';

const { quick, backtest, seed, list, outageHours } = options();
const days = quick ? QUICK_DAYS : DAYS;
const month: Span = { from: at(0), to: at(days) };
const traffic = createTraffic(seed);
const incidents = planIncidents(seed, traffic, outageHours).filter(({ to }) => to <= month.to);

const root = mkdtempSync(path.join(memoryDir() ?? tmpdir(), 'vedette-detection-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const since = performance.now();
const progress = (text: string) =>
  process.stderr.write(`  ${((performance.now() - since) / 1000).toFixed(0)} s: ${text}\n`);

const history = path.join(root, 'history');
await playEvents(history, { from: at(-HISTORY_DAYS), to: month.from }, traffic);
await setUpRules(history, month.from);
progress('the history is there');

const [played, withoutOutages, withoutIncidents] = await Promise.all([
  backtest
    ? playQuickly(copied('month'), month, traffic, incidents)
    : playMonth(copied('month'), month, traffic, incidents, dayByDay),
  control(
    'without-outages',
    incidents.filter((incident) => !isOutage(incident)),
  ),
  control('without-incidents', []),
]);
const { text, ok } = report({
  ...{ days, backtest, incidents, played, withoutOutages, withoutIncidents },
});
if (list) {
  for (const { rule, at: time, message } of played.alerts) {
    process.stdout.write(`${new Date(time).toISOString()} ${rule}: ${message}\n`);
  }
}
process.stdout.write(
  `\n${text}\n\nSeed ${seed}, ${days} days, ${Math.round((performance.now() - since) / 1000)} s in all\n`,
);
process.exit(ok ? 0 : 1);

function dayByDay(moment: number): void {
  const { date, time } = wall(moment);
  if (time === '00:00' && moment > month.from) progress(`up to ${date}`);
}

async function control(name: string, those: readonly Incident[]) {
  const dir = copied(name);
  await playEvents(dir, month, traffic, those);
  const points = await playBack(dir, month);
  progress(name.replaceAll('-', ' '));
  return points.filter(({ alert }) => alert);
}

function copied(name: string): string {
  const dir = path.join(root, name);
  cpSync(history, dir, { recursive: true });
  return dir;
}

/** Thousands of small writes are synced; how long a disk takes for that is not what is measured. */
function memoryDir(): string | undefined {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return '/dev/shm';
  } catch {
    return undefined;
  }
}

function options() {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        seed: { type: 'string', default: '1' },
        backtest: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        'outage-hours': { type: 'string', default: '7' },
      },
    });
    const { quick, backtest, list, seed, 'outage-hours': hours } = values;
    if (!/^\d{1,9}$/.test(seed)) throw new Error('--seed takes a whole number');
    if (!/^([1-9]|1\d)$/.test(hours)) throw new Error('--outage-hours takes 1 to 19');
    return { quick, backtest, list, seed: Number(seed), outageHours: Number(hours) };
  } catch (error) {
    process.stderr.write(
      `${(error as Error).message}\nFlags: --quick --backtest --list --seed N --outage-hours N\n`,
    );
    process.exit(2);
  }
}
