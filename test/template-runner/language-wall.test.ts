import { describe, expect, it } from 'vitest';
import {
  compile,
  LanguageError,
  RuntimeError,
} from '../../build/template-runner/language/compile.ts';

const run = (source: string, globals: Record<string, unknown> = {}) => compile(source)(globals);

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('what the language does not have', () => {
  it.each([
    ['new Date()', 'no new'],
    ['return this.x', 'no this'],
    ['class A {}', 'no classes'],
    ['const A = class {}', 'no classes'],
    ['function* g() {}', 'no generators'],
    ['async function f() {}', 'no async'],
    ['const f = async () => 1', 'no async'],
    ['await x', 'no await'],
    ['for await (const x of y);', 'no await'],
    ['import x from "x"', 'no import'],
    ['import("x")', 'no import'],
    ['export const x = 1', 'no export'],
    ['a instanceof b', 'no instanceof'],
    ['/a/', 'no regular expressions'],
    ['`a`', 'no template literals'],
    ['f`a`', 'no template literals'],
    ['f(...a)', 'no spread'],
    ['[...a]', 'no spread'],
    ['({...a})', 'no spread'],
    ['(...a) => a', 'no rest'],
    ['const {a} = b', 'no destructuring'],
    ['[a] = b', 'no destructuring'],
    ['({a}) => a', 'no destructuring'],
    ['for (const [a] of b);', 'no destructuring'],
    ['(a = 1) => a', 'no default values'],
    ['({a})', 'no shorthand properties'],
    ['({a() {}})', 'no shorthand methods'],
    ['({[a]: 1})', 'no computed keys'],
    ['({get a() { return 1; }})', 'no getters'],
    ['({set a(b) {}})', 'no getters'],
    ['a?.b', 'no ?.'],
    ['a?.()', 'no ?.'],
    ['a ?? b', 'no ??'],
    ['a ** b', 'no **'],
    ['a **= b', 'no **='],
    ['a ||= b', 'no ||='],
    ['a &&= b', 'no &&='],
    ['a ??= b', 'no ??='],
    ['try { a(); } catch (e) {}', 'no try'],
    ['throw a', 'no throw'],
    ['with (a) b', 'no with'],
    ['debugger', 'no debugger'],
    ['1n', 'no BigInts'],
    ['1_000', 'as in ES5'],
    ['0b1', 'as in ES5'],
    ['const a;', 'Unexpected token: ;'],
    ['let a; let a;', 'already been declared'],
    ['if (', 'Unexpected token: the end'],
    ['break;', 'Unsyntactic break'],
  ])('is refused with its line: %s', (source, reason) => {
    const error = thrownBy(() => compile(`const fine = 1;\n\n${source}`));
    expect(error).toBeInstanceOf(LanguageError);
    expect(error).toMatchObject({ line: 3, message: expect.stringContaining(reason) as string });
  });

  it('is told from the top, whatever else there is', () => {
    expect(() => compile('f(\n() => this,\nnew X);')).toThrow('line 2: there is no this');
  });

  it('is what nests too deeply as well', () => {
    expect(() => compile(`return ${'('.repeat(20_000)}1${')'.repeat(20_000)}`)).toThrow(
      LanguageError,
    );
    expect(() => compile(`return ${'1+'.repeat(100_000)}1`)).toThrow(LanguageError);
  });
});

describe('nothing leads out', () => {
  it.each(
    'window document global globalThis self process require module Function Object Array String Number Boolean Math JSON Date RegExp Promise Symbol Error Reflect Proxy console setTimeout eval parseInt isNaN NaN Infinity encodeURIComponent fetch Buffer arguments'.split(
      ' ',
    ),
  )('by the name %s', (name) => {
    expect(() => run(`return ${name};`)).toThrow(`${name} is not defined`);
    expect(run(`return typeof ${name};`)).toBe('undefined');
  });

  const things = [
    '"x"',
    '(1)',
    'true',
    '[]',
    '({})',
    '(() => 1)',
    '(function() {})',
    'host',
    'thing',
  ];
  const ways =
    'constructor __proto__ prototype __defineGetter__ __lookupGetter__ valueOf caller callee call apply bind arguments isPrototypeOf push trim toString hasOwnProperty'.split(
      ' ',
    );
  it.each(things)('from %s', (of) => {
    for (const way of ways) {
      const found = run(`return [${of}.${way}, ${of}["${way}"], "${way}" in box(${of})];`, {
        host: (x: unknown) => x,
        thing: { own: 1 },
        box: (x: unknown) => (typeof x === 'object' || typeof x === 'function' ? x : {}),
      });
      expect(found, way).toEqual([undefined, undefined, false]);
    }
  });

  it('by a prototype that is set', () => {
    const source = `
      const made = {__proto__: {a: 1}};
      const set = {}; set.__proto__ = {a: 1}; set['__pro' + 'to__'].b = 2;
      return [made, set, made.a, set.a, [].a, ({}).b];`;
    const [made, set, ...rest] = run(source) as [object, object];
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(set)).toBe(Object.prototype);
    expect(Object.keys(set)).toEqual(['__proto__']);
    expect(rest).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('by what is written to plain values, functions and frozen objects', () => {
    const frozen = Object.freeze({ a: 1 });
    const source = `
      'x'.trim = 1; (5).y = 1; frozen.a = 2; frozen.b = 3;
      const f = () => 1; f.prototype = 1; f.name = 'n'; f.toString = 2;
      return [frozen, 'x'.trim, f.name, f.toString];`;
    expect(run(source, { frozen })).toEqual([{ a: 1 }, undefined, 'n', 2]);
  });

  it('by the text of a function', () => {
    expect(run('return "" + function f() {} + [() => 1];')).toBe('f');
  });

  it('by a method that JavaScript has and the sandbox has not', () => {
    for (const call of [
      '"a".padStart(3)',
      '"a".startsWith("a")',
      '"a".charCodeAt(0)',
      '[1].includes(1)',
      '[1].find(f)',
      '[[1]].flat()',
      '[1].fill(0)',
      '(1).toFixed(2)',
      'f.call(1)',
      'f.apply(1)',
      'f.bind(1)',
      'o.valueOf()',
      'o.constructor("return 1")',
      '"a".push(1)',
    ]) {
      const error = thrownBy(() => run(`const f = () => 1, o = {};\nreturn ${call};`));
      expect(error, call).toBeInstanceOf(RuntimeError);
      expect(error, call).toMatchObject({ line: 2 });
      const [, method = ''] = /\.(\w+)\(/.exec(call) ?? [];
      expect((error as Error).message).toMatch(new RegExp(`has no ${method} in the sandbox$`));
    }
  });
});
