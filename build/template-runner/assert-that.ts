import { ScenarioFailure } from './failure.ts';
import { isEqual, kindOf, show } from './values.ts';

type Judge = (actual: unknown, ...expected: unknown[]) => boolean;
/** What it says of the value when it holds: "to be 3". */
type Words = (...expected: unknown[]) => string;

interface Matcher {
  words: Words;
  holds: Judge;
}

const isOneOf = (value: unknown, list: readonly unknown[]) =>
  list.some((one) => isEqual(value, one));

function contains(actual: unknown, ...expected: unknown[]): boolean {
  if (typeof actual === 'string')
    return expected.every((one) => typeof one === 'string' && actual.includes(one));
  return Array.isArray(actual) && expected.every((one) => isOneOf(one, actual));
}

function containsAny(actual: unknown, ...expected: unknown[]): boolean {
  return expected.some((one) => contains(actual, one));
}

/** The same values as often, in any order. */
function containsExactly(actual: unknown, ...expected: unknown[]): boolean {
  if (!Array.isArray(actual) || actual.length !== expected.length) return false;
  const rest = [...expected];
  return actual.every((item) => {
    const at = rest.findIndex((one) => isEqual(one, item));
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}

/** An object has no length here, and is neither empty nor not: the documentation says so. */
const hasItems = (value: unknown): value is string | unknown[] =>
  typeof value === 'string' || Array.isArray(value);

const listed = (values: unknown[]) => values.map(show).join(', ');

const matcher = (words: string | Words, holds: Judge): Matcher => ({
  words: typeof words === 'string' ? () => words : words,
  holds,
});

const ofKind = (kind: string) =>
  matcher(`to be of the type ${kind}`, (value) => kindOf(value) === kind);

const compared = (words: string, holds: (a: never, b: never) => boolean) =>
  matcher(
    (expected) => `${words} ${show(expected)}`,
    (actual, expected) =>
      typeof actual === typeof expected && holds(actual as never, expected as never),
  );

const withValues = (words: string, holds: Judge) =>
  matcher((...expected) => `${words} ${listed(expected)}`, holds);

const MATCHERS: Record<string, Matcher> = {
  contains: withValues('to contain', contains),
  containsExactly: withValues('to contain, in any order, exactly', containsExactly),
  doesNotContain: withValues(
    'to contain nothing of',
    (actual, ...expected) => hasItems(actual) && !containsAny(actual, ...expected),
  ),
  doesNotContainExactly: withValues(
    'to contain something else than exactly',
    (actual, ...expected) => hasItems(actual) && !containsExactly(actual, ...expected),
  ),
  hasLength: withValues(
    'to have the length',
    (value, length) => hasItems(value) && value.length === length,
  ),
  isAnyOf: withValues('to be one of', (actual, ...expected) => isOneOf(actual, expected)),
  isArray: ofKind('array'),
  isBoolean: ofKind('boolean'),
  isDefined: matcher('to be defined', (value) => value !== undefined),
  isEmpty: matcher('to be empty', (value) => hasItems(value) && value.length === 0),
  isEqualTo: withValues('to be', (actual, expected) => isEqual(actual, expected)),
  isFalse: matcher('to be false', (value) => value === false),
  isFalsy: matcher('to be falsy', (value) => !value),
  isFunction: ofKind('function'),
  isGreaterThan: compared('to be greater than', (a: number, b: number) => a > b),
  isGreaterThanOrEqualTo: compared('to be at least', (a: number, b: number) => a >= b),
  isInfinity: matcher('to be infinite', (value) => value === Infinity || value === -Infinity),
  isLessThan: compared('to be less than', (a: number, b: number) => a < b),
  isLessThanOrEqualTo: compared('to be at most', (a: number, b: number) => a <= b),
  isNaN: matcher('to be NaN', Number.isNaN),
  isNoneOf: withValues('to be none of', (actual, ...expected) => !isOneOf(actual, expected)),
  isNotEmpty: matcher('not to be empty', (value) => hasItems(value) && value.length > 0),
  isNotEqualTo: withValues('not to be', (actual, expected) => !isEqual(actual, expected)),
  isNotInfinity: matcher(
    'not to be infinite',
    (value) => value !== Infinity && value !== -Infinity,
  ),
  isNotNaN: matcher('not to be NaN', (value) => !Number.isNaN(value)),
  isNotNull: matcher('not to be null', (value) => value !== null),
  isNotStrictlyEqualTo: withValues(
    'not to be the very same as',
    (actual, expected) => actual !== expected,
  ),
  isNull: matcher('to be null', (value) => value === null),
  isNumber: ofKind('number'),
  isObject: ofKind('object'),
  isStrictlyEqualTo: withValues(
    'to be the very same as',
    (actual, expected) => actual === expected,
  ),
  isString: ofKind('string'),
  isTrue: matcher('to be true', (value) => value === true),
  isTruthy: matcher('to be truthy', Boolean),
  isUndefined: matcher('to be undefined', (value) => value === undefined),
};

export type Subject = Record<string, (...expected: unknown[]) => unknown>;

/** What `assertThat` gives: every matcher, each of which gives the same again. */
export function assertThat(actual: unknown, message?: unknown): Subject {
  const subject: Subject = {};
  for (const [name, { words, holds }] of Object.entries(MATCHERS))
    subject[name] = (...expected) => {
      if (holds(actual, ...expected)) return subject;
      const reason = `expected ${show(actual)} ${words(...expected)}`;
      const said =
        message === undefined ? '' : `${typeof message === 'string' ? message : show(message)}: `;
      throw new ScenarioFailure(said + reason);
    };
  return subject;
}
