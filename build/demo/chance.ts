/** Chance that is the same in every run with the same seed. */
export function createChance(seed: number) {
  let state = seed | 0;
  // mulberry32
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    fraction,
    between: (min: number, max: number): number => min + fraction() * (max - min),
    whole: (min: number, max: number): number => min + Math.floor(fraction() * (max - min + 1)),
    is: (share: number): boolean => fraction() < share,
    pick: <T>(from: readonly T[]): T => from[Math.floor(fraction() * from.length)] as T,

    /** One of them, by their shares, which need not add up to anything. */
    weighted<T extends readonly [share: number, ...rest: unknown[]]>(from: readonly T[]): T {
      let left = fraction() * from.reduce((sum, [share]) => sum + share, 0);
      return from.find(([share]) => (left -= share) < 0) ?? (from[0] as T);
    },
  };
}

export type Chance = ReturnType<typeof createChance>;

/** A factor around 1 for a place in time: days and hours are not alike. */
export function strayed(seed: number, place: number, spread: number): number {
  const chance = createChance(Math.imul(seed ^ place, 0x9e3779b1) ^ (place >>> 13));
  chance.fraction();
  // Three of them are near enough to a bell.
  const bell = chance.fraction() + chance.fraction() + chance.fraction() - 1.5;
  return 1 + spread * 2 * bell;
}
