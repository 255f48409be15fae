import { parse as parseJavaScript } from 'acorn';
import type { AnyNode, Node, Options, Program } from 'acorn';
import { LanguageError } from './errors.ts';

/** Why this is not in the language; null when it is. */
export function refusalOf(node: AnyNode): string | null {
  return REFUSED[node.type] ?? refusedDetail(node);
}

/**
 * What runs here and yet is better left alone: ES5.1 has it, but no published template uses it
 * and the tag manager's own runtime has no instruction for it.
 */
export function adviceOn(node: AnyNode): string | null {
  if (node.type === 'LabeledStatement') return 'labels are in no published template';
  if (node.type === 'UnaryExpression' && node.operator === 'delete')
    return "delete is in no published template: use require('Object').delete";
  if (node.type === 'BinaryExpression' && node.operator === 'in')
    return 'in is in no published template: use hasOwnProperty';
  return null;
}

const REFUSED: Partial<Record<AnyNode['type'], string>> = {
  NewExpression: 'there is no new in the sandbox',
  ThisExpression: 'there is no this in the sandbox',
  ClassDeclaration: 'there are no classes in the sandbox',
  ClassExpression: 'there are no classes in the sandbox',
  Super: 'there is no super in the sandbox',
  MetaProperty: 'there is no new.target or import.meta in the sandbox',
  AwaitExpression: 'there is no await in the sandbox',
  YieldExpression: 'there is no yield in the sandbox',
  ImportDeclaration: 'there is no import in the sandbox: use require',
  ImportExpression: 'there is no import in the sandbox: use require',
  ExportNamedDeclaration: 'there is no export in the sandbox',
  ExportDefaultDeclaration: 'there is no export in the sandbox',
  ExportAllDeclaration: 'there is no export in the sandbox',
  TemplateLiteral: 'there are no template literals in the sandbox: join strings with +',
  SpreadElement: 'there is no spread (...) in the sandbox',
  RestElement: 'there are no rest parameters (...) in the sandbox: use arguments',
  ObjectPattern: 'there is no destructuring in the sandbox',
  ArrayPattern: 'there is no destructuring in the sandbox',
  AssignmentPattern: 'there are no default values in the sandbox',
  ChainExpression: 'there is no ?. in the sandbox',
  TryStatement: 'there is no try in the sandbox',
  ThrowStatement: 'there is no throw in the sandbox',
  WithStatement: 'there is no with in the sandbox',
  DebuggerStatement: 'there is no debugger in the sandbox',
};

const REFUSED_OPERATORS = new Set(['??', '**', '??=', '**=', '&&=', '||=', 'instanceof']);

/** What depends on more than the kind of the node. */
function refusedDetail(node: AnyNode): string | null {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      if (node.async) return 'there are no async functions in the sandbox';
      return node.generator ? 'there are no generators in the sandbox' : null;
    case 'ForOfStatement':
      return node.await ? 'there is no await in the sandbox' : null;
    case 'VariableDeclaration':
      return node.kind === 'using' || node.kind === 'await using'
        ? 'there is no using in the sandbox'
        : null;
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return REFUSED_OPERATORS.has(node.operator)
        ? `there is no ${node.operator} in the sandbox`
        : null;
    case 'Property':
      return refusedProperty(node);
    case 'Literal':
      if (node.regex) return 'there are no regular expressions in the sandbox: use strings';
      if (typeof node.bigint === 'string') return 'there are no BigInts in the sandbox';
      return typeof node.value === 'number' && /_|^0[bo]/i.test(node.raw ?? '')
        ? 'numbers are written as in ES5 in the sandbox'
        : null;
    default:
      return null;
  }
}

function refusedProperty(node: Extract<AnyNode, { type: 'Property' }>): string | null {
  if (node.computed) return 'there are no computed keys in the sandbox: assign with []';
  if (node.kind !== 'init') return 'there are no getters and setters in the sandbox';
  if (node.method) return 'there are no shorthand methods in the sandbox: write key: function';
  if (node.shorthand) return 'there are no shorthand properties in the sandbox: write key: value';
  return null;
}

const ANY_JAVASCRIPT: Options = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  locations: true,
  allowReturnOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowAwaitOutsideFunction: true,
};

/** The tree of any JavaScript, so that all that is refused in it can be told in our words. */
export function parse(source: string): Program {
  try {
    return withinDepth(() => parseJavaScript(source, ANY_JAVASCRIPT));
  } catch (error) {
    throw unparsable(error, source);
  }
}

/** What goes over its tree with calls within calls; a source too deep for that is refused. */
export function withinDepth<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof RangeError ? new LanguageError('it is nested too deeply', 1) : error;
  }
}

function unparsable(error: unknown, source: string): unknown {
  if (!(error instanceof SyntaxError)) return error;
  const { loc, pos } = error as SyntaxError & { loc?: { line: number }; pos?: number };
  const [what = 'the end'] = /^(\w+|\S)/.exec(source.slice(pos)) ?? [];
  const message = error.message.replace(/ \(\d+:\d+\)$/, '');
  const more = message === 'Unexpected token' ? `: ${what}` : '';
  return new LanguageError(message + more, loc?.line ?? 1);
}

export function lineOf(node: Node): number {
  return node.loc?.start.line ?? 1;
}

/** Every node in the order of the source, however deep. */
export function nodesOf(root: AnyNode): AnyNode[] {
  const found: AnyNode[] = [];
  const waiting = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    found.push(node);
    for (const child of childrenOf(node).reverse()) waiting.push(child);
  }
  return found;
}

export function childrenOf(node: AnyNode): AnyNode[] {
  return Object.values(node)
    .flat()
    .filter(isNode)
    .sort((a, b) => a.start - b.start);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
