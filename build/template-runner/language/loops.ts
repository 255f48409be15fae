import type {
  DoWhileStatement,
  ForInStatement,
  ForOfStatement,
  ForStatement,
  Identifier,
  WhileStatement,
} from 'acorn';
import type { Compiler, Evaluate, Execute, Leave } from './compiler.ts';
import { RuntimeError } from './errors.ts';
import { lexicalNames } from './hoist.ts';
import { isIn } from './members.ts';
import { enter, Scope } from './scope.ts';
import type { Frame } from './scope.ts';
import { lineOf } from './syntax.ts';
import { initialize, targetOf } from './targets.ts';
import { isObject, text } from './values.ts';

type Labels = readonly string[];

/** What a turn's end means for its loop: go on, or be done with this to tell. */
function ended(leave: Leave | undefined, labels: Labels): { with: Leave | undefined } | null {
  if (!leave) return null;
  const mine = leave.label === null || labels.includes(leave.label);
  if (leave.kind === 'continue' && mine) return null;
  return { with: leave.kind === 'break' && mine ? undefined : leave };
}

/** A `do` differs in its first turn only, which nothing is asked before. */
export function compileWhile(
  node: WhileStatement | DoWhileStatement,
  scope: Scope,
  compiler: Compiler,
  labels: Labels,
): Execute {
  const test = compiler.expression(node.test, scope);
  const body = compiler.block([node.body], scope);
  const line = lineOf(node);
  return (frame) => {
    for (let isSure = node.type === 'DoWhileStatement'; isSure || test(frame); isSure = false) {
      frame.run.spend(line);
      const end = ended(body(frame), labels);
      if (end) return end.with;
    }
    return undefined;
  };
}

export function compileFor(
  node: ForStatement,
  outer: Scope,
  compiler: Compiler,
  labels: Labels,
): Execute {
  const { init } = node;
  const scope = headScope(init, outer);
  const start =
    init?.type === 'VariableDeclaration'
      ? compiler.statement(init, scope)
      : init && compiler.expression(init, scope);
  const test = node.test && compiler.expression(node.test, scope);
  const update = node.update && compiler.expression(node.update, scope);
  const body = compiler.block([node.body], scope);
  const line = lineOf(node);
  const copied = (frame: Frame) =>
    scope === outer ? frame : { ...frame, slots: [...frame.slots] };
  return (around) => {
    let frame = scope === outer ? around : enter(scope, around);
    start?.(frame);
    frame = copied(frame);
    for (;;) {
      frame.run.spend(line);
      if (test && !test(frame)) return undefined;
      const end = ended(body(frame), labels);
      if (end) return end.with;
      // Each turn has variables of its own, for the functions that are made in it.
      frame = copied(frame);
      update?.(frame);
    }
  };
}

/** The scope for a let or const in a loop's head; the one around when there is none. */
function headScope(head: ForStatement['init'] | ForInStatement['left'], outer: Scope): Scope {
  const names = head ? lexicalNames([head]) : [];
  if (names.length === 0) return outer;
  const scope = new Scope(outer, false);
  for (const { name, kind } of names) scope.declare(name, kind);
  return scope;
}

export function compileForIn(
  node: ForInStatement,
  scope: Scope,
  compiler: Compiler,
  labels: Labels,
): Execute {
  const turns = compileTurns(node, scope, compiler, labels);
  return turns((value) => {
    const keys = isObject(value) ? Object.keys(value) : Object.keys(Object(value) as object);
    if (!isObject(value)) return keys;
    // What is deleted on the way is not come by any more.
    return lazily(keys, (key) => isIn(key, value, lineOf(node)));
  });
}

function* lazily(keys: string[], stillThere: (key: string) => boolean): Generator<string> {
  for (const key of keys) if (stillThere(key)) yield key;
}

export function compileForOf(
  node: ForOfStatement,
  scope: Scope,
  compiler: Compiler,
  labels: Labels,
): Execute {
  const turns = compileTurns(node, scope, compiler, labels);
  return turns((value) => {
    if (Array.isArray(value) || typeof value === 'string') return value;
    throw new RuntimeError(`${text(value)} is not iterable`, lineOf(node.right));
  });
}

function compileTurns(
  node: ForInStatement | ForOfStatement,
  outer: Scope,
  compiler: Compiler,
  labels: Labels,
): (items: (value: unknown) => Iterable<unknown>) => Execute {
  const scope = headScope(node.left, outer);
  const set = compileTurnsName(node.left, scope, compiler);
  // The name is not known yet where the value of the loop is worked out.
  const right: Evaluate = compiler.expression(node.right, scope);
  const body = compiler.block([node.body], scope);
  const line = lineOf(node);
  const inner = (around: Frame) => (scope === outer ? around : enter(scope, around));
  return (items) => (around) => {
    for (const item of items(right(inner(around)))) {
      around.run.spend(line);
      const frame = inner(around);
      set(frame, item);
      const end = ended(body(frame), labels);
      if (end) return end.with;
    }
    return undefined;
  };
}

function compileTurnsName(
  left: ForInStatement['left'],
  scope: Scope,
  compiler: Compiler,
): (frame: Frame, value: unknown) => void {
  if (left.type === 'VariableDeclaration') {
    const [first] = left.declarations;
    return initialize((first?.id as Identifier).name, scope);
  }
  const target = targetOf(left, scope, compiler);
  return (frame, value) => target.at(frame).write(value);
}
