import type { Check, SnapshotView } from './schema.ts';
import { ago, counted } from './words.ts';

/** Of the events that the tag sends: how many in the last 24 hours, and when the last one came. */
export interface Arrivals {
  count: number;
  last: number | null;
}

/** The source that the template names. */
const SOURCE = 'gtm';
const DAY = 86_400_000;

export interface Arrived {
  arrivals: (tenantId: string, source: string, since: number) => Promise<Arrivals>;
}

export const createArrivals =
  ({ arrivals }: Arrived) =>
  (tenantId: string, now: number): Promise<Arrivals> =>
    arrivals(tenantId, SOURCE, now - DAY);

export function eventsCheck(
  { count, last }: Arrivals,
  snapshot: SnapshotView | undefined,
  now: number,
): Check {
  const name = 'events';
  const evidence = [
    last === null
      ? 'None has ever arrived from the tag manager'
      : `The last one arrived ${ago(last, now)}`,
  ];
  if (count > 0) {
    const title = `${counted(count, 'event')} from the tag manager in the last 24 hours`;
    return { name, holds: true, title, evidence, next: null, action: null };
  }
  const title = 'No event from the tag manager in the last 24 hours';
  return { name, holds: false, title, evidence, ...wayOn(snapshot) };
}

function wayOn(snapshot: SnapshotView | undefined): Pick<Check, 'next' | 'action'> {
  const active = (tags: readonly { active: boolean }[] = []) => tags.some((tag) => tag.active);
  if (active(snapshot?.live?.tags)) {
    return {
      next: "Open the site, and look in the browser's console: with debug logging the tag says there what it sent. The address must be reachable from there, the key in the tag valid, and the site's domain allowed for it.",
      action: 'look',
    };
  }
  if (active(snapshot?.tags)) {
    return {
      next: 'Publish in the tag manager: before that nobody but its Preview sends anything.',
      action: 'publish',
    };
  }
  return {
    next: 'They come once the tag is there and published.',
    action: null,
  };
}
