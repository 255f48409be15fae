/** Cycles come once in a quarter of an hour, in fact and in backtests. */
export const QUARTER = 15 * 60_000;

export const quarterOf = (moment: number) => Math.floor(moment / QUARTER) * QUARTER;
