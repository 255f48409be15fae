import { describe, expect, it } from 'vitest';
import { browser } from '../helpers/browser.ts';
import { openShop, openShopPage, outcomes, startContainer } from '../helpers/tag-manager-page.ts';
import { freshTenant } from '../helpers/tenant.ts';
import type { TestTenant } from '../helpers/tenant.ts';

interface Listed {
  event_type: string;
  data: Record<string, unknown>;
  context: { source_id: string; timestamp: number; metadata: Record<string, unknown> };
}

const TENT = { item_id: 'tent-2', item_name: 'Tent for two', price: 249, quantity: 1 };
const STOVE = { item_id: 'stove', item_name: 'Gas stove', price: 39.5, quantity: 2 };

/** A shop's page with a tenant's own template in it, and what the page did wrong. */
async function openedShop() {
  const tenant = await freshTenant();
  const file = (await tenant.get('/tag-manager/template.tpl')).body;
  const [, code = ''] = /^___SANDBOXED_JS_FOR_WEB_TEMPLATE___$(.*?)^___/ms.exec(file) ?? [];
  const apiKey = await keyOf(tenant);
  const shop = await openShop();
  const context = await (await browser()).newContext();
  const page = await context.newPage();
  const faults: string[] = [];
  const lines: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
    else lines.push(message.text());
  });
  await openShopPage(page, `${shop}/tents?from=search#top`);
  return {
    ...{ page, shop, faults, lines },
    start: (fields: object) =>
      startContainer(page, {
        code,
        fields: { apiKey, triggerMode: 'all', captureItems: true, ...fields },
      }),
    /** What has arrived, the first first. */
    arrived: async () => (await tenant.get('/events?source=gtm')).json<Listed[]>().reverse(),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

async function keyOf({ call, owner }: TestTenant): Promise<string> {
  const { key } = (await call('POST', '/tag-manager/template')).json<{ key: { id: string } }>();
  return (await owner.ask('GET', `/keys/${key.id}/secret`)).json<{ secret: string }>().secret;
}

describe('the template in a shop’s page', () => {
  it('sends what the shop pushes, in order and with what belongs to it', async () => {
    await using shop = await openedShop();
    const before = Date.now();
    await shop.page.evaluate(() => {
      window.dataLayer.push({ event: 'gtm.js' }, { event: 'page_view', page_type: 'category' });
    });
    await shop.start({});
    const steps = [
      { event: 'view_item', ecommerce: { currency: 'EUR', value: 249, items: [TENT] } },
      { event: 'add_to_cart', ecommerce: { currency: 'EUR', value: 328, items: [TENT, STOVE] } },
      { event: 'begin_checkout', ecommerce: { currency: 'EUR', value: 249, items: [TENT] } },
      {
        event: 'purchase',
        ecommerce: { transaction_id: 'A-1001', currency: 'EUR', value: 249, items: [TENT] },
      },
    ];
    for (const step of steps) {
      await shop.page.evaluate((entry) => window.dataLayer.push(entry), step);
      // Two images that are on their way at once may arrive in either order.
      await outcomes(shop.page);
    }
    const ended = await outcomes(shop.page);
    expect(ended.map(({ outcome }) => outcome)).toEqual(Array(6).fill('success'));

    const arrived = await shop.arrived();
    expect(arrived.slice(2)).toMatchObject(
      steps.map(({ event, ecommerce }) => ({ event_type: event, data: { ecommerce } })),
    );
    expect(arrived.slice(0, 2).map(({ event_type, data }) => [event_type, data])).toEqual(
      expect.arrayContaining([
        ['gtm.js', {}],
        ['page_view', {}],
      ]),
    );
    for (const { data, context } of arrived) {
      expect(Object.keys(data)).not.toContain('dataLayer');
      expect(context).toEqual({
        source_id: 'GTM-SHOP1',
        timestamp: expect.any(Number) as number,
        metadata: {
          container_version: '7',
          environment: 'Live',
          page_url: `${shop.shop}/tents?from=search#top`,
        },
      });
      expect(context.timestamp).toBeGreaterThanOrEqual(before);
      expect(context.timestamp).toBeLessThanOrEqual(Date.now());
    }
    expect(shop.faults).toEqual([]);
    expect(shop.lines).toEqual([]);
  });

  it('sends what it can of a data layer full of what cannot be sent', async () => {
    await using shop = await openedShop();
    await shop.start({ captureDataLayer: true, debugLogging: true });
    await shop.page.evaluate(
      (items) => {
        const circle: Record<string, unknown> = { name: 'circle' };
        circle['itself'] = circle;
        const act = () => undefined;
        const { body } = document;
        window.dataLayer.push({ act, body, circle, nothing: null, list: [undefined, act, body] });
        window.dataLayer.push({
          event: 'add_to_cart',
          ecommerce: { value: 12, items, act, body, circle, when: new Date(0), not: NaN },
        });
        window.dataLayer.push({ junk: 'ü"\u{1F600}'.repeat(400_000) });
        window.dataLayer.push({ event: 'purchase', ecommerce: { value: 13, items } });
        window.dataLayer.push({ event: null }, { event: {} }, { event: body }, { event: '' });
      },
      [STOVE],
    );
    const ended = await outcomes(shop.page);
    expect(ended.map(({ outcome }) => outcome)).toEqual(Array(6).fill('success'));

    const arrived = await shop.arrived();
    expect(arrived.map(({ event_type }) => event_type).sort()).toEqual(['add_to_cart', 'purchase']);
    const of = (type: string) => arrived.find(({ event_type }) => event_type === type);
    const kept = { value: 12, items: [STOVE], circle: { name: 'circle' }, not: null };
    expect(of('add_to_cart')?.data).toEqual({
      ecommerce: kept,
      dataLayer: [
        { circle: { name: 'circle' }, nothing: null, list: [null, null, null] },
        { event: 'add_to_cart', ecommerce: kept, 'gtm.uniqueEventId': 1 },
      ],
    });
    expect(of('add_to_cart')?.context.metadata['omitted']).toEqual([
      'ecommerce.circle.itself',
      'dataLayer[].circle.itself',
      'dataLayer[].ecommerce.circle.itself',
    ]);
    expect(of('purchase')?.data).toEqual({ ecommerce: { value: 13, items: [STOVE] } });
    expect(of('purchase')?.context.metadata['omitted']).toEqual(['dataLayer']);
    expect(shop.faults).toEqual([]);
    expect(shop.lines).toContain('[Vedette] dataLayer is left out: it is too long');
    expect(shop.lines.filter((line) => !line.startsWith('[Vedette] '))).toEqual([]);
  });

  it('sends what gtag() pushes with its own fields, and what was pushed in two steps', async () => {
    await using shop = await openedShop();
    await shop.start({});
    await shop.page.evaluate(() => {
      const { dataLayer } = window;
      const gtag = function () {
        // eslint-disable-next-line prefer-rest-params
        dataLayer.push(arguments as never);
      } as (...words: unknown[]) => void;
      dataLayer.push({ event: 'view_item', ecommerce: { value: 1 } });
      gtag('consent', 'update', {});
      gtag('event', 'purchase', { value: 2 });
      gtag('event', 'refund');
      dataLayer.push({ ecommerce: { value: 3 } });
      dataLayer.push({ event: 'add_to_cart' });
    });
    await outcomes(shop.page);
    const values = (await shop.arrived()).map(({ event_type, data }) => [event_type, data]);
    expect(Object.fromEntries(values)).toEqual({
      view_item: { ecommerce: { value: 1 } },
      purchase: { ecommerce: { value: 2 } },
      refund: { ecommerce: { value: 1 } },
      add_to_cart: { ecommerce: { value: 3 } },
    });
    expect(shop.faults).toEqual([]);
  });

  it('says that it failed when the key is not taken', async () => {
    await using shop = await openedShop();
    await shop.start({ apiKey: 'vdt_revoked', debugLogging: true });
    await shop.page.evaluate(() => window.dataLayer.push({ event: 'purchase' }));
    expect(await outcomes(shop.page)).toEqual([{ event: 'purchase', outcome: 'failure' }]);
    expect(shop.lines).toEqual([
      '[Vedette] purchase could not be sent: Vedette cannot be reached, or has refused it',
    ]);
    expect(await shop.arrived()).toEqual([]);
  });

  it('sends an event with as many items as fit, and without them when there are more', async () => {
    await using shop = await openedShop();
    await shop.start({});
    for (const many of [20, 400]) {
      const items = Array.from({ length: many }, () => STOVE);
      await shop.page.evaluate(
        (ecommerce) => window.dataLayer.push({ event: 'view_item_list', ecommerce }),
        { item_list_name: 'All', items },
      );
      await outcomes(shop.page);
    }
    const [few, more] = await shop.arrived();
    expect(few?.data['ecommerce']).toMatchObject({ items: Array(20).fill(STOVE) });
    expect(few?.context.metadata).not.toHaveProperty('omitted');
    expect(more?.data).toEqual({ ecommerce: { item_list_name: 'All' } });
    expect(more?.context.metadata['omitted']).toEqual(['ecommerce.items']);
    expect(shop.faults).toEqual([]);
  });
});
