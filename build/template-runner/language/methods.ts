import { placed, RuntimeError } from './errors.ts';
import { getMember, hasOwn } from './members.ts';
import type { Run } from './scope.ts';
import { isCallable, isObject, joined, text } from './values.ts';
import type { Callable } from './values.ts';

type Method = (target: never, args: unknown[]) => unknown;
type Methods = ReadonlyMap<string, Method>;

/** JavaScript's own methods, taken from where the program cannot reach them. */
const borrowed = (prototype: object, names: string): [string, Method][] =>
  names.split(' ').map((name) => {
    const method = Object.getOwnPropertyDescriptor(prototype, name)?.value as Callable;
    return [
      name,
      (target, args) => Reflect.apply<unknown, unknown[], unknown>(method, target, args),
    ];
  });

const hasOwnProperty = (target: object, [key]: unknown[]) => hasOwn(target, text(key));

/** These and no others: what the tag manager's documentation of its standard library lists. */
const ARRAY: Methods = new Map<string, Method>([
  ...borrowed(
    Array.prototype,
    'concat every filter forEach indexOf lastIndexOf map pop push reduce reduceRight reverse shift slice some sort splice unshift',
  ),
  ['hasOwnProperty', hasOwnProperty],
  [
    'join',
    (target: unknown[], [separator]) =>
      joined(target, separator === undefined ? ',' : text(separator)),
  ],
  ['toString', (target: unknown[]) => joined(target, ',')],
]);

const STRING: Methods = new Map<string, Method>(
  borrowed(
    String.prototype,
    'charAt concat indexOf lastIndexOf match replace search slice split substring toLowerCase toLocaleLowerCase toString toUpperCase toLocaleUpperCase trim',
  ),
);

const NUMBER: Methods = new Map<string, Method>(borrowed(Number.prototype, 'toString'));
const BOOLEAN: Methods = new Map<string, Method>(borrowed(Boolean.prototype, 'toString'));
const OBJECT: Methods = new Map<string, Method>([
  ['hasOwnProperty', hasOwnProperty],
  ['toString', (target: object) => text(target)],
]);

const TABLES = [ARRAY, STRING, NUMBER, BOOLEAN, OBJECT];

/** Methods of JavaScript that nothing has in the sandbox, by all that JavaScript has here. */
const ABSENT: ReadonlySet<string> = new Set(
  [Array, String, Number, Boolean, Object, Function, RegExp]
    .flatMap((type) => Object.entries(Object.getOwnPropertyDescriptors(type.prototype)))
    .filter(([name, { value }]) => isCallable(value) && !isPresent(name))
    .map(([name]) => name),
);

function isPresent(name: string): boolean {
  return TABLES.some((table) => table.has(name));
}

/** Whether JavaScript has a method by this name while the sandbox has none. */
export function isAbsent(name: string): boolean {
  return ABSENT.has(name);
}

/** What takes as long for a long array as for a short one. */
const QUICK = new Set(['push', 'pop', 'hasOwnProperty']);

const NEEDS_FUNCTION = new Set('every filter forEach map reduce reduceRight some'.split(' '));

/** Where a call of a method stands, for what is said when it goes wrong. */
export interface Site {
  readonly line: number;
  /** What is called, as it is written. */
  readonly written: string;
  readonly run: Run;
}

export function callMember(target: unknown, key: unknown, args: unknown[], site: Site): unknown {
  const name = text(key);
  const own = getMember(target, name, site.line);
  if (own !== undefined || hasOwn(target, name)) return call(own, args, site);
  const method = methodsOf(target).get(name);
  if (!method) throw new RuntimeError(missing(target, name, site.written), site.line);
  return borrow(method, target, name, args, site);
}

export function call(callee: unknown, args: unknown[], { line, written }: Site): unknown {
  if (!isCallable(callee)) throw new RuntimeError(`${written} is not a function`, line);
  return callee(...args);
}

/** A method that every array has in the sandbox, bound to this one. */
export function arrayMethod(list: unknown[], name: string): Callable | undefined {
  const method = ARRAY.get(name);
  return method && ((...args) => method(list as never, args));
}

function methodsOf(target: unknown): Methods {
  if (Array.isArray(target)) return ARRAY;
  if (typeof target === 'string') return STRING;
  if (typeof target === 'number') return NUMBER;
  return typeof target === 'boolean' ? BOOLEAN : OBJECT;
}

function missing(target: unknown, name: string, written: string): string {
  if (!isAbsent(name) && !isPresent(name)) {
    return `${written} is not a function`;
  }
  const kind = Array.isArray(target) ? 'array' : typeof target;
  const article = /^[aeiou]/.test(kind) ? 'an' : 'a';
  return `${written} is not a function: ${article} ${kind} has no ${name} in the sandbox`;
}

function borrow(method: Method, target: unknown, name: string, args: unknown[], site: Site) {
  const { line, run } = site;
  // JavaScript's own loops are not counted turn by turn, so they are paid for beforehand.
  for (const long of QUICK.has(name) ? [] : [target, ...args].filter(hasLength)) {
    run.spend(line, Math.floor(long.length / 10));
  }
  if (Array.isArray(target)) {
    if (NEEDS_FUNCTION.has(name) || (name === 'sort' && args[0] !== undefined)) {
      checkCallback(target, name, args, line);
      return method(target as never, args);
    }
  } else if (typeof target === 'string') {
    // Only replace takes a function; anything else that is no text becomes one, in our way.
    args = args.map((arg) => (isObject(arg) && !isCallable(arg) ? text(arg) : arg));
    if (args.some(isCallable)) return method(target as never, args);
  }
  try {
    return method(target as never, args);
  } catch (error) {
    // No code from outside runs in these, so it is JavaScript that objects.
    const known = placed(error, line, run.where);
    throw known === error && isOurs(error) ? new RuntimeError(error.message, line) : known;
  }
}

function hasLength(value: unknown): value is string | unknown[] {
  return typeof value === 'string' || Array.isArray(value);
}

function isOurs(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}

function checkCallback(target: unknown[], name: string, args: unknown[], line: number): void {
  const [callback] = args;
  if (!isCallable(callback)) {
    const told = typeof callback === 'string' ? `'${callback}'` : text(callback);
    throw new RuntimeError(`${told} is not a function, which ${name} needs`, line);
  }
  if (name.startsWith('reduce') && args.length < 2 && Object.keys(target).length === 0) {
    throw new RuntimeError('Reduce of empty array with no initial value', line);
  }
}
