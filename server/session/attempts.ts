import { ALL_GUESSES, GUESSES } from '../platform/bounds.ts';
import { problems } from '../platform/errors.ts';

interface Count {
  failures: number;
  lastAt: number;
}

/** Who tries a password. */
export interface Guesser {
  network: string;
  /** A browser that has signed in before, or a session: it stands for itself, wherever it is. */
  known?: string | undefined;
}

export type Attempts = ReturnType<typeof createAttempts>;

const ALL = 'all';
const FORGOTTEN_AFTER = 60 * 60_000;

/**
 * Slows down guessing: by network, and all networks together, since a guesser may have many. So
 * guessers can keep a strange browser out; what is known is not counted with them.
 */
export function createAttempts({ maxCounts = 10_000 } = {}) {
  const counts = new Map<string, Count>();

  function waitOf(name: string, now: number): number {
    const count = counts.get(name);
    if (count === undefined || now - count.lastAt >= FORGOTTEN_AFTER) {
      counts.delete(name);
      return 0;
    }
    const { free, firstWaitMs, longestWaitMs } = name === ALL ? ALL_GUESSES : GUESSES;
    if (count.failures < free) return 0;
    const wait = Math.min(firstWaitMs * 2 ** (count.failures - free), longestWaitMs);
    return count.lastAt + wait - now;
  }

  function add(name: string, now: number): void {
    const failures = (counts.get(name)?.failures ?? 0) + 1;
    // Put last again, so that the first in line is the one to drop.
    counts.delete(name);
    for (const oldest of counts.keys()) {
      if (counts.size < maxCounts) break;
      counts.delete(oldest);
    }
    counts.set(name, { failures, lastAt: now });
  }

  return {
    /** Counts an attempt as failed before it is judged, so that many at once do not slip by. */
    begin(who: Guesser, now: number): void {
      const names = namesOf(who);
      const wait = Math.max(...names.map((name) => waitOf(name, now)));
      if (wait > 0) throw problems.tooManyAttempts(wait / 1000);
      for (const name of names) add(name, now);
    },
    succeeded(who: Guesser): void {
      for (const name of namesOf(who)) counts.delete(name);
    },
    /** An attempt that could not be judged was neither right nor wrong. */
    takeBack(who: Guesser): void {
      for (const name of namesOf(who)) {
        const count = counts.get(name);
        if (count) count.failures--;
      }
    },
  };
}

function namesOf({ known, network }: Guesser): string[] {
  return known === undefined ? [`network ${network}`, ALL] : [`known ${known}`];
}
