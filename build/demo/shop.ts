import { CONTAINER, SITE } from './catalogue.ts';
import { createChance, strayed } from './chance.ts';
import { createPayloads, newVisitor } from './payloads.ts';
import type { Visitor } from './payloads.ts';
import { DAY, DAYS, HOUR, isIn, MINUTE } from './story.ts';
import type { Story } from './story.ts';

export interface ShopEvent {
  at: number;
  source: string;
  type: string;
  data: object;
  /** Of what came by pixel. */
  context?: { source_id: string; timestamp: number; metadata: Record<string, string> };
}

type Kind = 'browse' | 'basket' | 'order' | 'house';

interface Stream {
  source: string;
  type: string;
  kind: Kind;
  /** How many in the thirty days of a full shop. */
  full: number;
  /** And in the smallest: what rules watch must not become too rare for them. */
  least: number;
}

const STREAMS: readonly Stream[] = [
  stream('gtm', 'page_view', 'browse', 118_000, 2_400),
  stream('gtm', 'view_item_list', 'browse', 38_000, 300),
  stream('gtm', 'view_item', 'browse', 46_000, 400),
  stream('gtm', 'search', 'browse', 7_000, 60),
  stream('gtm', 'consent_update', 'house', 8_600, 60),
  stream('gtm', 'add_to_cart', 'basket', 11_500, 6_400),
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

const PRESENT = 26;

export interface ShopOptions {
  story: Story;
  seed: number;
  /** About how many in the thirty days. */
  events: number;
  firstOrder?: number;
}

/** The traffic of the shop, minute by minute and in order: each call goes on from the last one. */
export function createShop(options: ShopOptions) {
  const { story, seed, events, firstOrder = 481_200 } = options;
  const chance = createChance(seed);
  const payloads = createPayloads(chance, firstOrder);
  const visitors: Visitor[] = [];
  const share = shareOf(events);
  const states = STREAMS.map((one) => ({ ...one, debt: chance.fraction(), next: 1 }));

  /** How lively it is, around 1. */
  function mood(minute: number): number {
    const wall = new Date(minute);
    const hour = wall.getHours() + wall.getMinutes() / 60;
    const before = BY_HOUR[Math.floor(hour)] ?? 1;
    const after = BY_HOUR[(Math.floor(hour) + 1) % 24] ?? 1;
    const byHour = before + (after - before) * (hour % 1);
    const ofDay = strayed(seed, Math.floor(minute / DAY), 0.045);
    const ofHour = strayed(seed + 1, Math.floor(minute / HOUR), 0.05);
    return byHour * (BY_WEEKDAY[wall.getDay()] ?? 1) * ofDay * ofHour;
  }

  function expected({ full, least, type }: Stream, minute: number, lively: number): number {
    const usual = ((least + (full - least) * share) / (DAYS * 1440)) * lively;
    if (type === 'payment_failed' && isIn(story.payments, minute)) return usual + 0.25;
    if (type === 'crash' && isIn(story.crashes, minute)) return usual + 0.25;
    return usual;
  }

  function visitor(at: number): Visitor {
    const place = chance.whole(0, PRESENT - 1);
    if (visitors[place] === undefined || chance.is(0.07)) visitors[place] = newVisitor(chance, at);
    // The new banner says no for everybody, which is why the tag for purchases waits.
    if (isIn(story.stopped, at)) visitors[place].ads = false;
    return visitors[place];
  }

  function byPixel(at: number, type: string, who: Visitor, more: object): ShopEvent {
    return {
      ...{ at, source: 'gtm', type, data: { ...payloads.onSite(who), ...more } },
      context: {
        source_id: CONTAINER,
        timestamp: at - chance.whole(40, 900),
        metadata: {
          container_version: story.versionAt(at),
          environment: 'live',
          page_url: `${SITE}${who.page.path}`,
        },
      },
    };
  }

  function order(source: string, at: number, who: Visitor): ShopEvent[] {
    const made = payloads.order(who);
    const told: ShopEvent = {
      ...{ at: at + chance.whole(700, 4_000), source: 'backend', type: 'purchase' },
      data: payloads.paid(made),
    };
    if (source === 'backend') return [told];
    if (source === 'app') {
      const data = { ...payloads.inApp(who), ecommerce: made.ecommerce };
      return [{ at, source, type: 'purchase', data }, told];
    }
    if (isIn(story.stopped, at)) return [told];
    payloads.thankYou(who);
    const { transaction_id: id, ...rest } = made.ecommerce;
    const ecommerce = isIn(story.lostIds, at) ? rest : { transaction_id: id, ...rest };
    return [byPixel(at, 'purchase', who, { ecommerce, payment_type: made.payment }), told];
  }

  function onSite(type: string, at: number, who: Visitor): ShopEvent[] {
    switch (type) {
      case 'page_view':
        payloads.openPage(who);
        return [byPixel(at, type, who, {})];
      case 'view_item_list':
        return [byPixel(at, type, who, payloads.list(who))];
      case 'view_item':
        payloads.productPage(who, who.looksAt);
        return [byPixel(at, type, who, payloads.item(who))];
      case 'search':
        return [byPixel(at, type, who, payloads.search())];
      case 'add_to_cart': {
        payloads.productPage(who, who.looksAt);
        const { items, ...ecommerce } = payloads.item(who).ecommerce;
        const isBare = isIn(story.bareCarts, at) && chance.is(0.4);
        const more = { ecommerce: isBare ? ecommerce : { ...ecommerce, items } };
        const once = byPixel(at, type, who, more);
        if (!isIn(story.doubled, at)) return [once];
        return [once, { ...once, at: at + chance.whole(2, 30) }];
      }
      case 'begin_checkout':
        payloads.checkout(who);
        return [byPixel(at, type, who, { ecommerce: payloads.basket(who) })];
      case 'sign_up':
        return [byPixel(at, type, who, { method: chance.pick(['email', 'email', 'google']) })];
      default:
        return [byPixel(at, type, who, { banner: at < story.stopped.from ? '4.1.3' : '4.2.0' })];
    }
  }

  function elsewhere(source: string, type: string, who: Visitor): object {
    switch (`${source} ${type}`) {
      case 'app screen_view':
        return { ...payloads.inApp(who), screen: chance.pick(SCREENS) };
      case 'app view_item':
      case 'app add_to_cart':
        return { ...payloads.inApp(who), ...payloads.item(who) };
      case 'app crash':
        return { ...payloads.inApp(who), reason: chance.pick(CRASHES), screen: 'checkout' };
      case 'backend payment_failed':
        return payloads.refused(who);
      case 'backend refund':
        return payloads.refund();
      case 'backend order_shipped':
        return payloads.shipped();
      case 'backend stock_changed':
        return payloads.stock();
      case 'backend login':
        return { customer_id: `C-${chance.whole(20_000, 98_000)}`, method: 'password' };
      case 'newsletter subscribe':
        return { list: 'outdoor-weekly', country: who.country, double_opt_in: true };
      default:
        return { campaign: 'autumn-layers', list: 'outdoor-weekly', country: who.country };
    }
  }

  function happened({ source, type }: Stream, at: number): ShopEvent[] {
    const who = visitor(at);
    if (type === 'purchase') return order(source, at, who);
    if (source === 'gtm') return onSite(type, at, who);
    return [{ at, source, type, data: elsewhere(source, type, who) }];
  }

  return {
    /** Somebody looks at a page. */
    visit(at: number): ShopEvent {
      const who = visitor(at);
      payloads.openPage(who);
      return byPixel(at, 'page_view', who, {});
    },

    /** What arrives from a moment on for a minute, in order of time. */
    minute(from: number): ShopEvent[] {
      const lively = mood(from);
      const arrived: ShopEvent[] = [];
      for (const state of states) {
        state.debt += expected(state, from, lively);
        for (; state.debt >= state.next; state.next = chance.between(0.5, 1.5)) {
          state.debt -= state.next;
          arrived.push(...happened(state, from + chance.whole(0, MINUTE - 1)));
        }
      }
      return arrived
        .filter(({ at }) => !story.gaps.some((gap) => isIn(gap, at)))
        .sort((a, b) => a.at - b.at);
    },
  };
}

export type Shop = ReturnType<typeof createShop>;

/** How much of what can be left out there is to be, so that the sum comes near to `events`. */
function shareOf(events: number): number {
  const sum = (key: 'full' | 'least') => STREAMS.reduce((all, one) => all + one[key], TOLD_TWICE);
  return Math.max(0, (events - sum('least')) / (sum('full') - sum('least')));
}

function stream(source: string, type: string, kind: Kind, full: number, least: number): Stream {
  return { source, type, kind, full, least };
}

const SCREENS = ['home', 'search', 'product', 'wishlist', 'cart', 'orders', 'store_finder'];
const CRASHES = ['NullPointerException', 'OutOfMemoryError', 'SIGABRT', 'WatchdogTermination'];
