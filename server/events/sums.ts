import { inTurns } from '../platform/turns.ts';
import type { Marks, Window } from './marks.ts';

/** What was counted in each segment, for one event type and source. Names and pairs are JSON. */
export interface CountRow {
  tenant: string;
  event_type: string;
  source: string;
  counts: string;
}

interface OfType {
  all: Float64Array;
  bySource: Map<string, Float64Array>;
}

/** Adds up counts from segment to segment, so that any window is one subtraction. */
export async function addUp(rows: readonly CountRow[], marks: Marks) {
  const types = new Map<string, OfType>();
  await inTurns(rows, (row) => {
    const key = keyOf(row.tenant, JSON.parse(row.event_type) as string);
    const sums = entry(types, key, () => ({ all: marks.zeros(), bySource: new Map() }));
    const own = entry(sums.bySource, JSON.parse(row.source) as string, marks.zeros);
    for (const [segment, events] of JSON.parse(row.counts) as [number, number][]) {
      add(own, segment + 1, events);
      add(sums.all, segment + 1, events);
    }
  });
  for (const { all, bySource } of types.values()) {
    for (const counts of [all, ...bySource.values()]) accumulate(counts);
  }

  return {
    countIn(tenant: string, type: string, source: string | undefined, window: Window): number {
      const sums = types.get(keyOf(tenant, type));
      const upTo = source === undefined ? sums?.all : sums?.bySource.get(source);
      if (upTo === undefined) return 0;
      const [first, end] = marks.range(window);
      return (upTo[end] ?? 0) - (upTo[first] ?? 0);
    },
  };
}

/** A tenant's id has no blank. */
const keyOf = (tenant: string, type: string) => `${tenant} ${type}`;

export function add(counts: Float64Array | Int32Array, index: number, amount: number): void {
  counts[index] = (counts[index] ?? 0) + amount;
}

export function accumulate(counts: Float64Array): void {
  let sum = 0;
  for (let i = 0; i < counts.length; i++) {
    sum += counts[i] ?? 0;
    counts[i] = sum;
  }
}

export function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const present = map.get(key);
  if (present !== undefined) return present;
  const made = make();
  map.set(key, made);
  return made;
}
