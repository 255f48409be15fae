/** What happened in the shop's thirty days, counted back from the present moment. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const DAYS = 30;

interface Span {
  from: number;
  to: number;
}

export interface Story {
  start: number;
  now: number;
  /** A container was published that lost the id of the order. */
  lostIds: Span;
  /** Two tags for one click. */
  doubled: Span;
  /** Since the new consent banner, the tag for purchases waits for a consent that is never told. */
  stopped: Span;
  /** A theme was changed, and for half an hour some carts had no items. */
  bareCarts: Span;
  /** A payment provider had trouble. */
  payments: Span;
  /** A new version of the app fails on some phones. */
  crashes: Span;
  /** When nobody listened. */
  gaps: readonly Span[];
  /** The version of the tag manager's container that was live. */
  versionAt: (moment: number) => string;
}

export function tellStory(now: number): Story {
  const start = now - DAYS * DAY;
  const lostIds = { from: localTime(now, 11, 14, 8), to: localTime(now, 11, 19, 12) };
  const doubled = { from: localTime(now, 4, 10, 22), to: localTime(now, 4, 16, 35) };
  const stopped = { from: now - 100 * MINUTE, to: Infinity };
  const publishes = [
    ...[localTime(now, 23, 11, 5), lostIds.from, lostIds.to, doubled.from, doubled.to],
    stopped.from,
  ];
  const restart = localTime(now, 17, 3, 12);
  // Before the hours of the incidents, whose usual weeks it must not be missing from.
  const sunday = localTime(now, lastSunday(now), 7, 4);
  return {
    ...{ start, now, lostIds, doubled, stopped },
    bareCarts: { from: localTime(now, 20, 9, 40), to: localTime(now, 20, 10, 20) },
    payments: { from: localTime(now, 8, 20, 10), to: localTime(now, 8, 20, 50) },
    crashes: { from: localTime(now, 1, 20, 31), to: localTime(now, 1, 21, 2) },
    gaps: [
      { from: restart, to: restart + 25 * MINUTE },
      { from: sunday, to: sunday + 63 * MINUTE },
    ].sort((a, b) => a.from - b.from),
    versionAt: (moment) => String(56 + publishes.filter((time) => time <= moment).length),
  };
}

export const isIn = ({ from, to }: Span, moment: number) => from <= moment && moment < to;

/** So many days ago, by the wall clock of this machine. */
export function localTime(now: number, daysAgo: number, hour: number, minute = 0): number {
  const day = new Date(now);
  return new Date(
    day.getFullYear(),
    day.getMonth(),
    day.getDate() - daysAgo,
    hour,
    minute,
  ).getTime();
}

/** In days: the Sunday of the week before this one. */
const lastSunday = (now: number) => new Date(now).getDay() + 7;

/** When the collector was there, as it is known at a moment. */
export function heard({ start, gaps }: Story, moment: number): Span[] {
  const starts = [start, ...gaps.map(({ to }) => to)];
  return starts
    .map((from, i) => ({ from, to: Math.min(gaps[i]?.from ?? moment, moment) }))
    .filter(({ from, to }) => from < to);
}
