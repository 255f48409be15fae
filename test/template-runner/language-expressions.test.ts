import { describe, expect, it } from 'vitest';
import { compile } from '../../build/template-runner/language/compile.ts';

const run = (source: string, globals: Record<string, unknown> = {}) => compile(source)(globals);
const value = (source: string) => run(`return (${source});`);

/** With the same meaning as in JavaScript, which is asked as well. */
const same = (source: string) => {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- JavaScript is the yardstick.
  const asked = new Function(`return (${source});`) as () => unknown;
  expect(value(source), source).toStrictEqual(asked());
};

const VALUES = '0 1 -1 1.5 "" "1" "a" "10" true false null undefined [] [1] [1,2] {} (0/0)'.split(
  ' ',
);
const BINARY = '+ - * / % & | ^ << >> >>> < > <= >= == != === !== && ||'.split(' ');

describe('operators', () => {
  it.each(BINARY)('%s is as in JavaScript, whatever it is given', (operator) => {
    for (const a of VALUES) for (const b of VALUES) same(`(${a}) ${operator} (${b})`);
  });

  it.each(['+', '-', '!', '~', 'typeof ', 'void '])('%s before a value too', (operator) => {
    for (const a of VALUES) same(`${operator}(${a})`);
  });

  it.each([
    '1 ? "a" : "b"',
    '(1, 2, 3)',
    '"a" in {a: 1}',
    '1 in ["a"]',
    '010 + 0x1f',
    '"\\x41\\u0042\\101"',
    '{a: 1, "b": 2, 3: 4, a: 5}',
    '[1, , 2].length',
    '0 in [, 1]',
    '{valueOf: function() { return 4; }} * 2',
    '"" + {toString: function() { return "own"; }}',
    '"" + [1, [2, null], undefined, {}]',
    '[[1]] == "1"',
    'null >= 0',
    'typeof function() {}',
    'delete [].nothing',
  ])('%s is as in JavaScript', same);

  it.each([
    ['var a = 1; a += 2; a *= 5; a -= 1; a /= 2; a %= 4; return a;', 3],
    ['var a = 6; a <<= 2; a >>= 1; a >>>= 1; a &= 7; a |= 8; a ^= 1; return a;', 15],
    ['var a = "1"; return [a++, a, ++a, a--, --a];', [1, 2, 3, 3, 1]],
    ['var o = {n: 1}; o.n++; o["n"] += 5; return o.n;', 7],
    ['var n = 0, a = [5, 6]; a[n++] += 1; return [n, a];', [1, [6, 6]]],
    ['var a = b = 2; return a;', 'b is not defined'],
    ['var a, b; a = b = 2; return a + b;', 4],
    ['var o = {a: 1, b: 2}; return [delete o.a, o, delete o];', [true, { b: 2 }, false]],
    [
      'var r = []; const t = (x) => { r.push(x); return x; }; t(1) + t(2) * t(3); return r;',
      [1, 2, 3],
    ],
    ['var r = 0; const t = () => { r++; }; false && t(); true || t(); return r;', 0],
  ])('%s', (source, result) => {
    if (typeof result === 'string') expect(() => run(source)).toThrow(result);
    else expect(run(source)).toEqual(result);
  });
});

describe('methods', () => {
  it.each([
    '[1].concat([2], 3, [[4]])',
    '[1, 2].every(function(x) { return x > 1; })',
    '[1, 2, 3].filter(function(x, i) { return i; })',
    '[1, 2, 1].indexOf(1, 1)',
    '[1, 2].join("-") + [null, 1, undefined].join() + [[1, 2], 3].join(";")',
    '[1, 2, 1].lastIndexOf(1)',
    '[1, 2].map(function(x, i, all) { return x * i + all.length; })',
    '[1, 2].pop() + [3].push(4, 5) + [1, 2].shift() + [1].unshift(0, 0)',
    '[1, 2, 3].reduce(function(a, b) { return a - b; })',
    '[1, 2, 3].reduceRight(function(a, b) { return a + b; }, "")',
    '[1, 2, 3].reverse().slice(1)',
    '[1, 2].some(function(x) { return x > 1; })',
    '[3, 1, 10].sort()',
    '[3, 1, 10].sort(function(a, b) { return a - b; })',
    '[1, 2, 3].splice(1, 1, "x")',
    '[1, [2, 3]].toString()',
    '[1].hasOwnProperty(0)',
    '"abc".charAt(1) + "a".concat(1, null) + "abcb".indexOf("b", 2) + "abcb".lastIndexOf("b")',
    '"a.b.a".replace("a", "$&x") + "abc".search("c$") + "abc".slice(-2) + "abc".substring(2, 0)',
    '"a.b".replace("a", function(x) { return x + x; })',
    '"a,b,c".split(",", 2)',
    '"a.b".split("")',
    '"aXb".toLowerCase() + "aXb".toUpperCase() + "aX".toLocaleLowerCase() + "aX".toLocaleUpperCase()',
    '" x ".trim() + "s".toString() + (255).toString(16) + true.toString()',
    '"x1y22".match("[0-9]+$")[0]',
    '"abc".match("^b")',
    '"abc"[1] + "abc".length + "abc"["length"]',
    '{a: 1}.hasOwnProperty("a")',
    '({}).toString()',
    '"abc"[5]',
  ])('%s is as in JavaScript', same);

  it('in callbacks are the program’s own functions and the host’s', () => {
    const half = (n: unknown) => Number(n) / 2;
    expect(run('return [2, 4].map(half).concat([6].map(x => half(x)));', { half })).toEqual([
      1, 2, 3,
    ]);
  });

  it('of an array that is matched for replace the text that it stands for', () => {
    expect(run('const m = "a=1&b".match("a=[0-9]"); return "a=1&b".replace(m, "-");')).toBe('-&b');
  });

  it('of objects are what is put on them', () => {
    expect(run('const o = {f: (x) => x + 1}; o.g = o.f; return o.g(1) + o["f"](2);')).toBe(5);
    expect(run('const f = () => 1; f.g = () => 2; return f.g();')).toBe(2);
    expect(run('return (function named() {}).toString();')).toBe('named');
  });
});
