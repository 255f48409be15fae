/**
 * Shares of something that all use together and that has an end: memory, places, connections.
 *
 * Whoever wants more may have it while they hold less than what is left for everybody. So one alone
 * gets up to a half, the next a half of the rest, and so on: nobody takes all, no share need be set
 * aside for those who are not there, and one who holds little is let in while there is anything.
 *
 * `who` names the holder from the widest to the narrowest, as in `[tenant, key]` or `[key, address]`.
 * Each is held to the same within the one before.
 */
export type Who = readonly string[];

export interface Shares {
  /** Takes so much and says true; or takes nothing and says false. */
  take(who: Who, amount: number): boolean;
  giveBack(who: Who, amount: number): void;
  /** All that is held; or by one of those named. */
  held(who?: Who): number;
}

export function createShares(total: number): Shares {
  /** By name; each name has the ones before it in front, and the whole has none. */
  const held = new Map<string, number>();

  function names(who: Who): string[] {
    let name = '';
    const all = [name];
    // With its length each part is told from its neighbours, whatever is in it.
    for (const part of who) all.push((name += `${part.length}:${part}`));
    return all;
  }

  function add(all: readonly string[], amount: number): void {
    for (const name of all) {
      const now = (held.get(name) ?? 0) + amount;
      if (now > 0) held.set(name, now);
      else held.delete(name);
    }
  }

  return {
    take(who, amount) {
      const all = names(who);
      // The whole once for what is left, and each holder for what it would have.
      let left = total;
      for (const name of all) left -= (held.get(name) ?? 0) + amount;
      if (left < 0) return false;
      add(all, amount);
      return true;
    },
    giveBack: (who, amount) => add(names(who), -amount),
    held: (who = []) => held.get(names(who).at(-1) ?? '') ?? 0,
  };
}
