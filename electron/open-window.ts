import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { NoWindow, reasonIn } from './runtime.ts';

export interface Opened {
  /** Its address, once it answers. Fails with NoWindow or EndedBefore. */
  ready: Promise<string>;
  /** The code that the program ended with. */
  ended: Promise<number>;
  /** Hands a signal on to it; from then on its end is what was asked for. */
  end: (signal: NodeJS.Signals) => void;
}

/** Ended before it was up, by a person or having said why: there is nothing to fall back from. */
export class EndedBefore extends Error {
  readonly code: number;
  constructor(code: number, how: string | number = code) {
    super(`Electron ended with ${how}`);
    this.code = code;
  }
}

interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/**
 * What ends sooner by itself never came up: a crash of Chromium, for one. It is less than what the
 * shell takes to close in order, so that one that could not, after a person quit, is none of these.
 */
const FALLS_WITHIN_MS = 4_000;
/** Of a program that has ended, as far as another one does not keep it open. */
const LAST_WORDS_WITHIN_MS = 500;

/** Starts the desktop program. From here on it can be ended, whatever it is at. */
export function openWindow(
  electron: string,
  args: readonly string[],
  say: (text: string) => void,
): Opened {
  const root = path.join(import.meta.dirname, '..');
  const switches = args.filter((argument) => argument === '--no-sandbox');
  const begun = performance.now();
  const child = spawn(electron, [...switches, root, ...args], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    // Or Ctrl+C in a terminal would reach it twice: by itself, and from here.
    detached: process.platform !== 'win32',
  });
  const complaints = complaintsOf(child, say);
  let wasAsked = false;
  let hasFailed = false;
  let isUp = false;

  function judge({ code, signal }: Ending): Error {
    const how = signal ?? code ?? 1;
    const ended = new EndedBefore(codeOf({ code, signal }), how);
    // 0: another one is open already and is shown; 2: it has said what is wrong.
    if (isUp || wasAsked || hasFailed || code === 0 || code === 2) return ended;
    const reason = reasonIn(complaints());
    if (reason) return new NoWindow(reason);
    if (performance.now() - begun < FALLS_WITHIN_MS) return new NoWindow(ended.message);
    say(`vedette: ${ended.message} before Vedette was up`);
    return ended;
  }

  const ending = endOf(child);
  const ready = new Promise<string>((resolve, reject) => {
    child.on('error', ({ message }) => reject(new NoWindow(message)));
    child.on('message', (news: { ready?: { url: string }; failed?: unknown }) => {
      if (news.failed) hasFailed = true;
      if (!news.ready) return;
      isUp = true;
      resolve(news.ready.url);
    });
    void ending.then((end) => reject(judge(end)));
  });
  // Not everybody waits for it to the last.
  ready.catch(() => undefined);
  return {
    ready,
    ended: ending.then(codeOf),
    end(signal) {
      wasAsked = true;
      child.kill(signal);
    },
  };
}

/** What it complains of, line by line; what is for people is passed on to them. */
function complaintsOf({ stderr }: ChildProcess, say: (text: string) => void): () => string {
  let complaints = '';
  if (stderr) {
    createInterface({ input: stderr, crlfDelay: Infinity }).on('line', (line) => {
      complaints = `${complaints}${line}\n`.slice(-20_000);
      if (isOurs(line)) say(line);
    });
  }
  return () => complaints;
}

/** Not as soon as all its pipes are closed: a browser that it opened may hold them for hours. */
async function endOf(child: ChildProcess): Promise<Ending> {
  const said = new Promise((done) => child.once('close', done));
  const ending = await new Promise<Ending>((done) => {
    child.once('exit', (code, signal) => done({ code, signal }));
    // Nothing was started, so nothing exits.
    child.on('error', () => child.pid ?? done({ code: 1, signal: null }));
  });
  const patience = Promise.withResolvers<unknown>();
  const timer = setTimeout(patience.resolve, LAST_WORDS_WITHIN_MS);
  await Promise.race([said, patience.promise]);
  clearTimeout(timer);
  child.stderr?.destroy();
  return ending;
}

/** As a shell gives it. */
function codeOf({ code, signal }: Ending): number {
  return code ?? (signal ? 128 + constants.signals[signal] : 1);
}

/** Chromium talks much about buses and drivers that a person can do nothing about. */
function isOurs(line: string): boolean {
  return !/^\[[\d:]+\/[\d.]+:\w+:|^DevTools listening|^\s*$|^\(node:\d+\)/.test(line);
}
