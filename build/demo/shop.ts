import { CONTAINER, SITE } from './catalogue.ts';
import { createChance } from './chance.ts';
import { createPayloads, newVisitor } from './payloads.ts';
import type { Visitor } from './payloads.ts';
import { DAYS, isIn, MINUTE } from './story.ts';
import type { Story } from './story.ts';
import { mood, shareOf, STREAMS } from './streams.ts';
import type { Stream } from './streams.ts';

export interface ShopEvent {
  at: number;
  source: string;
  type: string;
  data: object;
  /** Of what came by pixel. */
  context?: { source_id: string; timestamp: number; metadata: Record<string, string> };
}

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
      const lively = mood(seed, from);
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

const SCREENS = ['home', 'search', 'product', 'wishlist', 'cart', 'orders', 'store_finder'];
const CRASHES = ['NullPointerException', 'OutOfMemoryError', 'SIGABRT', 'WatchdogTermination'];
