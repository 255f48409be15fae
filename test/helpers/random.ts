import { createChance } from '../../build/demo/chance.ts';

export type Random = ReturnType<typeof createRandom>;

/** Chance that can be repeated: a failing test names its seed, VEDETTE_SEED takes it. */
export function createRandom(seed = Number(process.env['VEDETTE_SEED'] ?? Date.now() % 1e9)) {
  const { whole, is } = createChance(seed);
  return {
    seed,
    /** From min up to and with max. */
    whole,
    chance: is,
  };
}
