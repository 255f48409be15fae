import type {
  IfStatement,
  LabeledStatement,
  Statement,
  SwitchStatement,
  VariableDeclaration,
} from 'acorn';
import type { Compiler, Execute, Leave } from './compiler.ts';
import { LanguageError, told } from './errors.ts';
import { compileHoisted } from './functions.ts';
import { declaredFunctions, lexicalNames } from './hoist.ts';
import { compileDoWhile, compileFor, compileForIn, compileForOf, compileWhile } from './loops.ts';
import { enter, frameAt, Scope } from './scope.ts';
import { lineOf, refusalOf } from './syntax.ts';
import { initialize } from './targets.ts';

export function compileStatement(
  node: Statement,
  scope: Scope,
  compiler: Compiler,
  labels: readonly string[],
): Execute {
  const line = lineOf(node);
  const work = compileUncounted(node, scope, compiler, labels);
  return (frame) => {
    frame.run.spend(line);
    try {
      return work(frame);
    } catch (error) {
      throw told(error, line);
    }
  };
}

function compileUncounted(
  node: Statement,
  scope: Scope,
  compiler: Compiler,
  labels: readonly string[],
): Execute {
  switch (node.type) {
    case 'ExpressionStatement': {
      const value = compiler.expression(node.expression, scope);
      return (frame) => void value(frame);
    }
    case 'VariableDeclaration':
      return compileDeclaration(node, scope, compiler);
    case 'FunctionDeclaration':
      return compileDeclaredInBlock(node.id.name, scope);
    case 'ReturnStatement': {
      const value = node.argument && compiler.expression(node.argument, scope);
      return (frame) => ({ kind: 'return', label: null, value: value?.(frame) });
    }
    case 'IfStatement':
      return compileIf(node, scope, compiler);
    case 'BlockStatement':
      return compiler.block(node.body, scope);
    case 'EmptyStatement':
      return () => undefined;
    case 'BreakStatement':
    case 'ContinueStatement': {
      const kind = node.type === 'BreakStatement' ? 'break' : 'continue';
      const leave: Leave = { kind, label: node.label?.name ?? null, value: undefined };
      return () => leave;
    }
    case 'LabeledStatement':
      return compileLabeled(node, scope, compiler, labels);
    case 'SwitchStatement':
      return compileSwitch(node, scope, compiler);
    case 'ForStatement':
      return compileFor(node, scope, compiler, labels);
    case 'ForInStatement':
      return compileForIn(node, scope, compiler, labels);
    case 'ForOfStatement':
      return compileForOf(node, scope, compiler, labels);
    case 'WhileStatement':
      return compileWhile(node, scope, compiler, labels);
    case 'DoWhileStatement':
      return compileDoWhile(node, scope, compiler, labels);
    default:
      throw new LanguageError(refusalOf(node) ?? `${node.type} is not known here`, lineOf(node));
  }
}

/** The scope that a block needs for what is declared right in it; null when that is nothing. */
export function blockScope(body: readonly Statement[], outer: Scope): Scope | null {
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

function compileDeclaration(node: VariableDeclaration, scope: Scope, compiler: Compiler): Execute {
  const parts = node.declarations.flatMap(({ id, init }) => {
    if (id.type !== 'Identifier') {
      throw new LanguageError('there is no destructuring in the sandbox', lineOf(id));
    }
    // A var without a value leaves what the name has; a let without one is undefined from here on.
    if (!init && node.kind === 'var') return [];
    const value = init ? compiler.expression(init, scope) : () => undefined;
    return [{ value, set: initialize(id.name, scope) }];
  });
  return (frame) => {
    for (const { value, set } of parts) set(frame, value(frame));
    return undefined;
  };
}

/**
 * A function declared in a block is known around it too from then on, as a var of the function,
 * unless a let or const of that name stands between.
 */
function compileDeclaredInBlock(name: string, scope: Scope): Execute {
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

function compileIf(node: IfStatement, scope: Scope, compiler: Compiler): Execute {
  const test = compiler.expression(node.test, scope);
  const yes = compiler.block([node.consequent], scope);
  const no = node.alternate ? compiler.block([node.alternate], scope) : null;
  return (frame) => (test(frame) ? yes(frame) : no?.(frame));
}

function compileLabeled(
  node: LabeledStatement,
  scope: Scope,
  compiler: Compiler,
  labels: readonly string[],
): Execute {
  const { name } = node.label;
  const body = compiler.statement(node.body, scope, [...labels, name]);
  return (frame) => {
    const leave = body(frame);
    return leave?.kind === 'break' && leave.label === name ? undefined : leave;
  };
}

function compileSwitch(node: SwitchStatement, outer: Scope, compiler: Compiler): Execute {
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
