import { createRandom } from '../../helpers/random.ts';

/**
 * Chance by place: what is drawn for one minute does not depend on what was drawn before, so two
 * runs that differ in an incident are the same everywhere else.
 */
export function chanceFor(seed: number, stream: string, place = 0) {
  let mixed = seed;
  for (const char of stream) mixed = Math.imul(mixed ^ char.charCodeAt(0), 0x01000193);
  const random = createRandom(Math.imul(mixed ^ place, 0x9e3779b1) ^ (place >>> 15));
  // The first number of neighbouring seeds is not yet far apart.
  random.whole(0, 1);

  const fraction = () => random.whole(0, 2 ** 30 - 1) / 2 ** 30;

  return {
    ...random,
    fraction,
    pick: <T>(from: readonly T[]): T => from[random.whole(0, from.length - 1)] as T,

    /** How often something happens that is expected so often. */
    poisson(expected: number): number {
      const limit = Math.exp(-expected);
      let count = 0;
      for (let product = fraction(); product > limit; product *= fraction()) count++;
      return count;
    },

    /** A factor around 1 that strays by about so much: days and hours are not alike. */
    factor(spread: number): number {
      const normal = Math.sqrt(-2 * Math.log(1 - fraction())) * Math.cos(2 * Math.PI * fraction());
      return Math.exp(spread * normal - spread ** 2 / 2);
    },
  };
}

export type Chance = ReturnType<typeof chanceFor>;
