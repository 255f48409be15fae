import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { atWorkerEnd } from '../worker-end.ts';
import { tool } from './runtime.ts';

const groups = new Set<number>();
const dirs = new Set<string>();
atWorkerEnd(() => {
  for (const group of groups) killGroup(group);
  for (const dir of dirs) remove(dir);
});

/** What was begun together and is ended together, the last first. */
export interface Scope {
  defer(end: () => unknown): void;
  dir(): string;
  close(): Promise<void>;
}

export function createScope(): Scope {
  const stack = new AsyncDisposableStack();
  const scope: Scope = {
    defer: (end) => {
      stack.defer(async () => {
        await end();
      });
    },
    dir() {
      const dir = mkdtempSync(path.join(tmpdir(), 'vedette-desk-'));
      dirs.add(dir);
      scope.defer(() => {
        remove(dir);
        dirs.delete(dir);
      });
      return dir;
    },
    close: () => stack.disposeAsync(),
  };
  return scope;
}

/** What the tests of a worker share; nobody closes it, it goes with the worker. */
export const workerScope = createScope();

/** A program with all that it starts, which is gone when the scope is closed. */
export function runProgram(
  scope: Scope,
  file: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  // Should the tests themselves be killed, nobody else would end it.
  const leash = tool('setpriv');
  const [name, ...words] = leash ? [leash, '--pdeathsig', 'KILL', file, ...args] : [file, ...args];
  const child = spawn(name, words, { ...options, detached: true });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} does not start`);
  groups.add(pid);
  const gone = new Promise((resolve) => child.once('close', resolve));
  scope.defer(async () => {
    killGroup(pid);
    await gone;
    groups.delete(pid);
  });
  return child;
}

/** Who is being killed may still write into it. */
const remove = (dir: string) => rmSync(dir, { recursive: true, force: true, maxRetries: 5 });

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}
