import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { FaultPoint } from '../../server/platform/faults.ts';

/** Where to die. */
export interface Fault {
  point: FaultPoint;
  /** At the how manieth time; the first when not given. */
  nth?: number;
  /** So long after the point, for what goes on behind it on other threads. */
  afterMs?: number;
}

/** A program of its own: an appliance that can be told where to die, at its start or later. */
export interface CrashableOptions {
  dataDir: string;
  apiKey: string;
  fault?: Fault;
  /** Makes time run faster, so that a checkpoint is due soon. */
  clockSpeed?: number;
}

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/vedette', import.meta.url)));
const { start } = await import('../../server/appliance.ts');
const { default: pino } = await import('pino');

const options = JSON.parse(process.argv[2] ?? '') as CrashableOptions;
const { dataDir, apiKey, clockSpeed = 1 } = options;
let { fault } = options;
const born = Date.now();
let passed = 0;

process.on('message', (told: Fault) => {
  fault = told;
  passed = 0;
});

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

const { url, notices } = await start({
  dataDir,
  host: '127.0.0.1',
  port: 0,
  apiKey,
  rateLimitEvents: 1_000_000,
  rateLimitCollect: 1_000_000,
  log: pino({ level: 'warn' }, pino.destination(2)),
  clock: { now: () => Math.round(born + (Date.now() - born) * clockSpeed) },
  faults(point) {
    if (point !== fault?.point || ++passed !== (fault.nth ?? 1)) return;
    if (fault.afterMs === undefined) die();
    else setTimeout(die, fault.afterMs);
  },
});
process.send?.({ url, notices });
