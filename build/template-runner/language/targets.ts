import type { Expression, Identifier, MemberExpression, Pattern } from 'acorn';
import type { Compiler, Evaluate } from './compiler.ts';
import { LanguageError, RuntimeError } from './errors.ts';
import { getMember, setMember } from './members.ts';
import { frameAt, UNSET } from './scope.ts';
import type { Frame, Place, Scope } from './scope.ts';
import { lineOf } from './syntax.ts';

/** What can be assigned to. Its own parts run once, however often it is read and written. */
export interface Target {
  at(frame: Frame): Reference;
}

export interface Reference {
  read(): unknown;
  write(value: unknown): void;
}

export function targetOf(node: Pattern | Expression, scope: Scope, compiler: Compiler): Target {
  if (node.type === 'Identifier') {
    const read = readName(node, scope);
    const write = writeName(node, scope);
    return {
      at: (frame) => ({ read: () => read(frame), write: (value) => write(frame, value) }),
    };
  }
  if (node.type === 'MemberExpression') return memberTarget(node, scope, compiler);
  throw new LanguageError('this cannot be assigned to', lineOf(node));
}

function memberTarget(node: MemberExpression, scope: Scope, compiler: Compiler): Target {
  const { object, key } = memberParts(node, scope, compiler);
  const line = lineOf(node.property);
  return {
    at(frame) {
      const target = object(frame);
      const name = key(frame);
      return {
        read: () => getMember(target, name, line),
        write: (value) => setMember(target, name, value, line),
      };
    },
  };
}

export function memberParts(
  node: MemberExpression,
  scope: Scope,
  compiler: Compiler,
): { object: Evaluate; key: Evaluate } {
  if (node.object.type === 'Super' || node.property.type === 'PrivateIdentifier') {
    throw new LanguageError('there are no classes in the sandbox', lineOf(node));
  }
  const object = compiler.expression(node.object, scope);
  if (node.computed) return { object, key: compiler.expression(node.property, scope) };
  const { name } = node.property as Identifier;
  return { object, key: () => name };
}

export function readName(node: Identifier, scope: Scope): Evaluate {
  const { name } = node;
  const place = scope.find(name);
  const line = lineOf(node);
  if (place) return readPlace(name, place, line);
  return ({ run }) => {
    if (run.globals.has(name)) return run.globals.get(name);
    if (name === 'undefined') return undefined;
    throw new RuntimeError(`${name} is not defined`, line);
  };
}

function readPlace(name: string, { hops, slot }: Place, line: number): Evaluate {
  return (frame) => {
    const value = frameAt(frame, hops).slots[slot];
    if (value === UNSET) throw unset(name, line);
    return value;
  };
}

function unset(name: string, line: number): RuntimeError {
  return new RuntimeError(`Cannot access '${name}' before initialization`, line);
}

function writeName(node: Identifier, scope: Scope): (frame: Frame, value: unknown) => void {
  const { name } = node;
  const place = scope.find(name);
  const line = lineOf(node);
  if (!place) {
    return ({ run }, value) => {
      if (!run.globals.has(name)) throw new RuntimeError(`${name} is not defined`, line);
      run.globals.set(name, value);
    };
  }
  const { hops, slot, kind } = place;
  return (frame, value) => {
    const { slots } = frameAt(frame, hops);
    if (slots[slot] === UNSET) throw unset(name, line);
    if (kind === 'const') throw new RuntimeError('Assignment to constant variable.', line);
    // A function's own name inside it keeps its function, without a word.
    if (kind !== 'self') slots[slot] = value;
  };
}

/** Gives a declared name its first value. */
export function initialize(name: string, scope: Scope): (frame: Frame, value: unknown) => void {
  const place = scope.find(name);
  if (!place) throw new Error(`${name} was not declared`);
  return (frame, value) => {
    frameAt(frame, place.hops).slots[place.slot] = value;
  };
}
