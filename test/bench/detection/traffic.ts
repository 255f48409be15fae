import { HOUR, MINUTE, wall } from './calendar.ts';
import { chanceFor } from './chance.ts';
import type { Chance } from './chance.ts';

export interface ShopEvent {
  source: 'gtm' | 'backend';
  event_type: 'page_view' | 'view_item' | 'add_to_cart' | 'begin_checkout' | 'purchase';
  data: Record<string, unknown>;
}

/** Page views a minute at each full hour. */
const BY_HOUR = [
  ...[3, 2.3, 2, 2, 2, 2.2, 3, 4.2, 5.5, 6.5, 7.2, 7.5],
  ...[7.8, 7.4, 7, 7, 7.2, 7.6, 8.4, 9.4, 10, 9.6, 7.5, 5],
];
/** From Sunday on. */
const BY_WEEKDAY = [1.1, 1.08, 1.02, 1, 0.97, 0.93, 0.9];

/** How many there are for each page view, and how many of those the shop's server sends. */
const STEPS = [
  { event_type: 'page_view', share: 1, byServer: 0 },
  { event_type: 'view_item', share: 0.5, byServer: 0 },
  { event_type: 'add_to_cart', share: 0.08, byServer: 0.2 },
  { event_type: 'begin_checkout', share: 0.03, byServer: 0.2 },
  { event_type: 'purchase', share: 0.015, byServer: 1 },
] as const;

const PRODUCTS = [
  ['SKU-1042', 12.5],
  ['SKU-2210', 18],
  ['SKU-3371', 49.9],
  ['SKU-4005', 89],
  ['SKU-5128', 129.95],
] as const;
const PAGES = ['/', '/c/kitchen', '/c/outdoor', '/p/enamel-mug-harbour', '/basket'];

/**
 * The visits of a middling shop: five page views a minute, five purchases an hour, with the
 * rhythm of day and week. Real days and hours stray more than counting alone explains.
 */
export function createTraffic(seed: number) {
  function pageViews(minute: number): number {
    const { hour, weekday } = wall(minute);
    const [before = 0, after = 0] = [BY_HOUR[Math.floor(hour)], BY_HOUR[Math.ceil(hour) % 24]];
    const base = before + (after - before) * (hour % 1);
    const ofDay = chanceFor(seed, 'day', Math.floor(minute / (24 * HOUR))).factor(0.07);
    const ofHour = chanceFor(seed, 'hour', Math.floor(minute / HOUR)).factor(0.08);
    return base * (BY_WEEKDAY[weekday] ?? 1) * ofDay * ofHour;
  }

  return {
    /** The events of one minute; `part` tells apart several draws for it. */
    of(minute: number, part = ''): ShopEvent[] {
      const expected = pageViews(minute);
      const chance = chanceFor(seed, `minute${part}`, minute / MINUTE);
      return STEPS.flatMap(({ event_type, share, byServer }) =>
        Array.from({ length: chance.poisson(expected * share) }, () => ({
          source: chance.chance(byServer) ? ('backend' as const) : ('gtm' as const),
          event_type,
          data: dataOf(event_type, chance),
        })),
      );
    },
  };
}

export type Traffic = ReturnType<typeof createTraffic>;

function dataOf(type: ShopEvent['event_type'], chance: Chance): ShopEvent['data'] {
  if (type === 'page_view') {
    return { page: chance.pick(PAGES), client_id: chance.whole(1e6, 1e7) };
  }
  const [item_id, price] = chance.pick(PRODUCTS);
  if (type === 'view_item') return { item_id, value: price, currency: 'EUR' };
  const quantity = chance.whole(1, 3);
  const basket = {
    value: Math.round(price * quantity * 100) / 100,
    currency: 'EUR',
    items: [{ item_id, price, quantity }],
  };
  return type === 'purchase' ? { order_id: `A-${chance.whole(1, 1e9)}`, ...basket } : basket;
}
