import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fill } from './fill.ts';
import type { Filled } from './fill.ts';
import { topOfProfile } from './profile.ts';

export interface Size {
  events: number;
  /** Rounds of yardstick and appliance. */
  pairs: number;
  roundSeconds: number;
  warmUpSeconds: number;
  /** Requests of each kind that are timed one after the other. */
  times: number;
  starts: number;
  idleSeconds: number;
  holdSeconds: number;
}

export const FULL: Size = {
  events: 10_000_000,
  pairs: 5,
  roundSeconds: 4,
  warmUpSeconds: 3,
  times: 25,
  starts: 5,
  idleSeconds: 10,
  holdSeconds: 20,
};

export const QUICK: Size = {
  events: 1_000_000,
  pairs: 2,
  roundSeconds: 1,
  warmUpSeconds: 1,
  times: 9,
  starts: 2,
  idleSeconds: 1,
  holdSeconds: 3,
};

/** What the rows share: sizes, directories that go when the run ends, and the filled database. */
export function createBench(size: Size, profile: boolean) {
  const root = mkdtempSync(path.join(tmpdir(), 'vedette-bench-'));
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  let filled: Promise<Filled> | undefined;

  function newDir(name: string): string {
    const dir = path.join(root, `${name}-${performance.now().toFixed(3)}`);
    mkdirSync(dir);
    return dir;
  }

  const progress = (text: string) => process.stderr.write(`  ${text}\n`);

  return {
    size,
    newDir,
    progress,

    /** The directory with many events, made when the first row asks for it. */
    filled: () => (filled ??= fill(newDir('filled'), size.events, progress)),

    /** With --profile: what makes Node profile the server, and tells where its time went. */
    profiling(row: string) {
      if (!profile) return { nodeArgs: [], report: async () => undefined };
      const dir = newDir('profile');
      return {
        nodeArgs: ['--cpu-prof', `--cpu-prof-dir=${dir}`],
        report: async () => process.stdout.write(`\n${row}: ${topOfProfile(dir)}\n`),
      };
    },
  };
}

export type Bench = ReturnType<typeof createBench>;
