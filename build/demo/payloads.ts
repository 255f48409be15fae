import {
  COUNTRIES,
  COUPONS,
  DEVICES,
  FAILURES,
  FOLDERS,
  PAYMENTS,
  PRODUCTS,
  REFUND_REASONS,
  SEARCHES,
} from './catalogue.ts';
import type { Product } from './catalogue.ts';
import type { Chance } from './chance.ts';

export interface Visitor {
  clientId: string;
  sessionId: number;
  country: string;
  language: string;
  currency: string;
  rate: number;
  device: { category: string; os: string; browser: string };
  ads: boolean;
  looksAt: Product;
  page: { path: string; title: string; type: string };
}

export interface Order {
  id: string;
  ecommerce: Record<string, unknown>;
  value: number;
  currency: string;
  country: string;
  payment: string;
}

export function newVisitor(chance: Chance, at: number): Visitor {
  const [, country, language, currency, rate] = chance.weighted(COUNTRIES);
  const [, category, os, browser] = chance.weighted(DEVICES);
  const since = Math.floor(at / 1000) - chance.whole(0, 4_000_000);
  return {
    clientId: `${chance.whole(100_000_000, 2_147_483_647)}.${since}`,
    sessionId: Math.floor(at / 1000),
    ...{ country, language, currency, rate, device: { category, os, browser } },
    ads: chance.is(0.62),
    looksAt: anyProduct(chance),
    page: { path: `/${language}/`, title: 'Nordlicht Outdoor', type: 'home' },
  };
}

export function createPayloads(chance: Chance, firstOrder: number) {
  let orderNumber = firstOrder;
  const recent: Order[] = [];

  const price = (euros: number, { rate }: Visitor) => cents(Math.ceil(euros * rate * 20) / 20);

  function item(product: Product, visitor: Visitor, quantity: number) {
    return {
      ...{ item_id: product.id, item_name: product.name, item_brand: product.brand },
      ...{ item_category: product.category, item_variant: chance.pick(product.variants) },
      ...{ price: price(product.price, visitor), quantity },
    };
  }

  const valueOf = (items: readonly { price: number; quantity: number }[]) =>
    cents(items.reduce((sum, one) => sum + one.price * one.quantity, 0));

  function openPage(visitor: Visitor): void {
    const { language, looksAt } = visitor;
    const kind = chance.fraction();
    if (kind < 0.2) {
      visitor.page = { path: `/${language}/`, title: 'Nordlicht Outdoor', type: 'home' };
    } else if (kind < 0.5) {
      const folder = chance.pick(FOLDERS);
      visitor.page = { path: `/${language}/c/${folder}`, title: titled(folder), type: 'category' };
    } else if (kind < 0.9) productPage(visitor, chance.is(0.5) ? looksAt : anyProduct(chance));
    else visitor.page = { path: `/${language}/cart`, title: 'Your cart', type: 'cart' };
  }

  function productPage(visitor: Visitor, product: Product): void {
    visitor.looksAt = product;
    const path = `/${visitor.language}/p/${product.slug}`;
    visitor.page = { path, title: product.name, type: 'product' };
  }

  const onSite = (visitor: Visitor) => ({
    page: { ...visitor.page, language: visitor.language },
    user: { client_id: visitor.clientId, session_id: visitor.sessionId },
    country: visitor.country,
    device: visitor.device,
    consent: { analytics_storage: 'granted', ad_storage: visitor.ads ? 'granted' : 'denied' },
  });

  const inApp = ({ clientId, country, device }: Visitor) => ({
    app: { version: '5.14.2', platform: device.os === 'Android' ? 'android' : 'ios' },
    user: { install_id: clientId },
    country,
  });

  function shown(visitor: Visitor, many: boolean) {
    const chosen = many
      ? PRODUCTS.filter(({ folder }) => folder === visitor.looksAt.folder)
      : [visitor.looksAt];
    const items = chosen.slice(0, 4).map((one) => item(one, visitor, 1));
    const list = many ? { item_list_name: visitor.looksAt.category } : { value: valueOf(items) };
    return { ecommerce: { currency: visitor.currency, ...list, items } };
  }

  function basket(visitor: Visitor) {
    const more = Array.from({ length: chance.weighted(BASKETS)[1] }, () => anyProduct(chance));
    const chosen = [...new Set([visitor.looksAt, ...more])];
    const items = chosen.map((one) =>
      item(one, visitor, one.price < 60 && chance.is(0.3) ? chance.whole(2, 4) : 1),
    );
    return { currency: visitor.currency, value: valueOf(items), items };
  }

  return {
    openPage,
    productPage,
    onSite,
    inApp,
    list: (visitor: Visitor) => shown(visitor, true),
    item: (visitor: Visitor) => shown(visitor, false),
    basket,
    search: () => ({ search_term: chance.pick(SEARCHES), results: chance.whole(0, 48) }),

    order(visitor: Visitor): Order {
      orderNumber += chance.whole(1, 3);
      const { items, value: goods, currency } = basket(visitor);
      const coupon = chance.is(0.12) ? chance.pick(COUPONS) : undefined;
      const shipping = goods > 100 ? 0 : price(4.95, visitor);
      const value = cents(goods * (coupon ? 0.9 : 1) + shipping);
      const order = {
        id: `NO-${orderNumber}`,
        ecommerce: {
          ...{ transaction_id: `NO-${orderNumber}`, value, tax: cents(value * 0.1597), shipping },
          ...{ currency, ...(coupon && { coupon }), items },
        },
        ...{ value, currency, country: visitor.country, payment: chance.weighted(PAYMENTS)[1] },
      };
      recent.push(order);
      if (recent.length > 400) recent.shift();
      return order;
    },

    thankYou(visitor: Visitor): void {
      const { language } = visitor;
      visitor.page = { path: `/${language}/checkout/thank-you`, title: 'Thank you', type: 'order' };
    },

    checkout(visitor: Visitor): void {
      const { language } = visitor;
      visitor.page = { path: `/${language}/checkout`, title: 'Checkout', type: 'checkout' };
    },

    paid: ({ ecommerce, payment, country }: Order) => ({
      ecommerce,
      payment: { method: payment, provider: payment === 'card' ? 'adyen' : payment },
      country,
      customer: { id: `C-${chance.whole(20_000, 98_000)}`, returning: chance.is(0.41) },
    }),

    refused(visitor: Visitor) {
      const [, reason, method] = chance.weighted(FAILURES);
      const amount = price(chance.whole(30, 420) + 0.95, visitor);
      const retry = chance.whole(1, 2);
      return { reason, method, amount, currency: visitor.currency, attempt: retry };
    },

    refund() {
      const { id, value, currency } = recent[chance.whole(0, recent.length - 1)] ?? NO_ORDER;
      const share = chance.is(0.7) ? 1 : 0.5;
      return {
        ...{ transaction_id: id, value: cents(value * share), currency },
        ...{ reason: chance.pick(REFUND_REASONS), partial: share < 1 },
      };
    },

    shipped: () => ({
      transaction_id: (recent[chance.whole(0, recent.length - 1)] ?? NO_ORDER).id,
      carrier: chance.pick(['DHL', 'DHL', 'DPD', 'Post CH']),
      warehouse: chance.pick(['HH-1', 'HH-1', 'LEJ-2']),
    }),

    stock() {
      const { id, variants } = chance.pick(PRODUCTS);
      const change = chance.is(0.9) ? -chance.whole(1, 3) : chance.whole(10, 60);
      return { item_id: id, variant: chance.pick(variants), change, left: chance.whole(0, 240) };
    },
  };
}

export type Payloads = ReturnType<typeof createPayloads>;

/** What costs less is looked at more. */
const anyProduct = (chance: Chance) => chance.weighted(POPULAR)[1];
const POPULAR = PRODUCTS.map((product) => [1 / (60 + product.price), product] as const);

/** How many products stand beside the first one. */
const BASKETS = [
  [6, 0],
  [3, 1],
  [1, 2],
  [0.5, 3],
] as const;

const NO_ORDER = { id: 'NO-480000', value: 89.95, currency: 'EUR' };

const cents = (amount: number) => Math.round(amount * 100) / 100;

const titled = (folder: string) =>
  folder.charAt(0).toUpperCase() + folder.slice(1).replaceAll('-', ' ');
