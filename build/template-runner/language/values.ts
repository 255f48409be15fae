/** What can be called; arguments and results are anybody's. */
export type Callable = (...args: unknown[]) => unknown;

export function isCallable(value: unknown): value is Callable {
  return typeof value === 'function';
}

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

type Primitive = string | number | boolean | null | undefined;

/**
 * The plain value behind an object, as operators take it. JavaScript's own way would show the
 * text of the interpreter's closures for a function.
 */
export function primitive(value: unknown, first: 'valueOf' | 'toString' = 'valueOf'): Primitive {
  if (!isObject(value)) return value as Primitive;
  for (const key of first === 'valueOf' ? ['valueOf', 'toString'] : ['toString', 'valueOf']) {
    const own: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
    const result = isCallable(own) && Object.keys(value).includes(key) ? own() : value;
    if (!isObject(result)) return result as Primitive;
  }
  if (isCallable(value)) return value.name;
  return Array.isArray(value) ? joined(value, ',') : '[object Object]';
}

export function text(value: unknown): string {
  return String(primitive(value, 'toString'));
}

/** Arrays on the way down: one that holds itself is empty there, as in JavaScript. */
const joining = new WeakSet<unknown[]>();

export function joined(array: unknown[], separator: string): string {
  if (joining.has(array)) return '';
  joining.add(array);
  try {
    return Array.from(array, (item) =>
      item === null || item === undefined ? '' : text(item),
    ).join(separator);
  } finally {
    joining.delete(array);
  }
}

function looselyEqual(a: unknown, b: unknown): boolean {
  if (isObject(a) && isObject(b)) return a === b;
  // A null equals undefined and nothing else; an object is never either.
  if (a === null || a === undefined) return b === null || b === undefined;
  if (b === null || b === undefined) return false;
  // eslint-disable-next-line eqeqeq -- This is what == is made of.
  return primitive(a) == primitive(b);
}

/** An operator's work on two values. */
type Operation = (a: unknown, b: unknown) => unknown;

const numeric =
  (work: (a: number, b: number) => number): Operation =>
  (a, b) => {
    const left = primitive(a);
    return work(Number(left), Number(primitive(b)));
  };

const compared =
  (numbers: (a: number, b: number) => boolean, strings: (a: string, b: string) => boolean) =>
  (a: unknown, b: unknown): boolean => {
    const left = primitive(a);
    const right = primitive(b);
    return typeof left === 'string' && typeof right === 'string'
      ? strings(left, right)
      : numbers(Number(left), Number(right));
  };

function added(a: unknown, b: unknown): string | number {
  const left = primitive(a);
  const right = primitive(b);
  return typeof left === 'string' || typeof right === 'string'
    ? String(left) + String(right)
    : Number(left) + Number(right);
}

/** All but `in`, which can go wrong and so needs to know its line. */
export const BINARY: Readonly<Record<string, Operation>> = {
  '+': added,
  '-': numeric((a, b) => a - b),
  '*': numeric((a, b) => a * b),
  '/': numeric((a, b) => a / b),
  '%': numeric((a, b) => a % b),
  '&': numeric((a, b) => a & b),
  '|': numeric((a, b) => a | b),
  '^': numeric((a, b) => a ^ b),
  '<<': numeric((a, b) => a << b),
  '>>': numeric((a, b) => a >> b),
  '>>>': numeric((a, b) => a >>> b),
  '<': compared(
    (a, b) => a < b,
    (a, b) => a < b,
  ),
  '>': compared(
    (a, b) => a > b,
    (a, b) => a > b,
  ),
  '<=': compared(
    (a, b) => a <= b,
    (a, b) => a <= b,
  ),
  '>=': compared(
    (a, b) => a >= b,
    (a, b) => a >= b,
  ),
  '===': (a, b) => a === b,
  '!==': (a, b) => a !== b,
  '==': looselyEqual,
  '!=': (a, b) => !looselyEqual(a, b),
};

export const UNARY: Readonly<Record<string, (value: unknown) => unknown>> = {
  '!': (value) => !value,
  '-': (value) => -Number(primitive(value)),
  '+': (value) => Number(primitive(value)),
  '~': (value) => ~Number(primitive(value)),
  void: () => undefined,
  typeof: (value) => typeof value,
};
