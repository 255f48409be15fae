import type { EventCount } from '$server/events/schema.ts';
import { short } from '$lib/words.ts';

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
