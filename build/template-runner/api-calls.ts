import type { AnyNode, CallExpression } from 'acorn';
import { APIS } from './apis/all.ts';
import type { Api, FunctionApi } from './apis/api.ts';
import { lineOf } from './language/syntax.ts';

/** A call of an API, as far as it can be told from the code alone. */
export interface ApiCall {
  name: string;
  api: FunctionApi;
  /** With `UNKNOWN` for what only the running code knows. */
  args: unknown[];
  line: number;
}

/** What is only known when the code runs. */
export const UNKNOWN = Symbol('unknown');

export const isUnknown = (value: unknown): boolean =>
  value === UNKNOWN ||
  (typeof value === 'object' && value !== null && Object.values(value).some(isUnknown));

function literal(node: AnyNode): unknown {
  if (node.type === 'Literal') return node.value;
  if (node.type === 'ArrayExpression')
    return node.elements.map((one) => (one ? literal(one) : undefined));
  if (node.type !== 'ObjectExpression') return UNKNOWN;
  const fields: [string, unknown][] = [];
  for (const property of node.properties) {
    if (property.type !== 'Property' || property.computed) return UNKNOWN;
    const { key, value } = property;
    fields.push([key.type === 'Identifier' ? key.name : String(literal(key)), literal(value)]);
  }
  return Object.fromEntries(fields);
}

/** The API that `require('…')` names, when that is what the node is. */
export function required(node: AnyNode | null | undefined): string | undefined {
  if (node?.type !== 'CallExpression' || node.callee.type !== 'Identifier') return undefined;
  const [argument] = node.arguments;
  if (node.callee.name !== 'require' || argument?.type !== 'Literal') return undefined;
  return String(argument.value);
}

/** The names that stand for an API all through the code: those declared once, by `require`. */
function namesOfApis(nodes: AnyNode[]): Map<string, string> {
  const names = new Map<string, string>();
  const declared = new Set<string>();
  const declare = (node: AnyNode, api?: string) => {
    if (node.type !== 'Identifier') return;
    if (api !== undefined && !declared.has(node.name)) names.set(node.name, api);
    else names.delete(node.name);
    declared.add(node.name);
  };
  for (const node of nodes) {
    if (node.type === 'VariableDeclarator') declare(node.id, required(node.init));
    else if (node.type === 'AssignmentExpression') declare(node.left);
    else if ('params' in node) node.params.forEach((param) => declare(param));
  }
  return names;
}

export const apiNamed = (name: string | undefined): Api | undefined =>
  name !== undefined && Object.hasOwn(APIS, name) ? APIS[name] : undefined;

function callOf(call: CallExpression, names: Map<string, string>): ApiCall | undefined {
  const nameOf = (node: AnyNode) =>
    required(node) ?? (node.type === 'Identifier' ? names.get(node.name) : undefined);
  const rest = { args: call.arguments.map(literal), line: lineOf(call) };
  if (call.callee.type !== 'MemberExpression') {
    const name = nameOf(call.callee);
    const api = apiNamed(name);
    return name && api && !('methods' in api) ? { name, api, ...rest } : undefined;
  }
  const { object, property } = call.callee;
  const name = nameOf(object);
  const api = apiNamed(name);
  if (!name || !api || !('methods' in api) || property.type !== 'Identifier') return undefined;
  const method = Object.hasOwn(api.methods, property.name) ? api.methods[property.name] : undefined;
  return method && { name: `${name}.${property.name}`, api: method, ...rest };
}

/** The calls of APIs among the nodes of a program. */
export function apiCalls(nodes: AnyNode[]): ApiCall[] {
  const names = namesOfApis(nodes);
  return nodes.flatMap((node) => (node.type === 'CallExpression' && callOf(node, names)) || []);
}
