const SECOND = 1000;

/** Before a read is tried again that failed over there or on the way. */
export const READ_PAUSES: readonly number[] = [SECOND, 4 * SECOND, 15 * SECOND];

/** After each answer in a row that says it was too much: together more than a window of the quota. */
export const QUOTA_PAUSES: readonly number[] = [
  5 * SECOND,
  10 * SECOND,
  20 * SECOND,
  40 * SECOND,
  80 * SECOND,
  100 * SECOND,
];

/** Longer by up to a quarter. `chance` is from 0 up to 1. */
export function pauseFor(ms: number, chance: number): number {
  return Math.round(ms * (1 + chance / 4));
}
