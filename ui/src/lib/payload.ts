/** Reading payloads, whose names and values were written by strangers. */

export function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isLarge(value);
}

/** What browsers have learned lately, and the types do not say yet. */
const json = JSON as {
  rawJSON?: (text: string) => object;
  isRawJSON?: (value: unknown) => boolean;
  parse: (
    text: string,
    revive?: (key: string, value: unknown, context?: { source?: string }) => unknown,
  ) => unknown;
};

/** A number that would be rounded, kept as it was sent; JSON.stringify writes it like that. */
export const isLarge = (value: unknown): boolean => json.isRawJSON?.(value) ?? false;

const isRounded = (value: unknown): boolean =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;

/** Reads JSON without rounding numbers beyond 2^53, where the browser can. */
export function parseExactly(text: string): unknown {
  const { rawJSON } = json;
  // Looking at each value takes long, and few payloads have such numbers.
  if (!rawJSON || !/\d{16}|\d[eE]/.test(text)) return JSON.parse(text);
  return json.parse(text, (_key, value, context) =>
    isRounded(value) && context?.source !== undefined ? rawJSON(context.source) : value,
  );
}

/** Whether no number in it has been rounded. */
export function isExact(value: unknown): boolean {
  if (isBranch(value)) return Object.values(value).every(isExact);
  return !isRounded(value);
}

/** {3} or [12]: how much there is inside. */
export function sizeOf(branch: object): string {
  const size = Object.keys(branch).length;
  return Array.isArray(branch) ? `[${size}]` : `{${size}}`;
}

/** As it stands in JSON. */
export function textOf(value: unknown): string {
  return JSON.stringify(value) ?? 'undefined';
}

/** The path as rules read it; what lies in a list has a place that rules cannot name. */
export function pathTo(path: string, key: string, isInList: boolean): string {
  if (isInList) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

/**
 * What a rule wants below this object and is not there, named from here. A path is wanted where
 * its way breaks off: `a.b` is missing in `{}` as `a.b`, and in `{a: {}}` inside `a` as `b`.
 */
export function missingBelow(value: object, path: string, required: readonly string[]): string[] {
  const start = path === '' ? '' : `${path}.`;
  return required
    .filter((wanted) => wanted.startsWith(start))
    .map((wanted) => wanted.slice(start.length))
    .filter((rest) => {
      if (has(value, rest)) return false;
      const [first = ''] = rest.split('.');
      const inside: unknown = Object.hasOwn(value, first) ? Reflect.get(value, first) : undefined;
      return first === rest || !isBranch(inside) || Array.isArray(inside);
    });
}

/** There, and not null: what rules call present. */
function has(value: object, key: string): boolean {
  return Object.hasOwn(value, key) && Reflect.get(value, key) !== null;
}

/** Whether its JSON has about so many characters at most; it looks no further than that. */
export function isSmall(value: unknown, most: number): boolean {
  let size = 0;
  const todo: unknown[] = [value];
  while (todo.length > 0) {
    const next = todo.pop();
    if (typeof next === 'string') size += next.length;
    if (isBranch(next)) {
      for (const key in next) {
        size += key.length + 4;
        if (size > most) return false;
        todo.push(Reflect.get(next, key));
      }
    }
    if ((size += 4) > most) return false;
  }
  return true;
}

/**
 * Which branches stand open at first: the nearest to the root, as long as what they hold is not
 * too much to take in. What is large, and what lies deep, is opened by hand.
 */
export function openAtFirst(root: object, most = 150): ReadonlySet<object> {
  const open = new Set<object>();
  const todo = [root];
  let left = most;
  for (const branch of todo) {
    const values: unknown[] = Object.values(branch);
    if (branch !== root && (values.length > left || values.length > 40)) continue;
    open.add(branch);
    left -= values.length;
    if (left <= 0) break;
    for (const value of values.slice(0, left)) if (isBranch(value)) todo.push(value);
  }
  return open;
}
