import type { EventCount } from '$server/events/schema.ts';
import { hasType } from '$lib/names.ts';

/** What the template calls itself in every event. */
export const SOURCE = 'gtm';

interface Arrivals {
  total: number;
  /** Nothing when none came. */
  last: number | undefined;
  types: { type: string; total: number }[];
}

/** What of all that was counted came from the tag manager, the busiest type first. */
export function arrivalsOf(counts: readonly EventCount[]): Arrivals {
  const own = counts.filter(hasType).filter(({ source, count }) => source === SOURCE && count > 0);
  return {
    total: own.reduce((sum, { count }) => sum + count, 0),
    last: own.length > 0 ? Math.max(...own.map((one) => Date.parse(one.last_seen))) : undefined,
    types: own.map((one) => ({ type: one.event_type, total: one.count })),
  };
}
