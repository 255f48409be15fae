import { problems } from '../platform/errors.ts';

interface Count {
  failures: number;
  lastAt: number;
}

export type Attempts = ReturnType<typeof createAttempts>;

const FREE = 5;
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15 * 60_000;
const FORGOTTEN_AFTER = 60 * 60_000;

/** Slows down guessing: from the fifth failure on, an address waits longer after each. */
export function createAttempts({ maxAddresses = 10_000 } = {}) {
  const counts = new Map<string, Count>();

  return {
    /** Counts an attempt as failed before it is judged, so that many at once do not slip by. */
    begin(address: string, now: number): void {
      const known = counts.get(address);
      const fresh = known === undefined || now - known.lastAt >= FORGOTTEN_AFTER;
      const failures = fresh ? 0 : known.failures;
      const wait = fresh ? 0 : known.lastAt + waitAfter(failures) - now;
      if (wait > 0) throw problems.tooManyAttempts(wait / 1000);

      // Put last again, so that the first in line is the one to drop.
      counts.delete(address);
      for (const oldest of counts.keys()) {
        if (counts.size < maxAddresses) break;
        counts.delete(oldest);
      }
      counts.set(address, { failures: failures + 1, lastAt: now });
    },
    succeeded(address: string): void {
      counts.delete(address);
    },
    /** An attempt that could not be judged was neither right nor wrong. */
    takeBack(address: string): void {
      const count = counts.get(address);
      if (count) count.failures--;
    },
  };
}

function waitAfter(failures: number): number {
  return failures < FREE ? 0 : Math.min(FIRST_WAIT * 2 ** (failures - FREE), LONGEST_WAIT);
}
