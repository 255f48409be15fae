import type { Random } from '../../helpers/random.ts';
import type { Entry } from './trace.ts';

/**
 * Where to cut the power: half of the places anywhere, and half by what is done there, so that what
 * is rare (a file that is moved, the header of a checkpoint) has its turn as often as what is not.
 */
export function cutsOf(entries: readonly Entry[], count: number, random: Random) {
  const kindOf = kindsOf(entries);
  // Before the first mark nothing is known, and a mark itself changes nothing.
  const first = entries.findIndex(({ kind }) => kind === 'mark');
  const loaded = [...entries.keys()].slice(first).filter((index) => kindOf(index) !== 'mark');
  const kinds = [...Map.groupBy(loaded, kindOf).values()];
  const one = <T>(list: readonly T[]) => list[random.whole(0, list.length - 1)] as T;
  const chosen = Array.from({ length: count }, (_, cut) =>
    cut % 2 === 0 ? random.whole(0, entries.length - 1) : one(one(kinds)),
  );
  return chosen.sort((a, b) => a - b).map((index) => ({ index, at: kindOf(index) }));
}

/** What each does to which kind of file: `write journal/*.ndjson`. */
function kindsOf(entries: readonly Entry[]): (index: number) => string {
  const names = new Map<string, string>();
  const kinds = entries.map((entry) => {
    if (entry.kind === 'create') names.set(entry.inode, entry.name);
    const name =
      'name' in entry
        ? entry.name
        : 'to' in entry
          ? entry.to
          : 'inode' in entry && names.get(entry.inode);
    return [entry.kind, ...(name ? [name.replaceAll(/[0-9a-f-]{8,}/g, '*')] : [])].join(' ');
  });
  return (index) => kinds[index] as string;
}
