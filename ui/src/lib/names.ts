import type { EventCount } from '$server/events/schema.ts';
import { short, visible } from './words.ts';

/** So many names are suggested or listed in a row; who looks for another one types. */
const LISTED = 20;

/** What is counted with the rest has no type. */
export const hasType = (entry: EventCount): entry is EventCount & { event_type: string } =>
  entry.event_type !== null;

/** Sources in words, cut where anybody could have made up thousands of them. */
export const sourceWords = (sources: readonly (string | null)[]) =>
  sources
    .slice(0, LISTED)
    .map((source) => (source === null ? 'other sources' : visible(source) || '(empty)'));

interface Others {
  /** Of them, with those of a type that is counted by name. */
  events: number;
  /** When the last one came. */
  last: number;
  /** How many pairs of source and type are counted by name. */
  named: number;
}

/** What is not counted by name, if there is anything. */
export function othersOf(counts: readonly EventCount[]): Others | undefined {
  const others = counts.filter(({ source }) => source === null);
  if (others.length === 0) return undefined;
  return {
    events: others.reduce((sum, { count }) => sum + count, 0),
    last: Math.max(...others.map(({ last_seen }) => Date.parse(last_seen))),
    named: counts.length - others.length,
  };
}

/** Names with how often they were seen, the busiest first: what a field may suggest. */
export function total(counts: readonly EventCount[], nameOf: (entry: EventCount) => string | null) {
  const sums = new Map<string, number>();
  for (const entry of counts) {
    const name = nameOf(entry);
    if (name) sums.set(name, (sums.get(name) ?? 0) + entry.count);
  }
  return [...sums]
    .sort(([, one], [, other]) => other - one)
    .map(([value, sum]) => ({ value, note: short(sum) }));
}
