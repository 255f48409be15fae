import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openBrowser } from '../../electron/browser.ts';
import { EndedBefore, openWindow } from '../../electron/open-window.ts';
import { isForeign, readGiven } from '../../electron/options.ts';
import { findElectron, NoWindow } from '../../electron/runtime.ts';
import { start, version } from '../../server/appliance.ts';
import { listenProblem } from '../../server/listening.ts';
import { greeting } from '../../server/greeting.ts';
import { endInOrder } from '../../server/platform/ending.ts';
import { StartError, startProblems } from '../../server/platform/start-errors.ts';
import { openLog } from '../../server/platform/log.ts';
import { helpText } from '../../server/platform/options.ts';
import type { Options } from '../../server/platform/options.ts';
import { fillDemo } from './fill.ts';
import { goOn } from './live.ts';
import { openReceiver } from './receiver.ts';

const SEED = 7;
const EVENTS = 400_000;
const HELP =
  'The demonstration keeps its data in a directory of its own, which vanishes in the end, unless\n' +
  '--data-dir names an empty one. It listens on 127.0.0.1 unless --host says otherwise.';
const PREPARING = 'Preparing thirty days of a shop';

type Address = Pick<Options, 'host' | 'port'>;

/** What is to be ended, the last first. */
const closers: (() => unknown)[] = [];
let isEnding = false;
const end = endInOrder({
  // A terminal that is closed hangs up, or on Windows breaks off.
  on: ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'],
  // While it is still being filled, it cannot be closed in order, and need not be.
  close: async () => {
    isEnding = true;
    for (const closer of closers.reverse()) await Promise.resolve(closer()).catch(() => undefined);
  },
});

/** A window that ends because all of it does must not cut the rest short. */
function endOnce(code: number): void {
  if (!isEnding) end(code);
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const env = {
    ...process.env,
    // Never the usual directory, where somebody's own data may be.
    VEDETTE_DATA_DIR: '',
    // Its key is shown, and nobody else needs to see it.
    VEDETTE_HOST: process.env['VEDETTE_HOST'] || '127.0.0.1',
  };
  const isKept = args.some((arg) => /^--data-dir(=|$)/.test(arg));
  const { command } = readGiven(isKept ? args : [...args, '--data-dir', tmpdir()], env);
  if (command.run === 'help') say(`${helpText()}\n${HELP}`);
  else if (command.run === 'version') say(version);
  else await show(command.options, isKept);
}

async function show({ logLevel, ...options }: Options, isKept: boolean): Promise<void> {
  if (isKept && !isEmpty(options.dataDir)) {
    throw startProblems.option('--data-dir must be empty for a demonstration');
  }
  await mustBeFree(options);
  const dataDir = isKept ? options.dataDir : mkdtempSync(path.join(tmpdir(), 'vedette-demo-'));
  // However it ends, also in a hurry.
  if (!isKept) process.on('exit', () => clearUp(dataDir));

  // Or the window would keep in mind, outside of it, that there was an installation.
  process.env['VEDETTE_STATE_DIR'] = dataDir;
  if (!process.stdout.isTTY) say(PREPARING);
  const receiver = await openReceiver();
  closers.push(() => receiver.close());
  const filled = await fillDemo(dataDir, {
    ...{ now: Date.now(), seed: SEED, events: EVENTS, webhookUrl: receiver.url },
    progress,
  });
  progress('');

  const url =
    (await inWindow(dataDir, options)) ?? (await withoutWindow(dataDir, logLevel, options));
  const live = goOn({ ...filled, url, seed: SEED, events: EVENTS });
  closers.push(() => live.stop());

  say(`  API key   ${filled.keys.full}`);
  say(
    isKept
      ? 'This is a demonstration with made-up traffic; its data stays in that directory.'
      : 'This is a demonstration with made-up traffic; its data vanishes when it is closed.',
  );
}

/** As `npm start` does it: where it listens then, or nothing where there can be no window. */
async function inWindow(dataDir: string, { host, port }: Address): Promise<string | undefined> {
  const switches = process.argv.slice(2).filter(isForeign);
  const args = ['--data-dir', dataDir, '--host', host, '--port', String(port), ...switches];
  try {
    const electron = await findElectron(process.env, say);
    const { ready, ended, end: endWindow } = openWindow(electron, args, say);
    closers.push(() => {
      endWindow('SIGTERM');
      return ended;
    });
    const url = await ready;
    void ended.then(endOnce);
    return url;
  } catch (error) {
    if (!(error instanceof NoWindow)) throw error;
    say(`No window: ${error.message}. The demonstration opens in a browser.`);
    return undefined;
  }
}

async function withoutWindow(
  dataDir: string,
  logLevel: Options['logLevel'],
  options: Omit<Options, 'logLevel'>,
): Promise<string> {
  const { log, close: closeLog } = openLog(dataDir, logLevel);
  closers.push(closeLog);
  const appliance = await start({ ...options, dataDir, log });
  closers.push(appliance.close);
  for (const line of greeting({ ...appliance, dataDir, version })) say(line);
  openBrowser(appliance.signInUrl());
  return appliance.url;
}

/** Or not there at all. */
function isEmpty(dir: string): boolean {
  try {
    return readdirSync(dir).length === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** Better now than after all has been prepared. */
async function mustBeFree(address: { host: string; port: number }): Promise<void> {
  const probe = createServer();
  const listening = Promise.withResolvers<undefined>();
  probe.once('error', listening.reject);
  probe.listen(address, () => listening.resolve(undefined));
  await listening.promise.catch((error: unknown) => {
    throw listenProblem(error, address);
  });
  const closed = Promise.withResolvers<undefined>();
  probe.close(() => closed.resolve(undefined));
  await closed.promise;
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
  if (error instanceof EndedBefore || isEnding) {
    endOnce(error instanceof EndedBefore ? error.code : 1);
    return;
  }
  const known = error instanceof StartError;
  process.stderr.write(
    `vedette: ${known ? error.message : String((error as Error).stack ?? error)}\n`,
  );
  end(known ? 2 : 1);
});
