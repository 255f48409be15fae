import type { Function as FunctionNode, Identifier, Statement } from 'acorn';
import type { Compiler, Evaluate } from './compiler.ts';
import { placed } from './errors.ts';
import { blockFunctions, declaredFunctions, lexicalNames, varNames } from './hoist.ts';
import { enter, Scope } from './scope.ts';
import type { Frame } from './scope.ts';
import { lineOf } from './syntax.ts';
import { initialize } from './targets.ts';

/** Gives a function of JavaScript for each time that it is come by. */
export function compileFunction(node: FunctionNode, outer: Scope, compiler: Compiler): Evaluate {
  const { name } = node.id ?? { name: '' };
  const self = node.type === 'FunctionExpression' && node.id ? new Scope(outer, false) : null;
  self?.declare(name, 'self');
  const scope = new Scope(self ?? outer, true);
  const params = (node.params as Identifier[]).map((param) => scope.declare(param.name, 'var'));
  const all = params.some((param) => param === scope.own('arguments'))
    ? null
    : scope.declare('arguments', 'var');
  const run = compileBody(node, scope, compiler);
  const line = lineOf(node);

  return (defined) => {
    const outside = self ? enter(self, defined) : defined;
    // It closes over everything and owns nothing: no prototype, no this.
    const made = (...args: unknown[]): unknown => {
      defined.run.spend(line);
      const frame = enter(scope, outside);
      params.forEach(({ slot }, i) => (frame.slots[slot] = args[i]));
      if (all) frame.slots[all.slot] = args;
      return run(frame);
    };
    Object.defineProperty(made, 'name', { value: name });
    if (self) outside.slots[0] = made;
    return made;
  };
}

function compileBody(node: FunctionNode, scope: Scope, compiler: Compiler): Evaluate {
  const { body } = node;
  if (body.type === 'BlockStatement') return compileStatements(body.body, scope, compiler);
  const value = compiler.expression(body, scope);
  const line = lineOf(body);
  return (frame) => {
    try {
      return value(frame);
    } catch (error) {
      throw placed(error, line, frame.run.where);
    }
  };
}

/** The statements of a function, or of the whole program: they give what they return. */
export function compileStatements(
  body: readonly Statement[],
  scope: Scope,
  compiler: Compiler,
): Evaluate {
  for (const { name, kind } of lexicalNames(body)) scope.declare(name, kind);
  const hoisted = declaredFunctions(body);
  const names = [
    ...varNames(body),
    ...[...hoisted, ...blockFunctions(body)].map(({ id }) => id.name),
  ];
  for (const name of names) scope.declare(name, 'var');
  const execute = compiler.sequence(body, scope);
  return (frame) => execute(frame)?.value;
}

/** Makes the functions declared among these statements, before any of them runs. */
export function compileHoisted(
  body: readonly Statement[],
  scope: Scope,
  compiler: Compiler,
): (frame: Frame) => void {
  const made = declaredFunctions(body).map((node) => ({
    make: compiler.function(node, scope),
    set: initialize(node.id.name, scope),
  }));
  return (frame) => {
    for (const { make, set } of made) set(frame, make(frame));
  };
}
