import { strayed } from './chance.ts';
import { DAY, HOUR } from './story.ts';

type Kind = 'browse' | 'basket' | 'order' | 'house';

export interface Stream {
  source: string;
  type: string;
  kind: Kind;
  /** How many in the thirty days of a full shop. */
  full: number;
  /** And in the smallest: what rules watch must not become too rare for them. */
  least: number;
}

/** What comes from where, and how much of it. */
export const STREAMS: readonly Stream[] = [
  stream('gtm', 'page_view', 'browse', 118_000, 2_400),
  stream('gtm', 'view_item_list', 'browse', 38_000, 300),
  stream('gtm', 'view_item', 'browse', 46_000, 400),
  stream('gtm', 'search', 'browse', 7_000, 60),
  stream('gtm', 'consent_update', 'house', 8_600, 60),
  stream('gtm', 'add_to_cart', 'basket', 11_500, 9_000),
  stream('gtm', 'begin_checkout', 'basket', 5_400, 900),
  stream('gtm', 'purchase', 'order', 3_300, 3_300),
  stream('gtm', 'sign_up', 'house', 900, 900),
  stream('app', 'screen_view', 'browse', 23_000, 300),
  stream('app', 'view_item', 'browse', 8_400, 100),
  stream('app', 'add_to_cart', 'basket', 2_300, 300),
  stream('app', 'purchase', 'order', 640, 640),
  stream('app', 'crash', 'house', 60, 60),
  // Of those who did not consent, the pages tell nothing.
  stream('backend', 'purchase', 'order', 420, 420),
  stream('backend', 'payment_failed', 'house', 260, 260),
  stream('backend', 'refund', 'house', 190, 190),
  stream('backend', 'order_shipped', 'house', 3_900, 120),
  stream('backend', 'stock_changed', 'house', 9_000, 90),
  stream('backend', 'login', 'house', 6_200, 90),
  stream('newsletter', 'open', 'house', 5_200, 90),
  stream('newsletter', 'click', 'house', 1_300, 60),
  stream('newsletter', 'subscribe', 'house', 420, 60),
];

/** Each web or app order is told by the shop's server too. */
const TOLD_TWICE = 3_300 + 640;

/** Customers overseas keep the nights from being empty. */
const BY_HOUR = [
  ...[0.66, 0.58, 0.54, 0.52, 0.52, 0.55, 0.63, 0.74, 0.86, 0.98, 1.05, 1.08],
  ...[1.12, 1.08, 1.03, 1.04, 1.1, 1.18, 1.31, 1.47, 1.6, 1.54, 1.26, 0.9],
];
/** From Sunday on. */
const BY_WEEKDAY = [1.17, 1.05, 0.99, 0.97, 0.96, 0.91, 0.99];

/** How lively the shop is in a minute, around 1. */
export function mood(seed: number, minute: number): number {
  const wall = new Date(minute);
  const hour = wall.getHours() + wall.getMinutes() / 60;
  const before = BY_HOUR[Math.floor(hour)] ?? 1;
  const after = BY_HOUR[(Math.floor(hour) + 1) % 24] ?? 1;
  const byHour = before + (after - before) * (hour % 1);
  const ofDay = strayed(seed, Math.floor(minute / DAY), 0.045);
  const ofHour = strayed(seed + 1, Math.floor(minute / HOUR), 0.05);
  return byHour * (BY_WEEKDAY[wall.getDay()] ?? 1) * ofDay * ofHour;
}

/** How much of what can be left out there is to be, so that the sum comes near to `events`. */
export function shareOf(events: number): number {
  const sum = (key: 'full' | 'least') => STREAMS.reduce((all, one) => all + one[key], TOLD_TWICE);
  return Math.max(0, (events - sum('least')) / (sum('full') - sum('least')));
}

function stream(source: string, type: string, kind: Kind, full: number, least: number): Stream {
  return { source, type, kind, full, least };
}
