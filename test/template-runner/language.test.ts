import { describe, expect, it } from 'vitest';
import { compile } from '../../build/template-runner/language/compile.ts';

const run = (source: string, globals: Record<string, unknown> = {}) => compile(source)(globals);

describe('a program', () => {
  it.each([
    ['return given + 1;', 2],
    ['return', undefined],
    ['1;', undefined],
    ['if (given) { return "early"; } return "late";', 'early'],
    ['for (;;) { while (true) { return 5; } }', 5],
    ['"use strict"; return 1;', 1],
    ['return undefined;', undefined],
    ['return typeof nobody + typeof given;', 'undefinednumber'],
    ['given += 2; return given;', 3],
    ['var given = given || 9; return given;', 1],
    ['const given = 9; return given;', 9],
  ])('%s gives %j', (source, result) => {
    expect(run(source, { given: 1 })).toBe(result);
  });

  it('runs as often as wanted, each time from the start', () => {
    const program = compile('var n; n = (n || 0) + 1; given += n; return given;');
    expect([program({ given: 1 }), program({ given: 5 })]).toEqual([2, 6]);
  });

  it('leaves to the host functions that are functions there, and takes the host’s', () => {
    const twice = run('return function(f, x) { return f(f(x)); };') as (
      f: (n: number) => number,
      x: number,
    ) => number;
    expect(twice((n) => n * 3, 2)).toBe(18);
    expect(run('return add(1, 2);', { add: (a: number, b: number) => a + b })).toBe(3);
  });

  it('makes plain objects and arrays', () => {
    const made = run('return {a: [1, {b: null}], "c d": "x", 7: 1};');
    expect(made).toStrictEqual({ a: [1, { b: null }], 'c d': 'x', 7: 1 });
  });
});

describe('names', () => {
  it.each([
    ['a var is there before its line', 'var before = x; var x = 1; return [before, x];', [, 1]],
    ['a var in a block is the function’s', 'if (true) { var x = 1; } return x;', 1],
    ['a var without a value keeps what it has', 'var x = 1; var x; return x;', 1],
    ['a let in a block is the block’s', 'let x = 1; { let x = 2; } return x;', 1],
    ['a let without a value is undefined', 'let x; return x;', undefined],
    [
      'a let in a loop starts anew',
      'var r = []; for (var i = 0; i < 2; i++) { let x; r.push(x); x = i; } return r;',
      [undefined, undefined],
    ],
    ['a function is there before its line', 'return f(); function f() { return 1; }', 1],
    [
      'a function in a block is there before its line',
      '{ var r = f(); function f() { return 1; } } return r;',
      1,
    ],
    [
      'a function in a block is known after it',
      'if (true) { function f() { return 1; } } return f();',
      1,
    ],
    ['a let keeps a block’s function to its block', 'let f = 0; { function f() {} } return f;', 0],
    [
      'each turn of a for has its own let',
      'var r = []; for (let i = 0; i < 3; i++) { r.push(() => i); } return r.map(f => f());',
      [0, 1, 2],
    ],
    [
      'the turns of a for share a var',
      'var r = []; for (var i = 0; i < 3; i++) { r.push(() => i); } return r.map(f => f());',
      [3, 3, 3],
    ],
    [
      'each turn of a for-of has its own const',
      'var r = []; for (const x of [1, 2]) { r.push(() => x); } return r.map(f => f());',
      [1, 2],
    ],
    [
      'a function expression knows its name',
      'const f = function g(n) { return n ? n * g(n - 1) : 1; }; return f(4);',
      24,
    ],
    [
      'and cannot lose it',
      'const f = function g() { g = 1; return typeof g; }; return f();',
      'function',
    ],
    ['a parameter wins over the names around', 'const x = 1; const f = (x) => x; return f(2);', 2],
    ['a missing argument is undefined', 'const f = (a, b) => b; return f(1);', undefined],
    [
      'a closure keeps its variables',
      'const c = () => { let n = 0; return () => ++n; }; const a = c(), b = c(); a(); return [a(), b()];',
      [2, 1],
    ],
    [
      'a switch is one block',
      'switch (1) { case 0: let x; case 1: x = 5; } return 1;',
      ReferenceError,
    ],
  ])('%s', (_, source, result) => {
    if (result === ReferenceError) {
      expect(() => run(source)).toThrow("Cannot access 'x' before initialization");
    } else expect(run(source)).toEqual(result);
  });

  it('arguments is a real array, of an arrow function too', () => {
    const source = `
      const declared = function(a) { a = 9; return arguments; };
      const arrow = () => arguments.slice(1).concat(arguments.length);
      return [declared(1, 2), arrow('a', 'b')];`;
    const [declared, arrow] = run(source) as unknown[][];
    expect(Array.isArray(declared)).toBe(true);
    expect([declared, arrow]).toEqual([
      [1, 2],
      ['b', 2],
    ]);
    expect(run('const f = (arguments) => arguments; return f(1, 2);')).toBe(1);
  });
});

describe('statements', () => {
  it.each([
    ['while', 'var n = 0; while (n < 3) n++; return n;', 3],
    ['do', 'var n = 5; do n++; while (n < 3); return n;', 6],
    [
      'for',
      'var r = ""; for (var i = 0, j = 3; i < j; i++, j--) r += i + "" + j; return r;',
      '0312',
    ],
    ['for with nothing in its head', 'var n = 0; for (;;) { if (n++ > 3) break; } return n;', 5],
    ['break', 'for (var i = 0; i < 9; i++) { if (i === 3) break; } return i;', 3],
    [
      'continue',
      'var r = []; for (var i = 0; i < 4; i++) { if (i % 2) continue; r.push(i); } return r;',
      [0, 2],
    ],
    ['continue in do', 'var i = 0; do { if (i < 9) continue; } while (++i < 5); return i;', 5],
    [
      'break to a label',
      'a: for (var i = 0; i < 3; i++) for (;;) { if (i === 1) break a; continue a; } return i;',
      1,
    ],
    ['break out of a labelled block', 'a: { b: { break a; } return 1; } return 2;', 2],
    [
      'for-in over an object',
      'var r = []; for (var k in {b: 1, a: 2}) r.push(k); return r;',
      ['b', 'a'],
    ],
    [
      'for-in over an array',
      'var r = []; for (const i in [5, 6]) r.push(i); return r;',
      ['0', '1'],
    ],
    ['for-in over text', 'var r = []; for (const i in "ab") r.push(i); return r;', ['0', '1']],
    ['for-in over nothing', 'for (const k in null) return k; return "none";', 'none'],
    [
      'for-in that deletes',
      'var o = {a: 1, b: 2}, r = []; for (var k in o) { delete o.b; r.push(k); } return r;',
      ['a'],
    ],
    ['for-in into a member', 'var o = {}; for (o.k in {x: 1}); return o;', { k: 'x' }],
    [
      'for-of over an array that grows',
      'var a = [1], n = 0; for (const x of a) { if (x < 3) a.push(x + 1); n += x; } return n;',
      6,
    ],
    ['for-of over text', 'var r = []; for (let c of "héé") r.push(c); return r;', ['h', 'é', 'é']],
    ['if and else', 'if (0) return 1; else if ("") return 2; else return 3;', 3],
    [
      'switch that falls through',
      'var r = ""; switch (2) { case 1: r += 1; case 2: r += 2; default: r += "d"; case 3: r += 3; break; case 4: r += 4; } return r;',
      '2d3',
    ],
    [
      'switch with default in the middle',
      'var r = ""; switch (9) { case 1: r += 1; default: r += "d"; case 3: r += 3; } return r;',
      'd3',
    ],
    [
      'switch compares strictly',
      'switch ("1") { case 1: return "loose"; } return "strict";',
      'strict',
    ],
    [
      'continue in switch',
      'var n = 0; for (var i = 0; i < 3; i++) { switch (i) { case 1: continue; } n += i; } return n;',
      2,
    ],
    ['nothing', ';;{} return 1;', 1],
  ])('%s', (_, source, result) => {
    expect(run(source)).toEqual(result);
  });
});
