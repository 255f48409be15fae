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
export function isEqual(a: unknown, b: unknown, open: [unknown, unknown][] = []): boolean {
  if (Object.is(a, b) || a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  // A circle is equal to one of the same shape: what is being compared already counts as equal.
  if (open.some(([x, y]) => x === a && y === b)) return true;
  const inside: [unknown, unknown][] = [...open, [a, b]];
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((value, i) => isEqual(value, b[i], inside));
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = definedKeys(left);
  return (
    keys.length === definedKeys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key], right[key], inside))
  );
}

const LONGEST = 300;

function written(value: unknown, open: unknown[]): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'function':
      return 'a function';
    case 'object':
      break;
    default:
      return String(value);
  }
  if (value === null) return 'null';
  if (open.includes(value)) return '(circular)';
  const inside = [...open, value];
  if (Array.isArray(value)) return `[${value.map((item) => written(item, inside)).join(', ')}]`;
  const fields = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${written(item, inside)}`,
  );
  return `{${fields.join(', ')}}`;
}

/** The value as short text for a message. */
export function show(value: unknown): string {
  const text = written(value, []);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
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
