import type { Clock } from '../../platform/clock.ts';

export interface Quota {
  requests: number;
  /** In any stretch of this length there are never more than that. */
  withinMs: number;
  /** In any 24 hours. */
  perDay: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** What one project has used of its quota, in memory. */
export function createAllowance(clock: Clock, { requests, withinMs }: Quota) {
  const time = steady(clock);
  /** When requests were made, for a day. */
  let used: number[] = [];
  let heldUntil = 0;

  function today(): number[] {
    const since = time() - DAY_MS;
    if ((used[0] ?? Infinity) <= since) used = used.filter((at) => at > since);
    return used;
  }

  /** When one more is allowed behind those. */
  function nextAfter(made: readonly number[]): number {
    const oldest = made[made.length - requests];
    return Math.max(heldUntil, oldest === undefined ? 0 : oldest + withinMs);
  }

  return {
    use(): void {
      used.push(time());
    },
    hold(ms: number): void {
      heldUntil = Math.max(heldUntil, time() + ms);
    },
    /** Until one more is allowed. */
    waitMs: (): number => Math.max(0, Math.ceil(nextAfter(today()) - time())),
    usedToday: (): number => today().length,
    /** Until the oldest request of the day is a day old. */
    dayFreeInMs: (): number => Math.max(0, (today()[0] ?? 0) + DAY_MS - time()),
    /** How long so many more take when each is made as soon as it is allowed. */
    msFor(count: number): number {
      const now = time();
      const made = today().slice(-requests);
      for (let i = 0; i < count; i++) made.push(Math.max(now, nextAfter(made)));
      return Math.max(0, (made.at(-1) ?? now) - now);
    },
  };
}

export type Allowance = ReturnType<typeof createAllowance>;

/** Goes on where it was when the clock is set back, so that nobody waits for that time again. */
function steady(clock: Clock): () => number {
  let seen = clock.now();
  let elapsed = 0;
  return () => {
    const now = clock.now();
    elapsed += Math.max(0, now - seen);
    seen = now;
    return elapsed;
  };
}
