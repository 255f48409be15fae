import type { AssignmentExpression, Expression, UpdateExpression } from 'acorn';
import type { Compiler, Evaluate } from './compiler.ts';
import { LanguageError } from './errors.ts';
import { deleteMember } from './members.ts';
import type { Scope } from './scope.ts';
import { lineOf } from './syntax.ts';
import { memberParts, targetOf } from './targets.ts';
import { BINARY, primitive } from './values.ts';

export function compileAssignment(
  node: AssignmentExpression,
  scope: Scope,
  compiler: Compiler,
): Evaluate {
  const target = targetOf(node.left, scope, compiler);
  const right = compiler.expression(node.right, scope);
  const work = node.operator === '=' ? null : operation(node.operator.slice(0, -1), lineOf(node));
  return (frame) => {
    const reference = target.at(frame);
    const before = work ? reference.read() : undefined;
    const value = work ? work(before, right(frame)) : right(frame);
    reference.write(value);
    return value;
  };
}

export function compileUpdate(node: UpdateExpression, scope: Scope, compiler: Compiler): Evaluate {
  const target = targetOf(node.argument, scope, compiler);
  const by = node.operator === '++' ? 1 : -1;
  return (frame) => {
    const reference = target.at(frame);
    const before = Number(primitive(reference.read()));
    reference.write(before + by);
    return node.prefix ? before + by : before;
  };
}

export function compileDelete(argument: Expression, scope: Scope, compiler: Compiler): Evaluate {
  if (argument.type === 'Identifier') return () => false;
  if (argument.type !== 'MemberExpression') {
    const value = compiler.expression(argument, scope);
    return (frame) => (value(frame), true);
  }
  const { object, key } = memberParts(argument, scope, compiler);
  const line = lineOf(argument.property);
  return (frame) => deleteMember(object(frame), key(frame), line);
}

export function operation(operator: string, line: number) {
  const work = BINARY[operator];
  if (!work) throw new LanguageError(`there is no ${operator} in the sandbox`, line);
  return work;
}
