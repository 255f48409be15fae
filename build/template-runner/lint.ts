import type { AnyNode, CallExpression, MemberExpression } from 'acorn';
import { LanguageError } from './language/errors.ts';
import { isAbsent } from './language/methods.ts';
import { adviceOn, lineOf, nodesOf, parse, refusalOf, withinDepth } from './language/syntax.ts';
import { undeclared } from './lint-names.ts';

export interface Finding {
  readonly line: number;
  readonly message: string;
}

/** The names that a template's code is given. */
const HANDED_IN: ReadonlySet<string> = new Set(['data', 'require']);

/** What leads to a prototype in JavaScript and nowhere in the sandbox. */
const WAYS_OUT: ReadonlySet<string> = new Set(['constructor', 'prototype', '__proto__']);

/**
 * Everything in a template's code that the sandbox does not have, all of it and in the order of
 * its lines. With `known`, the names of all APIs, it also tells what cannot be required.
 */
export function lint(
  source: string,
  known?: ReadonlySet<string>,
  handedIn: ReadonlySet<string> = HANDED_IN,
): Finding[] {
  try {
    return withinDepth(() => {
      const tree = parse(source);
      return inOrder([
        ...syntaxFindings(tree),
        ...nameFindings(tree, handedIn),
        ...memberFindings(tree),
        ...requireFindings(tree, known),
      ]);
    });
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error;
    return [{ line: error.line, message: error.reason }];
  }
}

function inOrder(findings: Finding[]): Finding[] {
  const once = new Map(findings.map((finding) => [`${finding.line} ${finding.message}`, finding]));
  return [...once.values()].sort((a, b) => a.line - b.line);
}

function syntaxFindings(tree: AnyNode): Finding[] {
  const nodes = [...nodesOf(tree)];
  // Their shorthand is the destructuring's, which is told already.
  const inPatterns = new Set<AnyNode>(
    nodes.flatMap((node) =>
      node.type === 'ObjectPattern'
        ? node.properties.filter(({ type }) => type === 'Property')
        : [],
    ),
  );
  return nodes.flatMap((node) => {
    const message = inPatterns.has(node) ? null : (refusalOf(node) ?? adviceOn(node));
    return message === null ? [] : [{ line: lineOf(node), message }];
  });
}

function nameFindings(tree: AnyNode, handedIn: ReadonlySet<string>): Finding[] {
  const given = (name: string) => handedIn.has(name) || name === 'undefined';
  return undeclared(tree, given).map((node) => ({
    line: lineOf(node),
    message: `${node.name} is not declared, and the sandbox has no such global`,
  }));
}

function memberFindings(tree: AnyNode): Finding[] {
  const nodes = [...nodesOf(tree)];
  const own = new Set(nodes.flatMap(nameGiven));
  const apis = new Set(nodes.flatMap(nameOfApi));
  const called = new Set<AnyNode>(
    nodes.flatMap((node) => (node.type === 'CallExpression' ? [node.callee] : [])),
  );
  return nodes.flatMap((node) => {
    if (node.type !== 'MemberExpression') return [];
    const name = memberName(node);
    const { object } = node;
    const ofApi = isRequire(object) || (object.type === 'Identifier' && apis.has(object.name));
    if (name === null || own.has(name) || ofApi) return [];
    const line = lineOf(node.property);
    if (WAYS_OUT.has(name)) return [{ line, message: `there is no .${name} in the sandbox` }];
    return called.has(node) && isAbsent(name)
      ? [{ line, message: `there is no method .${name}() in the sandbox` }]
      : [];
  });
}

/** The name of a member that the source itself gives to some object, so that it may be there. */
function nameGiven(node: AnyNode): string[] {
  if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression') {
    return [memberName(node.left) ?? []].flat();
  }
  if (node.type !== 'Property' || node.computed) return [];
  return node.key.type === 'Identifier' ? [node.key.name] : [stringOf(node.key) ?? []].flat();
}

/** The name under which an API is required: its methods are the API's own. */
function nameOfApi(node: AnyNode): string[] {
  if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return [];
  return node.init && isRequire(node.init) ? [node.id.name] : [];
}

function memberName(node: MemberExpression): string | null {
  if (node.computed) return stringOf(node.property);
  return node.property.type === 'Identifier' ? node.property.name : null;
}

function stringOf(node: AnyNode | undefined): string | null {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null;
}

function isRequire(node: AnyNode): node is CallExpression {
  return (
    node.type === 'CallExpression' &&
    node.callee.type === 'Identifier' &&
    node.callee.name === 'require'
  );
}

function requireFindings(tree: AnyNode, known: ReadonlySet<string> | undefined): Finding[] {
  return [...nodesOf(tree)].filter(isRequire).flatMap((node): Finding[] => {
    const line = lineOf(node);
    const name = stringOf(node.arguments[0]);
    if (name === null || node.arguments.length !== 1) {
      return [{ line, message: 'require takes the name of an API, written as a string' }];
    }
    return known && !known.has(name) ? [{ line, message: `there is no API named ${name}` }] : [];
  });
}
