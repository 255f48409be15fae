import type { Statement } from 'acorn';
import { compileBlock, compileSequence } from './blocks.ts';
import type { Compiler, Evaluate } from './compiler.ts';
import { LanguageError, placed } from './errors.ts';
import type { Where } from './errors.ts';
import { compileExpression } from './expressions.ts';
import { compileFunction, compileStatements } from './functions.ts';
import { Run, Scope } from './scope.ts';
import { compileStatement } from './statements.ts';
import { lineOf, nodesOf, parse, refusalOf, withinDepth } from './syntax.ts';

export { LanguageError, RuntimeError } from './errors.ts';

/**
 * Runs it as the body of a function and gives what it returns. The names handed in are all that
 * it can see of the outside; of an object it sees what the object itself has, and it can change
 * that, so each run gets objects made for it.
 */
export type Program = (globals: Record<string, unknown>) => unknown;

const STEPS = 5_000_000;

interface Options {
  steps?: number;
  /** How a line of this program is told; by its number alone if nothing else is said. */
  where?: Where;
}

/** The tag manager's sandboxed JavaScript, made ready to run; the first refusal is thrown. */
export function compile(source: string, options: Options = {}): Program {
  const { steps = STEPS, where = (line) => `line ${line}` } = options;
  const { scope, body } = placing(where, () => withinDepth(() => built(source)));
  return (globals) => {
    const run = new Run(globals, steps, where);
    return body({ slots: scope.fresh(run.globals), outer: null, run });
  };
}

function placing<T>(where: Where, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw placed(error, 1, where);
  }
}

function built(source: string): { scope: Scope; body: Evaluate } {
  const tree = parse(source);
  for (const node of nodesOf(tree)) {
    const refusal = refusalOf(node);
    if (refusal) throw new LanguageError(refusal, lineOf(node));
  }
  const scope = new Scope(null, true);
  return {
    scope,
    body: compileStatements(tree.body as Statement[], scope, createCompiler(source)),
  };
}

function createCompiler(source: string): Compiler {
  const compiler: Compiler = {
    source,
    expression: (node, scope) => compileExpression(node, scope, compiler),
    statement: (node, scope, labels = []) => compileStatement(node, scope, compiler, labels),
    block: (body, scope) => compileBlock(body, scope, compiler),
    sequence: (body, scope) => compileSequence(body, scope, compiler),
    function: (node, scope) => compileFunction(node, scope, compiler),
  };
  return compiler;
}
