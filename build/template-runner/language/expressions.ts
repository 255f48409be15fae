import type {
  BinaryExpression,
  CallExpression,
  Expression,
  ObjectExpression,
  SpreadElement,
  UnaryExpression,
} from 'acorn';
import type { Compiler, Evaluate } from './compiler.ts';
import { LanguageError } from './errors.ts';
import { compileAssignment, compileDelete, compileUpdate, operation } from './assignments.ts';
import { define, getMember, isIn } from './members.ts';
import { call, callMember } from './methods.ts';
import type { Frame, Scope } from './scope.ts';
import { lineOf, refusalOf } from './syntax.ts';
import { memberParts, readName } from './targets.ts';
import { UNARY } from './values.ts';

export function compileExpression(node: Expression, scope: Scope, compiler: Compiler): Evaluate {
  const compiled = (part: Expression) => compiler.expression(part, scope);
  switch (node.type) {
    case 'Literal': {
      const { value } = node;
      return () => value;
    }
    case 'Identifier':
      return readName(node, scope);
    case 'MemberExpression': {
      const { object, key } = memberParts(node, scope, compiler);
      const line = lineOf(node.property);
      return (frame) => getMember(object(frame), key(frame), line);
    }
    case 'CallExpression':
      return compileCall(node, scope, compiler);
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return compiler.function(node, scope);
    case 'ObjectExpression':
      return compileObject(node, scope, compiler);
    case 'ArrayExpression':
      return compileArray(node.elements, scope, compiler);
    case 'UnaryExpression':
      return compileUnary(node, scope, compiler);
    case 'BinaryExpression':
      return compileBinary(node, scope, compiler);
    case 'LogicalExpression': {
      const left = compiled(node.left);
      const right = compiled(node.right);
      return node.operator === '&&'
        ? (frame) => left(frame) && right(frame)
        : (frame) => left(frame) || right(frame);
    }
    case 'ConditionalExpression': {
      const test = compiled(node.test);
      const yes = compiled(node.consequent);
      const no = compiled(node.alternate);
      return (frame) => (test(frame) ? yes(frame) : no(frame));
    }
    case 'SequenceExpression': {
      const parts = node.expressions.map(compiled);
      return (frame) => parts.reduce((_: unknown, part) => part(frame), undefined);
    }
    case 'AssignmentExpression':
      return compileAssignment(node, scope, compiler);
    case 'UpdateExpression':
      return compileUpdate(node, scope, compiler);
    case 'ParenthesizedExpression':
      return compiled(node.expression);
    default:
      throw new LanguageError(refusalOf(node) ?? `${node.type} is not known here`, lineOf(node));
  }
}

function compileArguments(
  nodes: readonly (Expression | SpreadElement)[],
  scope: Scope,
  compiler: Compiler,
): (frame: Frame) => unknown[] {
  const parts = nodes.map((node) => compiler.expression(node as Expression, scope));
  return (frame) => parts.map((part) => part(frame));
}

function compileCall(node: CallExpression, scope: Scope, compiler: Compiler): Evaluate {
  const { callee } = node;
  const args = compileArguments(node.arguments, scope, compiler);
  const written = shortened(compiler.source.slice(callee.start, callee.end));
  if (callee.type === 'MemberExpression') {
    const { object, key } = memberParts(callee, scope, compiler);
    const line = lineOf(callee.property);
    return (frame) => {
      const target = object(frame);
      const name = key(frame);
      // JavaScript looks for the method before it looks at what is handed to it.
      if (target === null || target === undefined) return getMember(target, name, line);
      return callMember(target, name, args(frame), { line, written, run: frame.run });
    };
  }
  const line = lineOf(node);
  const called = compiler.expression(callee as Expression, scope);
  return (frame) => {
    const value = called(frame);
    return call(value, args(frame), { line, written, run: frame.run });
  };
}

/** What is called, in one short line. */
function shortened(written: string): string {
  const line = written.replace(/\s+/g, ' ');
  return line.length > 60 ? `…${line.slice(-59)}` : line;
}

function compileObject(node: ObjectExpression, scope: Scope, compiler: Compiler): Evaluate {
  const entries = node.properties.map((property) => {
    if (property.type !== 'Property') {
      throw new LanguageError('there is no spread (...) in the sandbox', lineOf(property));
    }
    const { key } = property;
    const name = key.type === 'Identifier' ? key.name : String((key as { value: unknown }).value);
    return { name, value: compiler.expression(property.value, scope) };
  });
  return (frame) => {
    const made = {};
    for (const { name, value } of entries) define(made, name, value(frame));
    return made;
  };
}

function compileArray(
  elements: readonly (Expression | SpreadElement | null)[],
  scope: Scope,
  compiler: Compiler,
): Evaluate {
  const parts = elements.map((node) => node && compiler.expression(node as Expression, scope));
  return (frame) => {
    const made: unknown[] = [];
    made.length = parts.length;
    parts.forEach((part, i) => {
      if (part) made[i] = part(frame);
    });
    return made;
  };
}

function compileUnary(node: UnaryExpression, scope: Scope, compiler: Compiler): Evaluate {
  const { argument, operator } = node;
  if (operator === 'delete') return compileDelete(argument, scope, compiler);
  const value = compiler.expression(argument, scope);
  if (operator === 'typeof' && argument.type === 'Identifier' && !scope.find(argument.name)) {
    const { name } = argument;
    return ({ run }) => typeof run.globals.get(name);
  }
  const work = UNARY[operator];
  if (!work) throw new LanguageError(`there is no ${operator} in the sandbox`, lineOf(node));
  return (frame) => work(value(frame));
}

function compileBinary(node: BinaryExpression, scope: Scope, compiler: Compiler): Evaluate {
  const line = lineOf(node);
  const left = compiler.expression(node.left as Expression, scope);
  const right = compiler.expression(node.right, scope);
  if (node.operator === 'in') return (frame) => isIn(left(frame), right(frame), line);
  const work = operation(node.operator, line);
  return (frame) => work(left(frame), right(frame));
}
