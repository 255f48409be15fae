/**
 * Traffic of a believable shop as ready-made requests, the same in every run. The headers are
 * those that a browser, or a server's HTTP client, would send.
 */
const TYPES = [
  ...Array<string>(9).fill('page_view'),
  ...Array<string>(4).fill('view_item'),
  'add_to_cart',
  'add_to_cart',
  'begin_checkout',
  'purchase',
  'search',
  'sign_up',
  'error',
];
const PRODUCTS = [
  ['SKU-1042', 'Field notebook, dotted', 12.5],
  ['SKU-2210', 'Enamel mug "Harbour"', 18],
  ['SKU-3371', 'Wool scarf, moss green', 49.9],
  ['SKU-4005', 'Desk lamp Größe M', 89],
  ['SKU-5128', 'Walking boots 42', 129.95],
] as const;
const PAGES = ['/', '/c/kitchen', '/c/outdoor', '/p/enamel-mug-harbour', '/basket', '/checkout'];

/** How many different requests each kind has: enough that no cache in a CPU learns them. */
const VARIETY = 400;

export function pixelRequests(keys: readonly string[]): Buffer[] {
  const random = numbers(1);
  return times(VARIETY, (index) => {
    const payload = {
      source: 'gtm',
      source_id: 'GTM-K7VQ2XN',
      events: [
        {
          type: pick(TYPES, random),
          timestamp: 1_790_000_000_000 + index * 137,
          data: basket(random),
          metadata: {
            container_version: '41',
            environment: 'live',
            page_url: `https://shop.example${pick(PAGES, random)}`,
          },
        },
      ],
    };
    const key = keyFor(index, keys);
    return Buffer.from(
      [
        `GET /api/v1/events/collect?k=${key}&d=${encodeURIComponent(JSON.stringify(payload))} HTTP/1.1`,
        'Host: 127.0.0.1:8737',
        'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
        'Accept: image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5',
        'Accept-Language: en-GB,en;q=0.7,de;q=0.3',
        'Accept-Encoding: gzip, deflate, br, zstd',
        'Connection: keep-alive',
        'Referer: https://shop.example/',
        'Sec-Fetch-Dest: image',
        'Sec-Fetch-Mode: no-cors',
        'Sec-Fetch-Site: cross-site',
        '\r\n',
      ].join('\r\n'),
    );
  });
}

export const BATCH = 100;

export function batchRequests(keys: readonly string[]): Buffer[] {
  const random = numbers(2);
  return times(VARIETY, (index) => {
    const events = times(BATCH, () => ({
      source: pick(['backend', 'backend', 'website', 'app'], random),
      event_type: pick(TYPES, random),
      data: basket(random),
    }));
    const body = Buffer.from(JSON.stringify(events));
    const head = [
      'POST /api/v1/events HTTP/1.1',
      'Host: 127.0.0.1:8737',
      `X-API-Key: ${keyFor(index, keys)}`,
      'Content-Type: application/json',
      'User-Agent: shop-backend/3.2',
      'Accept: */*',
      'Connection: keep-alive',
      `Content-Length: ${body.length}`,
      '\r\n',
    ];
    return Buffer.concat([Buffer.from(head.join('\r\n')), body]);
  });
}

export function getRequest(path: string, key: string): Buffer {
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:8737\r\nX-API-Key: ${key}\r\nConnection: keep-alive\r\n\r\n`,
  );
}

export function postRequest(path: string, key: string, body: object): Buffer {
  const text = JSON.stringify(body);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:8737\r\nX-API-Key: ${key}\r\nConnection: keep-alive\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

function basket(random: () => number) {
  const [item_id, item_name, price] = pick(PRODUCTS, random);
  const quantity = 1 + Math.floor(random() * 3);
  return {
    client_id: `${Math.floor(random() * 1e10)}.${1_780_000_000 + Math.floor(random() * 1e7)}`,
    page: pick(PAGES, random),
    currency: 'EUR',
    value: Math.round(price * quantity * 100) / 100,
    items: [{ item_id, item_name, price, quantity }],
    consent: random() < 0.8,
    coupon: null,
  };
}

/** The limiter counts by key and cannot be set above a million a minute, so several take turns. */
const keyFor = (index: number, keys: readonly string[]) => keys[index % keys.length] as string;

const pick = <T>(from: readonly T[], random: () => number): T =>
  from[Math.floor(random() * from.length)] as T;

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Numbers in 0…1 that are the same in every run (a linear congruential generator). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
