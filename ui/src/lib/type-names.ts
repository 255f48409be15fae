/** What the names of event types tell, which strangers chose. */

const VITAL = new RegExp(
  '^((new|complete|completed|generate|submit)[ ._-]?)?' +
    '(purchase|order|payment|transaction|conversion|sale|subscribe|subscription|sign[ ._-]?up|' +
    'registration|lead|booking|donation)' +
    '([ ._-]?(complete|completed|placed|created|paid|success|successful|succeeded|confirmed))?$',
  'i',
);

/** Whether a business lives on it, by the words that shops and sites use. */
export const isVital = (type: string): boolean => VITAL.test(type);

/** purchase: Purchases; page_view: Page views; add_to_cart: Add to cart; what is odd stays as it is. */
export function titled(type: string): string {
  const name = [...type.trim()].slice(0, 120).join('');
  if (!/^[a-z][a-z0-9]*([_-][a-z0-9]+)*$/.test(name)) return name || 'Events without a name';
  const words = name.replaceAll(/[_-]/g, ' ');
  const isThing = /(purchase|order|view|payment|sale|click|event|lead|session|booking)$/.test(
    words,
  );
  return words.charAt(0).toUpperCase() + words.slice(1) + (isThing ? 's' : '');
}
