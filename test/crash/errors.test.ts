import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import { runCrashable, runVedette } from '../helpers/child.ts';
import { createLedger } from '../helpers/ledger.ts';
import type { Ledger } from '../helpers/ledger.ts';
import { soaking } from '../helpers/soak.ts';
import { sharedDir, tempDir } from '../helpers/temp-dir.ts';
import { ALL_THERE, ask, held, pixelNumbers, postNumbers } from '../helpers/traffic.ts';
import { copyOf, killedDataDir } from '../helpers/wreck.ts';
import { changeAlert, lostChanges, makeRule } from '../helpers/changes.ts';
import type { Change } from '../helpers/changes.ts';
import { failing, whyNoPreload } from './disk/preload.ts';
import type { Failure, Operation } from './disk/preload.ts';

const why = whyNoPreload();
const faulty = test.skipIf(why !== undefined);
if (why) process.stderr.write(`tests of failing disks are skipped: ${why}\n`);

/** So fast that checkpoints are due all the time. */
const CLOCK_SPEED = 5_000;
const ANSWER_WITHIN_MS = 10_000;

type When = 'at the very first start' | 'at the start' | 'while it runs';
type Case = [string, Failure & { when: When }];

/** What is done to which files, where it is done. */
const DONE: [When, string, Operation[]][] = [
  ['at the very first start', 'events.duckdb', ['create', 'write', 'sync']],
  ['at the very first start', 'events.duckdb.wal', ['create', 'write', 'sync']],
  ['at the very first start', 'settings.*', ['create', 'write', 'sync', 'rename']],
  ['at the very first start', 'secret.key', ['create', 'write', 'sync']],
  ['at the very first start', 'journal', ['create']],
  ['at the very first start', 'logs*', ['create']],
  ['at the very first start', '.', ['sync']],
  ['at the start', 'events.duckdb', ['open', 'read', 'stat']],
  ['at the start', 'events.duckdb.wal', ['open', 'read', 'write', 'sync']],
  ['at the start', 'settings.json', ['open', 'read']],
  ['at the start', 'settings.last-good.json', ['open', 'read']],
  ['at the start', 'secret.key', ['open', 'read']],
  ['at the start', 'journal', ['list']],
  ['at the start', 'journal/*', ['open', 'read']],
  ['at the start', '.', ['list', 'stat']],
  ['at the start', 'logs/*', ['open', 'write']],
  ['while it runs', 'events.duckdb', ['read', 'write', 'sync']],
  ['while it runs', 'events.duckdb.wal', ['create', 'write', 'sync', 'unlink', 'stat']],
  ['while it runs', 'settings.*', ['create', 'write', 'sync', 'rename']],
  ['while it runs', 'journal', ['sync']],
  ['while it runs', 'journal/*', ['create', 'open', 'read', 'write', 'sync', 'unlink']],
  ['while it runs', '.', ['sync']],
];

/** Which error each may end with. */
const ERRORS: Record<Failure['error'], readonly Operation[]> = {
  EIO: ['open', 'read', 'write', 'sync', 'rename', 'unlink', 'list', 'stat'],
  ENOSPC: ['create', 'write', 'sync', 'rename'],
  EACCES: ['open', 'create', 'rename', 'unlink', 'list', 'stat'],
};

/** Once, a little later, or from then on. */
const HOW_OFTEN: [string, Pick<Failure, 'after' | 'times'>][] = [
  ['once', { times: 1 }],
  ['the third time', { times: 1, after: 2 }],
  ['for ever', {}],
];

function allCases(): Case[] {
  const errors = Object.entries(ERRORS) as [Failure['error'], readonly Operation[]][];
  return DONE.flatMap(([when, files, operations]) =>
    operations.flatMap((operation) =>
      errors
        .filter(([, possible]) => possible.includes(operation))
        .flatMap(([error]) =>
          HOW_OFTEN.filter(
            ([often]) => often !== 'the third time' || isOften(files, operation),
          ).map(([often, times]): Case => [
            `${error} of ${operation} ${files} ${often} ${when}`,
            { when, files, operations: [operation], error, ...times },
          ]),
        ),
    ),
  );
}

/** What a checkpoint or a flush does several times. */
const isOften = (files: string, operation: Operation) =>
  /^events|journal/.test(files) && (operation === 'write' || operation === 'sync');

/** What `npm test` tries of them. */
const HERE = new Set([
  'EIO of read events.duckdb once at the start',
  'EACCES of open settings.json for ever at the start',
  'EIO of sync journal/* once while it runs',
  'ENOSPC of write events.duckdb.wal for ever while it runs',
]);
const CASES = allCases().filter(([name]) => soaking || HERE.has(name));

const template = sharedDir();
let making: ReturnType<typeof killedDataDir> | undefined;

/** A data directory as a kill leaves it, or a new one, with a ledger of its own. */
async function begun(when: When) {
  if (when === 'at the very first start') return { dataDir: tempDir(), ledger: createLedger() };
  making ??= killedDataDir(template);
  const made = (await making).ledger;
  const ledger = createLedger();
  ledger.mark(ledger.take(made.issued()), 'acknowledged');
  return { dataDir: copyOf(template), ledger };
}

/** Requests of all kinds; says which of them nobody answered. */
async function lightTraffic(url: string, ledger: Ledger, changes: Change[]): Promise<string[]> {
  const silent: string[] = [];
  async function answered(name: string, request: Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<true>((done) => {
      timer = setTimeout(() => done(true), ANSWER_WITHIN_MS);
    });
    const isLate = await Promise.race([
      late,
      // An answer that is an error is one.
      request.catch((error: unknown) => /fetch failed|timeout/i.test(String(error))),
    ]);
    clearTimeout(timer);
    if (isLate === true) silent.push(name);
  }
  const known = (made: Promise<Change>) => made.then((change) => void changes.push(change));
  for (let round = 0; round < 2; round++) {
    await answered('POST /events', postNumbers(url, ledger, 20, 'x'.repeat(200)));
    await answered('GET /events/collect', pixelNumbers(url, ledger, 2));
    await answered('GET /events', ask(url, '/events?limit=5'));
    await answered('POST /rules', known(makeRule(url)));
    await answered('an alert', known(changeAlert(url, 'is_acknowledged')));
    await answered('GET /health', fetch(`${url}/health`));
  }
  return silent;
}

const setAside = (dataDir: string) =>
  readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /set-aside./.test(name),
  );

interface Tried {
  dataDir: string;
  failure: Failure;
  ledger: Ledger;
  changes: Change[];
}

/** A start either succeeds or ends with words. */
async function startWith({ dataDir, failure, ledger, changes }: Tried): Promise<void> {
  const fault = failing(dataDir, failure);
  const args = ['--data-dir', dataDir, '--host', '127.0.0.1', '--port', '0'];
  const vedette = runVedette(args, { ...fault.env, VEDETTE_API_KEY: KEY });
  const { stdout, stderr } = vedette;
  const listening = () => /listening on (http\S+:\d+)/.exec(stdout())?.[1];
  const url = await vedette.first(listening).catch(() => undefined);
  if (url === undefined) {
    expect((await vedette.ended).code, stderr()).toBe(2);
    const words = stderr().slice(stderr().lastIndexOf('vedette: '));
    expect(words).toMatch(/^vedette: /);
    expect(words).not.toMatch(/^\s+at /m);
  } else expect(await lightTraffic(url, ledger, changes)).toEqual([]);
  expect(fault.hits()).toBeGreaterThan(0);
  await vedette.end('SIGKILL');
}

/** All is well before the fault, and again once it is gone. */
async function runWith({ dataDir, failure, ledger, changes }: Tried): Promise<void> {
  const fault = failing(dataDir);
  const { up, end } = runCrashable({ dataDir, clockSpeed: CLOCK_SPEED }, fault.env);
  const { url } = await up;
  // What was read once is in memory.
  if (!failure.operations.includes('read')) {
    expect(await lightTraffic(url, ledger, changes)).toEqual([]);
  }
  fault.begin(failure);
  expect(await lightTraffic(url, ledger, changes)).toEqual([]);
  expect(fault.hits()).toBeGreaterThan(0);
  fault.end();
  await expect.poll(() => postNumbers(url, ledger, 1), { message: 'POST /events' }).toBe(201);
  const read = async () => (await ask(url, '/events?limit=1')).status;
  await expect.poll(read, { message: 'GET /events' }).toBe(200);
  await end('SIGKILL');
}

faulty.for(CASES)(
  '%s sets nothing aside, leaves no request unanswered and loses nothing',
  async ([, { when, ...failure }]) => {
    const changes: Change[] = [];
    const tried = { ...(await begun(when)), failure, changes };
    await (when === 'while it runs' ? runWith(tried) : startWith(tried));

    const { dataDir, ledger } = tried;
    // What a first start could not finish is broken, and holds nothing.
    const asideOf = when === 'at the very first start' ? () => [] : setAside;
    expect(asideOf(dataDir)).toEqual([]);
    await using again = await startAppliance({ dataDir });
    expect(await held(again.url, ledger)).toEqual(ALL_THERE);
    expect(await lostChanges(again.url, changes)).toEqual([]);
    expect(asideOf(dataDir)).toEqual([]);
  },
);
