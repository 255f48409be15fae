import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../build/template-runner/language/compile.ts';
import { soaking } from '../helpers/soak.ts';

const NAMES = ['a', 'b', 'c'];
/** A var and a let of one name in one block would be no program. */
const VARS = ['v', 'w'];
const VALUES = [
  '0',
  '1',
  '-2',
  '1.5',
  '"x"',
  '"7"',
  '""',
  'true',
  'null',
  'undefined',
  '[1, 2]',
  '{}',
];
const OPERATORS = '+ - * / % & | ^ << >> >>> < > <= >= == != === !== && || ,'.split(' ');
const ASSIGNMENTS = '= += -= *= |= ^='.split(' ');

const name = fc.constantFrom(...NAMES, ...VARS);
const lexical = fc.constantFrom(...NAMES);

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const part = tie('expression');
  return {
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom(...VALUES).map((value) => `(${value})`),
      name,
      fc
        .tuple(part, fc.constantFrom(...OPERATORS), part)
        .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      fc
        .tuple(fc.constantFrom('!', '-', '+', '~', 'typeof ', 'void '), part)
        .map(([operator, value]) => `(${operator}${value})`),
      fc.tuple(part, part, part).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
      fc.tuple(name, fc.constantFrom('++', '--')).map(([of, by]) => `(${of}${by})`),
      fc.tuple(fc.constantFrom('++', '--'), name).map(([by, of]) => `(${by}${of})`),
      fc
        .tuple(name, fc.constantFrom(...ASSIGNMENTS), part)
        .map(([to, operator, value]) => `(${to} ${operator} ${value})`),
      fc.tuple(part, part).map(([x, y]) => `(function(a, b) { return ${x}; })(${y})`),
      fc.tuple(part, part).map(([x, y]) => `((b) => ${x})(${y})`),
    ),
  };
});

const { statements } = fc.letrec<{ statement: string; statements: string }>((tie) => {
  const body = tie('statements');
  const block = body.map((inside) => `{ ${inside} }`);
  return {
    statements: fc.array(tie('statement'), { maxLength: 4 }).map((all) => all.join(' ')),
    statement: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      expression.map((value) => `${value};`),
      expression.map((value) => `seen.push(${value});`),
      fc.tuple(name, expression).map(([to, value]) => `${to} = ${value};`),
      fc.tuple(fc.constantFrom(...VARS), expression).map(([of, value]) => `var ${of} = ${value};`),
      fc.constantFrom('break;', 'continue;', 'break outer;', 'continue outer;'),
      expression.map((value) => `if (${value}) return ${value};`),
      fc.tuple(expression, block, block).map(([test, yes, no]) => `if (${test}) ${yes} else ${no}`),
      fc
        .tuple(lexical, expression, body)
        .map(([of, value, inside]) => `{ let ${of} = 1; ${of} = ${value}; ${inside} }`),
      body.map((inside) => `for (let i = 0; i < 3; i++) { made.push(() => i); ${inside} }`),
      body.map((inside) => `for (var k in {x: 1, y: 2}) { seen.push(k); ${inside} }`),
      fc
        .tuple(lexical, body)
        .map(([of, inside]) => `for (const ${of} of [1, "z"]) { seen.push(${of}); ${inside} }`),
      body.map((inside) => `var n = 3; do { ${inside} } while (n-- > 0);`),
      fc
        .tuple(expression, expression, body, body)
        .map(([of, first, x, y]) => `switch (${of}) { case ${first}: ${x} default: ${y} }`),
    ),
  };
});

const program = statements.map(
  (inside) => `
    var a = 1, b = "b", c, v, w = 5;
    var seen = [], made = [];
    const inner = function() {
      outer: for (var turn = 0; turn < 2; turn++) { ${inside} }
    };
    return [inner(), a, b, c, v, w, seen, made.length, made.map(function(f) { return f(); })];`,
);

/** What comes of it: a value, or that it failed; which words are used for that is another matter. */
function outcomeOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return (error as Error).message.replace(/^line \d+: /, '');
  }
}

describe('any program', () => {
  it('does what it does in JavaScript', () => {
    fc.assert(
      fc.property(program, (source) => {
        // `do` may never end as its condition can be continued past or counted up again.
        const ours = outcomeOf(() => compile(source, { steps: 20_000 })({}));
        fc.pre(!(typeof ours === 'string' && ours.startsWith('it does not end')));
        // eslint-disable-next-line @typescript-eslint/no-implied-eval -- The yardstick.
        const theirs = outcomeOf(new Function(source) as () => unknown);
        expect(ours).toStrictEqual(theirs);
      }),
      // The same programs each time, so that a failure is of the change at hand.
      soaking ? { numRuns: 2000 } : { numRuns: 400, seed: 2026 },
    );
  });
});
