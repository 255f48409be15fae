import { define } from './language/members.ts';

/** How the tag manager names the kinds of values that its sandbox knows. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is undefined counts as not there: public tests compare such objects with `isEqualTo`. */
const definedKeys = (object: Record<string, unknown>) =>
  Object.keys(object).filter((key) => object[key] !== undefined);

/** Equal by content; functions are equal only to themselves. */
export function isEqual(a: unknown, b: unknown, met = new Map<unknown, Set<unknown>>()): boolean {
  if (Object.is(a, b) || a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  // A pair met before is equal or being compared, which makes a circle equal to one of the same
  // shape: had it turned out to differ, nothing more would be compared.
  const partners = met.get(a) ?? new Set();
  if (partners.has(b)) return true;
  met.set(a, partners.add(b));
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((value, i) => isEqual(value, b[i], met));
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = definedKeys(left);
  return (
    keys.length === definedKeys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key], right[key], met))
  );
}

const LONGEST = 300;

/** Piece by piece, as the whole may be longer than any memory. */
function* pieces(value: unknown, open: unknown[] = []): Generator<string> {
  if (typeof value === 'string') yield JSON.stringify(value);
  else if (typeof value === 'function') yield 'a function';
  else if (typeof value !== 'object' || value === null) yield String(value);
  else if (open.includes(value)) yield '(circular)';
  else {
    const inside = [...open, value];
    const list = Array.isArray(value);
    let before = list ? '[' : '{';
    for (const key of list ? value.keys() : Object.keys(value)) {
      yield list ? before : `${before}${JSON.stringify(key)}: `;
      before = ', ';
      yield* pieces((value as Record<string, unknown>)[key], inside);
    }
    yield `${before === ', ' ? '' : before}${list ? ']' : '}'}`;
  }
}

/** The value as short text for a message. */
export function show(value: unknown): string {
  let text = '';
  for (const piece of pieces(value)) {
    text += piece;
    if (text.length > LONGEST) return `${text.slice(0, LONGEST)}…`;
  }
  return text;
}

/**
 * A copy of what may cross between the page and the sandbox: plain values, arrays, objects and
 * functions. Anything else becomes undefined.
 */
export function copied(value: unknown, done = new Map<unknown, unknown>()): unknown {
  if (typeof value === 'symbol' || typeof value === 'bigint') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (done.has(value)) return done.get(value);
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    done.set(value, list);
    for (const item of value) list.push(copied(item, done));
    return list;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return undefined;
  const object: Record<string, unknown> = {};
  done.set(value, object);
  for (const [key, item] of Object.entries(value)) define(object, key, copied(item, done));
  return object;
}
