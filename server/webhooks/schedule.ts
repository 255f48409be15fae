const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Between one attempt and the next: together nearly the three days that there are. */
export const DELAYS: readonly number[] = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
export const TRIED_FOR = 72 * HOUR;
/** Of a delay, either way: so that many that failed together do not come back together. */
export const JITTER = 0.1;

export interface Round {
  begunAt: number;
  /** How many attempts of this round have failed. */
  failures: number;
}

/** When to try again, or undefined for never. `chance` is from 0 up to 1. */
export function nextAttempt(
  { begunAt, failures }: Round,
  now: number,
  notBefore: number,
  chance: number,
): number | undefined {
  const end = begunAt + TRIED_FOR;
  const delay = DELAYS[failures - 1];
  if (delay === undefined || now >= end) return undefined;
  const jittered = Math.round(delay * (1 + JITTER * (2 * chance - 1)));
  // A receiver that asks for more time than there is gets one last try at the end.
  return Math.min(Math.max(now + jittered, notBefore), end);
}
