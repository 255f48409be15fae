/** Refused is 4xx, put off is 503: neither may be kept. Unknown is one without an answer. */
type Fate = 'unknown' | 'acknowledged' | 'refused' | 'put off';

export interface Stored {
  id: string;
  created_at: string;
  data: { n: number };
}

export const NO_FAULTS = {
  lost: [] as number[],
  twice: [] as number[],
  refusedYetKept: [] as number[],
  putOffYetKept: [] as number[],
  neverSent: [] as number[],
  sharedIds: 0,
};

export type Ledger = ReturnType<typeof createLedger>;

/** Gives every event a number of its own and remembers what became of each. */
export function createLedger() {
  const fates: Fate[] = [];

  return {
    take(count: number): number[] {
      const first = fates.length;
      for (let n = 0; n < count; n++) fates.push('unknown');
      return Array.from({ length: count }, (_, index) => first + index);
    },

    mark(numbers: readonly number[], fate: Fate): void {
      for (const n of numbers) fates[n] = fate;
    },

    issued: () => fates.length,
    acknowledged: () => fates.filter((fate) => fate === 'acknowledged').length,

    /**
     * What is wrong with these records, which must hold all acknowledged events from number `from`
     * on: the first few of each kind. Events that were never answered may be there, once.
     */
    faults(records: readonly Stored[], from = 0): typeof NO_FAULTS {
      const seen = new Set<number>();
      const twice: number[] = [];
      for (const { data } of records) {
        if (seen.has(data.n)) twice.push(data.n);
        seen.add(data.n);
      }
      const lost = fates.flatMap((fate, n) =>
        n >= from && fate === 'acknowledged' && !seen.has(n) ? [n] : [],
      );
      const kept = (fate: Fate | undefined) => few([...seen].filter((n) => fates[n] === fate));
      return {
        lost: few(lost),
        twice: few(twice),
        refusedYetKept: kept('refused'),
        putOffYetKept: kept('put off'),
        neverSent: kept(undefined),
        sharedIds: records.length - new Set(records.map(({ id }) => id)).size,
      };
    },
  };
}

const few = (numbers: readonly number[]) => numbers.slice(0, 10);
