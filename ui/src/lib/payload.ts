/** Reading payloads, whose names and values were written by strangers. */

export function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
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
