import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { start, version } from '../../server/appliance.ts';
import { greeting } from '../../server/greeting.ts';
import { StartError, startProblems } from '../../server/platform/errors.ts';
import { openLog } from '../../server/platform/log.ts';
import { helpText, readCommand } from '../../server/platform/options.ts';
import type { Options } from '../../server/platform/options.ts';
import { fillDemo } from './fill.ts';
import { goOn } from './live.ts';
import { openReceiver } from './receiver.ts';

const CLOSE_WITHIN_MS = 4_500;
const SEED = 7;
const EVENTS = 400_000;
const PREPARING = 'Preparing thirty days of a shop';

/** What is to be ended, the last first. */
const closers: (() => unknown)[] = [];
let closing = false;

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  // Never the usual directory, where somebody's own data may be.
  const env = { ...process.env, VEDETTE_DATA_DIR: '' };
  const isKept = args.some((arg) => /^--data-dir(=|$)/.test(arg));
  const command = readCommand(isKept ? args : [...args, '--data-dir', tmpdir()], env);
  if (command.run === 'help') say(helpText());
  else if (command.run === 'version') say(version);
  else await show(command.options, isKept);
}

async function show({ logLevel, ...options }: Options, isKept: boolean): Promise<void> {
  const dataDir = isKept ? options.dataDir : mkdtempSync(path.join(tmpdir(), 'vedette-demo-'));
  // However it ends, also in a hurry.
  if (!isKept) process.on('exit', () => clearUp(dataDir));
  else if (existsSync(path.join(dataDir, 'events.duckdb'))) {
    throw startProblems.option('--data-dir must be empty for a demonstration');
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(0));

  if (!process.stdout.isTTY) say(PREPARING);
  const receiver = await openReceiver();
  closers.push(() => receiver.close());
  const filled = await fillDemo(dataDir, {
    ...{ now: Date.now(), seed: SEED, events: EVENTS, webhookUrl: receiver.url },
    progress,
  });
  progress('');

  const { log, close: closeLog } = openLog(dataDir, logLevel);
  closers.push(closeLog);
  const appliance = await start({ ...options, dataDir, log });
  closers.push(appliance.close);
  const { url, notices } = appliance;
  const live = goOn({ ...filled, url, seed: SEED, events: EVENTS });
  closers.push(() => live.stop());

  const key = filled.keys.full;
  for (const line of greeting({ ...appliance, notices, dataDir, version })) say(line);
  say(`  API key   ${key}`);
  say(
    isKept
      ? 'This is a demonstration with made-up traffic; its data stays in that directory.'
      : 'This is a demonstration with made-up traffic; its data vanishes when it is closed.',
  );
}

async function end(code: number): Promise<void> {
  // A second signal means: now.
  if (closing) process.exit(1);
  closing = true;
  const late = setTimeout(() => process.exit(1), CLOSE_WITHIN_MS);
  // While it is still being filled, it cannot be closed in order, and need not be.
  for (const closer of closers.reverse()) await Promise.resolve(closer()).catch(() => undefined);
  clearTimeout(late);
  process.exit(code);
}

/** What other threads are just writing comes after a first removal, so there is a second. */
function clearUp(dataDir: string): void {
  const all = { recursive: true, force: true, maxRetries: 10 };
  rmSync(dataDir, all);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
  rmSync(dataDir, all);
}

/** One line that changes, where there is a terminal to change it on. */
function progress(text: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${text && `${PREPARING}: ${text}`}`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().catch((error: unknown) => {
  const known = error instanceof StartError;
  process.stderr.write(
    `vedette: ${known ? error.message : String((error as Error).stack ?? error)}\n`,
  );
  void end(known ? 2 : 1);
});
