import { describe, expect, it } from 'vitest';
import { assertThat } from '../../build/template-runner/assert-that.ts';
import { failureOf } from './parts.ts';

const noop = () => 1;

/** The matcher, its arguments, values it holds for, and values it must fail for. */
const CASES: [name: string, expected: unknown[], holds: unknown[], fails: unknown[]][] = [
  ['contains', ['b'], [['a', 'b'], 'abc'], [['a'], 'ac', { b: 1 }, undefined]],
  ['contains', [{ x: [1] }, 2], [[2, 3, { x: [1] }]], [[{ x: [1] }], [2, { x: [2] }]]],
  [
    'containsExactly',
    [1, 2],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2, 3], [1, 1], '12', null],
  ],
  ['doesNotContain', ['b', 'c'], [['a'], 'a'], [['a', 'c'], 'ab', undefined]],
  ['doesNotContainExactly', [1, 2], [[1], [1, 2, 3], [1, 1]], [[1, 2], [2, 1], 3]],
  ['hasLength', [2], [[1, 2], 'ab'], [[1], 'abc', { length: 2 }, null]],
  ['isAnyOf', [1, 'a', { x: 1 }], [1, 'a', { x: 1 }], [2, { x: 2 }, null]],
  ['isArray', [], [[], [1]], [{}, 'a', null, { length: 0 }]],
  ['isBoolean', [], [true, false], [1, 'true', null]],
  ['isDefined', [], [null, 0, ''], [undefined]],
  ['isEmpty', [], ['', []], ['a', [1], {}, 0, null, undefined]],
  ['isEqualTo', [1], [1], [2, '1', true, null]],
  ['isEqualTo', [NaN], [NaN], [0, undefined]],
  ['isEqualTo', [noop], [noop], [() => 1]],
  ['isEqualTo', [[1, [2]]], [[1, [2]]], [[1, 2], [1], [1, [2], 3], { 0: 1, 1: [2] }]],
  [
    'isEqualTo',
    [{ a: { b: [1] } }],
    [{ a: { b: [1] } }, { a: { b: [1] }, c: undefined }],
    [{ a: {} }, {}],
  ],
  ['isFalse', [], [false], [0, '', null, undefined, true]],
  ['isFalsy', [], [false, 0, '', null, undefined], [true, 'a', []]],
  ['isFunction', [], [noop], [{}, 'noop', undefined]],
  ['isGreaterThan', [1], [2], [1, 0, '2', NaN, undefined]],
  ['isGreaterThanOrEqualTo', [1], [1, 2], [0, '1']],
  ['isInfinity', [], [Infinity, -Infinity], [1, NaN, 'Infinity']],
  ['isLessThan', [1], [0], [1, 2, '0', null]],
  ['isLessThanOrEqualTo', [1], [1, 0], [2, '1']],
  ['isNaN', [], [NaN], [1, 'a', undefined]],
  ['isNoneOf', [1, { x: 1 }], [2, { x: 2 }], [1, { x: 1 }]],
  ['isNotEmpty', [], ['a', [1]], ['', [], { a: 1 }, null, 1]],
  ['isNotEqualTo', [{ a: 1 }], [{ a: 2 }, 1, undefined], [{ a: 1 }]],
  ['isNotInfinity', [], [1, NaN], [Infinity, -Infinity]],
  ['isNotNaN', [], [1, 'a', undefined], [NaN]],
  ['isNotNull', [], [0, undefined], [null]],
  ['isNotStrictlyEqualTo', ['a'], ['b', ['a']], ['a']],
  ['isNull', [], [null], [undefined, 0]],
  ['isNumber', [], [1, NaN], ['1', null]],
  ['isObject', [], [{}, { a: 1 }], [[], null, 'a', noop]],
  ['isStrictlyEqualTo', ['a'], ['a'], ['b', ['a']]],
  ['isString', [], ['', 'a'], [1, null]],
  ['isTrue', [], [true], [1, 'true', [], false]],
  ['isTruthy', [], [true, 1, 'a', []], [false, 0, '', null]],
  ['isUndefined', [], [undefined], [null, 0]],
];

describe('assertThat', () => {
  it.each(CASES)(
    '%s %j holds where it must, and fails where it must',
    (name, expected, holds, fails) => {
      for (const value of holds) expect(() => assertThat(value)[name]?.(...expected)).not.toThrow();
      for (const value of fails)
        expect(() => assertThat(value)[name]?.(...expected)).toThrow(/^expected /);
    },
  );

  it('tells circles apart by their shape', () => {
    const circle = (value: number) => {
      const object: Record<string, unknown> = { value };
      object.self = object;
      return object;
    };
    expect(() => assertThat(circle(1)).isEqualTo?.(circle(1))).not.toThrow();
    expect(() => assertThat(circle(1)).isEqualTo?.(circle(2))).toThrow(/\(circular\)/);
  });

  it('says what it got and what it expected, after the message', () => {
    expect(failureOf(`assertThat({a: [1, 'x']}, 'The payload').isEqualTo({a: undefined})`)).toBe(
      'The payload: expected {"a": [1, "x"]} to be {"a": undefined}',
    );
    expect(failureOf(`assertThat('abc').contains('x', 'y')`)).toBe(
      'expected "abc" to contain "x", "y"',
    );
    expect(failureOf(`assertThat(null).isNumber()`)).toBe('expected null to be of the type number');
    expect(failureOf(`assertThat([]).isNotEmpty()`)).toBe('expected [] not to be empty');
  });

  it('cuts long values short', () => {
    const failure = failureOf(`
      let long = 'x'; for (let i = 0; i < 12; i++) long += long;
      assertThat(long).isEqualTo('y');`);
    expect(failure?.length).toBeLessThan(400);
    expect(failure).toContain('…');
  });

  it('is chainable', () => {
    expect(failureOf(`assertThat('abc').isString().hasLength(3).contains('b')`)).toBeUndefined();
    expect(failureOf(`assertThat('abc').isString().hasLength(4)`)).toContain('the length 4');
  });

  it('has no other matchers', () => {
    expect(failureOf(`assertThat(1).isSomething(1)`)).toContain('isSomething is not a function');
  });
});
