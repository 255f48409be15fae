import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A server under test, or what it is held against: a process of its own. */
export interface Server {
  port: number;
  /** From the spawn to the first good answer. */
  readyAfterMs: number;
  rss: () => number;
  cpu: () => Cpu;
  stop: () => Promise<void>;
  kill: () => Promise<void>;
}

/** Milliseconds of processor time since the start, of all threads and of the one that runs JavaScript. */
export interface Cpu {
  all: number;
  main: number;
}

export const FULL_KEY = 'bench-key-0123456789abcdef';
export const PASSWORD = 'a password for the bench';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The appliance as `npm run serve` starts it, with rate limits that count but do not refuse. */
export async function startAppliance(dir: string, nodeArgs: string[] = []): Promise<Server> {
  const port = await freePort();
  const server = await start([...nodeArgs, ...serveCommand()], port, '/health', {
    VEDETTE_DATA_DIR: dir,
    VEDETTE_STATE_DIR: dir,
    VEDETTE_HOST: '127.0.0.1',
    VEDETTE_PORT: String(port),
    VEDETTE_RATE_LIMIT_EVENTS: '1000000',
    VEDETTE_RATE_LIMIT_COLLECT: '1000000',
    VEDETTE_API_KEY: FULL_KEY,
    VEDETTE_PASSWORD: PASSWORD,
  });
  // A very first start makes the key only after the port is open.
  const late = performance.now() + 5000;
  while (!(await answers(port, '/api/v1/tenants/me', { 'x-api-key': FULL_KEY }))) {
    if (performance.now() > late) throw new Error('The appliance does not take its key');
    await sleep(100);
  }
  return server;
}

export async function startYardstick(): Promise<Server> {
  const port = await freePort();
  return start([fileURLToPath(new URL('yardstick.ts', import.meta.url)), String(port)], port, '/');
}

/** How long the same Node takes to do nothing at all. */
export async function bareNodeMs(): Promise<number> {
  const since = performance.now();
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  return performance.now() - since;
}

/** What `npm run serve` runs, so that the flags it gives to Node are measured too. */
function serveCommand(): string[] {
  const { scripts } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as {
    scripts: { serve: string };
  };
  return scripts.serve.split(' ').slice(1);
}

async function start(
  args: string[],
  port: number,
  path: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Server> {
  const since = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.add(child);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      running.delete(child);
      resolve();
    });
  });
  let complaints = '';
  child.stderr.on('data', (text: Buffer) => (complaints += text.toString()));

  while (!(await answers(port, path))) {
    if (child.exitCode !== null || performance.now() - since > 30_000) {
      child.kill('SIGKILL');
      throw new Error(`${args.join(' ')} did not start: ${complaints}`);
    }
    await sleep(2);
  }
  return {
    port,
    readyAfterMs: performance.now() - since,
    rss: () => rssOf(child.pid as number),
    cpu: () => ({
      all: cpuOf(`/proc/${child.pid}/stat`),
      main: cpuOf(`/proc/${child.pid}/task/${child.pid}/stat`),
    }),
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
      await exited;
      clearTimeout(late);
      if (complaints !== '') process.stderr.write(complaints);
    },
    kill() {
      child.kill('SIGKILL');
      return exited;
    },
  };
}

function answers(port: number, path: string, headers = {}): Promise<boolean> {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).once('error', () => resolve(false));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function rssOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

/** In ticks of a hundredth of a second, whatever the machine; see proc(5). */
function cpuOf(stat: string): number {
  const text = readFileSync(stat, 'utf8');
  // The second field may hold blanks, but it ends with the last bracket.
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11);
  return (Number(user) + Number(system)) * 10;
}
