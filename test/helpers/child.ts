import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { KEY } from './appliance.ts';
import type { CrashableOptions, Fault } from './crashable.ts';
import { tempDir } from './temp-dir.ts';

const START = fileURLToPath(new URL('../../server/start.js', import.meta.url));
const CRASHABLE = fileURLToPath(new URL('crashable.ts', import.meta.url));
const READY_WITHIN_MS = 60_000;

export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export type Child = ReturnType<typeof runChild>;
export type Running = Awaited<ReturnType<typeof startVedette>>;

/** A program of its own that is gone when the test is over, whatever happens in it. */
export function runChild(file: string, args: readonly string[], env: Record<string, string> = {}) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^VEDETTE_|^VITEST|^NODE_ENV/.test(name),
  );
  const child = spawn(process.execPath, [file, ...args], {
    env: {
      ...{ UV_THREADPOOL_SIZE: '8', VEDETTE_STATE_DIR: tempDir() },
      ...{ ...Object.fromEntries(inherited), ...env },
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (text: Buffer) => (stdout += text.toString()));
  child.stderr?.on('data', (text: Buffer) => (stderr += text.toString()));
  const ended = new Promise<Ending>((done) => {
    child.once('close', (code, signal) => done({ code, signal }));
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    pid: child.pid,
    ended,
    stdout: () => stdout,
    stderr: () => stderr,
    tell: (message: object) => void child.send(message),
    end: (signal: NodeJS.Signals): Promise<Ending> => {
      child.kill(signal);
      return ended;
    },
    /** The first message or piece of output that `find` makes something of. */
    first<T>(find: (message?: unknown) => T | undefined): Promise<T> {
      return new Promise((resolve, reject) => {
        const look = (message?: unknown) => {
          const found = find(message);
          if (found !== undefined) resolve(found);
        };
        const fail = (why: string) => reject(new Error(`${why}\n${stdout}${stderr}`));
        child.on('message', look);
        child.stdout?.on('data', () => look());
        void ended.then(({ code, signal }) => fail(`It ended by itself (${signal ?? code})`));
        setTimeout(() => fail('It did not get ready'), READY_WITHIN_MS).unref();
      });
    },
  };
}

/** The real entry, with no options but these. */
export function runVedette(args: readonly string[], env: Record<string, string> = {}) {
  return runChild(START, args, env);
}

/** The real entry, up and answering. */
export async function startVedette(
  dataDir: string,
  { args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> } = {},
) {
  const child = runVedette(
    [
      ...['--data-dir', dataDir, '--host', '127.0.0.1', '--port', '0'],
      ...['--rate-limit-events', '1000000', '--rate-limit-collect', '1000000'],
      ...args,
    ],
    env,
  );
  const url = await child.first(() => /listening on (http\S+:\d+)/.exec(child.stdout())?.[1]);
  const health = await fetch(`${url}/health`);
  await health.arrayBuffer();
  if (health.status !== 200) throw new Error(`/health answered ${health.status}`);
  return { ...child, url };
}

/** As above, with the key that the senders of these tests use. */
export const startWithKey = (dataDir: string) =>
  startVedette(dataDir, { env: { VEDETTE_API_KEY: KEY } });

/** An appliance that may kill itself at a fault point: perhaps before it is up, or once armed. */
export function runCrashable(
  options: Omit<CrashableOptions, 'apiKey'>,
  env: Record<string, string> = {},
) {
  const child = runChild(CRASHABLE, [JSON.stringify({ apiKey: KEY, ...options })], env);
  const up = child.first((message) => message as { url: string; notices: string[] } | undefined);
  // It may be killed before anybody waits for this.
  up.catch(() => undefined);
  return { ...child, up, arm: (fault: Fault) => child.tell(fault) };
}
