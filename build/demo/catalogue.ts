/** What the shop sells, to whom, and what its pages are called. */
export interface Product {
  id: string;
  name: string;
  brand: string;
  category: string;
  /** The page of the category. */
  folder: string;
  slug: string;
  price: number;
  variants: readonly string[];
}

const CATEGORIES: Record<string, string> = {
  Tents: 'tents',
  Backpacks: 'backpacks',
  'Sleeping bags': 'sleeping-bags',
  'Rain jackets': 'rain-jackets',
  Fleece: 'fleece',
  Boots: 'boots',
  Cooking: 'cooking',
  Lights: 'lights',
};

const SIZES = ['S', 'M', 'L', 'XL'];
const BOOTS = ['39', '40', '41', '42', '43', '44'];

export const PRODUCTS: readonly Product[] = [
  product('10241', 'Fjellheim 2 tent', 'Nordlicht', 'Tents', 329, ['Moss', 'Sand']),
  product('10244', 'Fjellheim 3 tent', 'Nordlicht', 'Tents', 419, ['Moss', 'Sand']),
  product('10310', 'Tarp Skagen 3 × 4 m', 'Nordlicht', 'Tents', 89.95, ['Olive']),
  product('11007', 'Rondane 65 backpack', 'Bergfalk', 'Backpacks', 219.95, ['Black', 'Rust']),
  product('11012', 'Rondane 38 backpack', 'Bergfalk', 'Backpacks', 149.95, ['Black', 'Fjord']),
  product('11050', 'City roll-top 22', 'Nordlicht', 'Backpacks', 79.9, ['Graphite', 'Ochre']),
  product('12102', 'Polaris −9 °C down bag', 'Eiderlund', 'Sleeping bags', 299, ['Left', 'Right']),
  product('12115', 'Sommerby +6 °C bag', 'Eiderlund', 'Sleeping bags', 119.95, ['Regular', 'Long']),
  product('13020', 'Storm shell jacket, men', 'Nordlicht', 'Rain jackets', 249.95, SIZES),
  product('13021', 'Storm shell jacket, women', 'Nordlicht', 'Rain jackets', 249.95, SIZES),
  product('13044', 'Drizzle packable jacket', 'Havgard', 'Rain jackets', 99.95, SIZES),
  product('14005', 'Lofoten fleece', 'Nordlicht', 'Fleece', 89.95, SIZES),
  product('14018', 'Merino base layer 200', 'Ullmark', 'Fleece', 74.95, SIZES),
  product('15210', 'Trollstein GTX boot', 'Bergfalk', 'Boots', 239.95, BOOTS),
  product('15233', 'Approach shoe Kiesel', 'Bergfalk', 'Boots', 139.95, BOOTS),
  product('16001', 'Ember gas stove', 'Kvist', 'Cooking', 54.95, ['Steel']),
  product('16008', 'Titanium pot 0.9 l', 'Kvist', 'Cooking', 49.9, ['0.9 l']),
  product('16031', 'Enamel mug Harbour', 'Nordlicht', 'Cooking', 14.95, ['Blue', 'White']),
  product('17003', 'Headlamp Lumen 400', 'Havgard', 'Lights', 44.95, ['Grey', 'Orange']),
  product('17009', 'Camp lantern Tindra', 'Havgard', 'Lights', 34.95, ['Sand']),
];

export const FOLDERS = Object.values(CATEGORIES);
export const SEARCHES = ['gore tex', 'tent 2 person', 'merino', 'wool socks', 'gas stove', 'sale'];
export const COUPONS = ['HERBST10', 'WELCOME5', 'CLUB15'];
export const DOMAIN = 'nordlicht-outdoor.example';
export const SITE = `https://www.${DOMAIN}`;
export const CONTAINER = 'GTM-NR7D4QX';

/** Share of visitors, country, language of its pages, currency, and what a euro is there. */
export const COUNTRIES = [
  [42, 'DE', 'de', 'EUR', 1],
  [12, 'AT', 'de', 'EUR', 1],
  [11, 'CH', 'de', 'CHF', 0.95],
  [8, 'NL', 'en', 'EUR', 1],
  [7, 'GB', 'en', 'GBP', 0.86],
  [6, 'FR', 'fr', 'EUR', 1],
  [5, 'US', 'en', 'USD', 1.1],
  [4, 'BE', 'fr', 'EUR', 1],
  [3, 'FI', 'en', 'EUR', 1],
  [2, 'IT', 'en', 'EUR', 1],
] as const;

export const DEVICES = [
  [34, 'mobile', 'iOS', 'Safari'],
  [24, 'mobile', 'Android', 'Chrome'],
  [19, 'desktop', 'Windows', 'Chrome'],
  [9, 'desktop', 'macOS', 'Safari'],
  [7, 'desktop', 'Windows', 'Firefox'],
  [4, 'desktop', 'Windows', 'Edge'],
  [3, 'tablet', 'iPadOS', 'Safari'],
] as const;

export const PAYMENTS = [
  [38, 'paypal'],
  [30, 'card'],
  [20, 'klarna'],
  [8, 'apple_pay'],
  [4, 'prepayment'],
] as const;

export const FAILURES = [
  [5, 'card_declined', 'card'],
  [3, '3ds_timeout', 'card'],
  [2, 'insufficient_funds', 'card'],
  [2, 'cancelled_by_user', 'paypal'],
] as const;

export const REFUND_REASONS = ['wrong_size', 'damaged', 'changed_mind', 'late_delivery'];

function product(
  number: string,
  name: string,
  brand: string,
  category: string,
  price: number,
  variants: readonly string[],
): Product {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const folder = CATEGORIES[category] ?? '';
  return { id: `NL-${number}`, name, brand, category, folder, slug, price, variants };
}
