import type { IfStatement, LabeledStatement, Statement, VariableDeclaration } from 'acorn';
import type { Compiler, Execute, Leave } from './compiler.ts';
import { LanguageError, placed } from './errors.ts';
import { compileDeclaredInBlock, compileSwitch } from './blocks.ts';
import { compileFor, compileForIn, compileForOf, compileWhile } from './loops.ts';
import type { Scope } from './scope.ts';
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
    try {
      frame.run.spend(line);
      return work(frame);
    } catch (error) {
      throw placed(error, line, frame.run.where);
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
    case 'DoWhileStatement':
      return compileWhile(node, scope, compiler, labels);
    default:
      throw new LanguageError(refusalOf(node) ?? `${node.type} is not known here`, lineOf(node));
  }
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
