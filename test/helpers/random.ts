export type Random = ReturnType<typeof createRandom>;

/** Chance that can be repeated: a failing test names its seed, VEDETTE_SEED takes it. */
export function createRandom(seed = Number(process.env['VEDETTE_SEED'] ?? Date.now() % 1e9)) {
  let state = seed;
  // mulberry32
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    seed,
    /** From min up to and with max. */
    whole: (min: number, max: number): number => min + Math.floor(fraction() * (max - min + 1)),
    chance: (share: number): boolean => fraction() < share,
  };
}
