import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { electronDist, electronVersion, missing, tool } from '../helpers/desktop/runtime.ts';
import { createScope, runProgram } from '../helpers/desktop/scope.ts';
import type { Scope } from '../helpers/desktop/scope.ts';
import { unpackedProgram } from '../helpers/unpacked.ts';
import type { Bench } from './bench.ts';
import { median, seconds, spread } from './figures.ts';
import type { Figure } from './figures.ts';

const MEGABYTE = 1 << 20;

/** The desktop program as it is installed: until its window is of use, and what it takes idle. */
export async function desktop(bench: Bench): Promise<Figure[]> {
  const why = missing();
  if (why) {
    bench.progress(`desktop: left out, ${why}`);
    return [];
  }
  const program = path.join(await unpackedProgram(electronDist() ?? ''), 'vedette');
  const { dir: filled } = await bench.filled();
  await using scope = disposable(createScope());
  const screen = await openScreen(scope);
  const run = (dir: string, args: string[] = []) => start(program, dir, screen, args);

  const paint: number[] = [];
  const whole: number[] = [];
  for (let i = 0; i <= bench.size.starts; i++) {
    await using running = await run(filled);
    const taken = await running.shown();
    // The first reads the program from the disk.
    if (i === 0) continue;
    paint.push(taken.paint);
    whole.push(taken.whole);
  }
  const open: number[] = [];
  const hidden: number[] = [];
  {
    await using running = await run(filled);
    await running.shown();
    await sleep(bench.size.idleSeconds * 1000);
    open.push(running.memory());
  }
  {
    await using running = await run(filled, ['--hidden']);
    await running.up;
    await sleep(bench.size.idleSeconds * 1000);
    hidden.push(running.memory());
  }
  bench.progress(`desktop, in Electron ${electronVersion()}`);
  const size = (bytes: number) => `${Math.round(bytes / MEGABYTE)} MB`;
  return [
    figure('from the start to the first paint', paint, seconds, 'desktop'),
    figure('to the overview with its charts', whole, seconds),
    figure('all its memory, window open and idle', open, size),
    figure('all its memory, in the tray', hidden, size),
  ];
}

function figure(what: string, taken: number[], words: (n: number) => string, row = ''): Figure {
  const many = taken.length > 1 ? { spread: spread(taken, words) } : {};
  return { row, what, measured: words(median(taken)), ...many };
}

async function start(program: string, dir: string, screen: string, args: string[]) {
  const scope = createScope();
  const home = scope.dir();
  const begun = Date.now();
  const child = runProgram(
    scope,
    program,
    [
      ...['--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', '--data-dir', dir],
      ...['--host', '127.0.0.1', '--port', '0', ...args],
    ],
    {
      env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, DISPLAY: screen },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const up = said(child.stdout, /listening on (\S+)/);
  const debugger_ = said(child.stderr, /DevTools listening on (\S+)/);
  return {
    up,
    memory: () => memoryOf(child.pid as number),
    async shown() {
      const browser = await chromium.connectOverCDP(await debugger_);
      const pages = () => browser.contexts().flatMap((context) => context.pages());
      let page = pages()[0];
      for (; !page; page = pages()[0]) await sleep(5);
      await page.locator('main .u-over').first().waitFor({ state: 'attached' });
      const taken = await page.evaluate(() => ({
        paint:
          performance.timeOrigin +
          (performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN),
        whole: Date.now(),
      }));
      await browser.close();
      return { paint: taken.paint - begun, whole: taken.whole - begun };
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await new Promise((done) => child.once('exit', done));
      await scope.close();
    },
  };
}

function said(stream: Readable | null, pattern: RegExp): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    stream?.on('data', (piece: Buffer) => {
      text += piece.toString();
      const found = pattern.exec(text)?.[1];
      if (found) resolve(found);
    });
  });
}

async function openScreen(scope: Scope): Promise<string> {
  const args = ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp', '-ac'];
  const server = runProgram(scope, tool('Xvfb') ?? 'Xvfb', args, {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await said(server.stdio[3] as Readable, /(\d+)\n/);
  return `:${number}`;
}

/** Of it and all that it started: what they share is counted once. */
function memoryOf(root: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]));
    } catch {
      // Gone meanwhile.
    }
  }
  const isOurs = (pid: number | undefined): boolean =>
    pid === root || (pid !== undefined && pid > 1 && isOurs(parents.get(pid)));
  return [...parents.keys()]
    .filter(isOurs)
    .map((pid) => {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) * 1024;
    })
    .reduce((sum, size) => sum + size, 0);
}

const disposable = (scope: Scope) => ({ ...scope, [Symbol.asyncDispose]: () => scope.close() });
