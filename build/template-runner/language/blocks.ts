import type { Statement, SwitchStatement } from 'acorn';
import type { Compiler, Execute } from './compiler.ts';
import { compileHoisted } from './functions.ts';
import { declaredFunctions, lexicalNames } from './hoist.ts';
import { enter, frameAt, Scope } from './scope.ts';

/** The scope that a block needs for what is declared right in it; null when that is nothing. */
function blockScope(body: readonly Statement[], outer: Scope): Scope | null {
  const lexical = lexicalNames(body);
  const functions = declaredFunctions(body);
  if (lexical.length + functions.length === 0) return null;
  const scope = new Scope(outer, false);
  for (const { name, kind } of lexical) scope.declare(name, kind);
  for (const { id } of functions) scope.declare(id.name, 'var');
  return scope;
}

export function compileBlock(
  body: readonly Statement[],
  outer: Scope,
  compiler: Compiler,
): Execute {
  const scope = blockScope(body, outer);
  if (!scope) return compiler.sequence(body, outer);
  const execute = compiler.sequence(body, scope);
  return (frame) => execute(enter(scope, frame));
}

export function compileSequence(
  body: readonly Statement[],
  scope: Scope,
  compiler: Compiler,
): Execute {
  const hoist = compileHoisted(body, scope, compiler);
  const steps = body.map((node) => compiler.statement(node, scope));
  return (frame) => {
    hoist(frame);
    for (const step of steps) {
      const leave = step(frame);
      if (leave) return leave;
    }
    return undefined;
  };
}

/**
 * A function declared in a block is known around it too from then on, as a var of the function,
 * unless a let or const of that name stands between.
 */
export function compileDeclaredInBlock(name: string, scope: Scope): Execute {
  if (scope.isFunction) return () => undefined;
  let hops = 0;
  let around = scope;
  while (!around.isFunction && around.outer) {
    around = around.outer;
    hops++;
    const kind = around.own(name)?.kind;
    if (kind === 'let' || kind === 'const') return () => undefined;
  }
  const from = scope.own(name);
  const to = around.own(name);
  if (!from || !to) return () => undefined;
  return (frame) => {
    frameAt(frame, hops).slots[to.slot] = frame.slots[from.slot];
    return undefined;
  };
}

export function compileSwitch(node: SwitchStatement, outer: Scope, compiler: Compiler): Execute {
  const all = node.cases.flatMap(({ consequent }) => consequent);
  const scope = blockScope(all, outer) ?? outer;
  const subject = compiler.expression(node.discriminant, outer);
  const hoist = compileHoisted(all, scope, compiler);
  const cases = node.cases.map(({ test, consequent }) => ({
    test: test ? compiler.expression(test, scope) : null,
    steps: consequent.map((statement) => compiler.statement(statement, scope)),
  }));
  const otherwise = cases.findIndex(({ test }) => test === null);
  return (around) => {
    const value = subject(around);
    const frame = scope === outer ? around : enter(scope, around);
    hoist(frame);
    const matching = cases.findIndex(({ test }) => test !== null && test(frame) === value);
    const start = matching === -1 ? otherwise : matching;
    if (start === -1) return undefined;
    for (const step of cases.slice(start).flatMap(({ steps }) => steps)) {
      const leave = step(frame);
      if (leave) return leave.kind === 'break' && leave.label === null ? undefined : leave;
    }
    return undefined;
  };
}
