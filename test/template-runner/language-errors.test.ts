import { describe, expect, it } from 'vitest';
import { compile, RuntimeError } from '../../build/template-runner/language/compile.ts';

const run = (source: string, globals: Record<string, unknown> = {}) => compile(source)(globals);

describe('what goes wrong', () => {
  it.each([
    ['nothing.x;', "Cannot read properties of undefined (reading 'x')"],
    ['null["a b"];', "Cannot read properties of null (reading 'a b')"],
    ['nothing.x = 1;', "Cannot set properties of undefined (setting 'x')"],
    ['nothing.x();', "Cannot read properties of undefined (reading 'x')"],
    ['delete nothing.x;', 'Cannot convert undefined to object'],
    ['thing.missing();', 'thing.missing is not a function'],
    ['thing.n();', 'thing.n is not a function'],
    ['nothing();', 'nothing is not a function'],
    ['(1)();', '1 is not a function'],
    ['nobody;', 'nobody is not defined'],
    ['nobody = 1;', 'nobody is not defined'],
    ['nobody();', 'nobody is not defined'],
    ['fixed = 2;', 'Assignment to constant variable'],
    ['fixed++;', 'Assignment to constant variable'],
    ['for (const i = 0; i < 2; i++);', 'Assignment to constant variable'],
    ['later; let later;', "Cannot access 'later' before initialization"],
    ['let own = own;', "Cannot access 'own' before initialization"],
    ['typeof later; let later;', "Cannot access 'later' before initialization"],
    ['later = 1; let later;', "Cannot access 'later' before initialization"],
    ['for (const x of {}) {}', '[object Object] is not iterable'],
    ['for (const x of nothing) {}', 'undefined is not iterable'],
    ['"a" in "b";', "Cannot use 'in' to search for 'a' in b"],
    ['[1].map("x");', "'x' is not a function, which map needs"],
    ['[1].sort(2);', '2 is not a function, which sort needs'],
    ['[].reduce(() => 1);', 'Reduce of empty array'],
    ['"a".match("(");', 'Invalid regular expression'],
    ['(1).toString(99);', 'radix'],
    ['[].length = -1;', 'Invalid array length'],
  ])('is told with its line: %s', (source, message) => {
    const given = { nothing: undefined, thing: { n: 1 } };
    try {
      run(`const fixed = 1;\n\n${source}`, given);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(RuntimeError);
      expect(error).toMatchObject({ line: 3, message: expect.stringContaining(message) as string });
    }
  });

  it('is told with the line where it happens, not where it was called', () => {
    const source = 'const f = (x) =>\n  x\n    .y\n    .z;\nf({});';
    expect(() => run(source)).toThrow(expect.objectContaining({ line: 4 }) as Error);
  });

  it('in the host stays what it is', () => {
    class Refused extends TypeError {}
    const refused = new Refused('no');
    const refuse = () => {
      throw refused;
    };
    for (const source of [
      'refuse();',
      '[1].forEach(refuse);',
      '[1].map(() => refuse());',
      '[2, 1].sort(refuse);',
      '"a".replace("a", refuse);',
    ]) {
      expect(() => run(source, { refuse }), source).toThrow(refused);
    }
  });
});

describe('what does not end', () => {
  it.each([
    'while (true);',
    'for (;;) {}',
    'do {} while (1);',
    'const a = [1]; for (const x of a) a.push(x);',
    'const f = () => { for (;;) {} }; f();',
    'const f = (n) => { if (n) { f(n - 1); f(n - 1); } }; f(200);',
    'var a = [1]; for (;;) a = a.concat(a);',
    'var a = []; a.length = 10000000; for (;;) a.indexOf(1);',
    'var s = "a"; for (var i = 0; i < 24; i++) s += s; for (;;) s.indexOf("b");',
  ])('is ended: %s', (source) => {
    expect(() => compile(source, { steps: 200_000 })({})).toThrow(
      'it does not end: more than 200000 steps were taken',
    );
  });

  it('is ended without being told how long to wait', () => {
    expect(() => run('while (true);')).toThrow('more than 5000000 steps');
  });

  it.each([
    'const f = () => f(); f();',
    'function f() { return 1 + f(); } f();',
    'const f = () => [1].map(f); f();',
    'const f = () => { if (1) { for (;;) { f(); } } }; f();',
    'const f = () => "a".replace("a", f); f();',
    'const o = {toString: () => "" + o}; "" + o;',
    'const f = () => host(f); f();',
    'const f = () => "a".match("a" + f()); f();',
  ])('nor does this break the stack: %s', (source) => {
    const host = (f: () => unknown) => f();
    expect(() => run(source, { host })).toThrow(
      /^line 1: it does not end: (too many calls within calls|more than 5000000 steps were taken)$/,
    );
  });

  it.each([
    ['var s = "a"; for (;;) s += s;', 'Invalid string length'],
    ['var a = []; a.length = 4000000000;', 'Invalid array length'],
    ['var a = []; a[4000000000] = 1;', 'Invalid array length'],
  ])('nor does this fill the memory: %s', (source, message) => {
    expect(() => run(source)).toThrow(message);
  });

  it('takes as many steps as it is given', () => {
    const program = 'for (var i = 0; i < 100; i++) { i; } return i;';
    expect(compile(program, { steps: 500 })({})).toBe(100);
    expect(() => compile(program, { steps: 100 })({})).toThrow('more than 100 steps');
  });

  it('counts what the host calls later for the run that it came from', () => {
    const later = compile('return () => { for (var i = 0; i < 10; i++); };', { steps: 50 })({});
    const call = later as () => void;
    call();
    expect(() => {
      for (let i = 0; i < 10; i++) call();
    }).toThrow('more than 50 steps');
  });

  it('leaves room for as many calls within calls as a template needs', () => {
    expect(
      run('const f = (n) => { if (n) { return 1 + f(n - 1); } return 0; }; return f(400);'),
    ).toBe(400);
  });
});
