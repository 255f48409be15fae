import type { AnyNode, Identifier, Statement } from 'acorn';
import {
  blockFunctions,
  declaredFunctions,
  lexicalNames,
  patternNames,
  varNames,
} from './language/hoist.ts';
import { childrenOf } from './language/syntax.ts';

/** Whether a name is known at some place of the source. */
type Known = (name: string) => boolean;

/** Every use of a name that nothing around it declares. */
export function undeclared(node: AnyNode, known: Known): Identifier[] {
  const own = declaredBy(node);
  const inside: Known = own.size > 0 ? (name) => own.has(name) || known(name) : known;
  return usesIn(node).flatMap((child) =>
    child.type === 'Identifier' ? (inside(child.name) ? [] : [child]) : undeclared(child, inside),
  );
}

/** What this very node declares for what is in it; of refused constructs too. */
function declaredBy(node: AnyNode): ReadonlySet<string> {
  switch (node.type) {
    case 'Program':
      return new Set(namesOfFunction(node.body as Statement[]));
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression': {
      const body = node.body.type === 'BlockStatement' ? node.body.body : [];
      const own = node.id ? [node.id.name] : [];
      return new Set(
        [...own, 'arguments', ...node.params.flatMap(patternNames)].concat(namesOfFunction(body)),
      );
    }
    case 'BlockStatement':
    case 'StaticBlock':
      return new Set(namesOfBlock(node.body));
    case 'SwitchStatement':
      return new Set(namesOfBlock(node.cases.flatMap(({ consequent }) => consequent)));
    case 'ForStatement':
      return new Set(node.init ? namesOfBlock([node.init]) : []);
    case 'ForInStatement':
    case 'ForOfStatement':
      return new Set(namesOfBlock([node.left]));
    case 'CatchClause':
      return new Set(node.param ? patternNames(node.param) : []);
    case 'ClassExpression':
      return new Set(node.id ? [node.id.name] : []);
    default:
      return NOTHING;
  }
}

const NOTHING: ReadonlySet<string> = new Set();

function namesOfFunction(body: readonly Statement[]): string[] {
  const inBlocks = blockFunctions(body).map(({ id }) => id.name);
  return [...varNames(body), ...inBlocks, ...namesOfBlock(body)];
}

function namesOfBlock(body: readonly AnyNode[]): string[] {
  const others = body.flatMap((node) => {
    if (node.type === 'ClassDeclaration') return node.id ? [node.id.name] : [];
    if (node.type === 'ImportDeclaration') return node.specifiers.map(({ local }) => local.name);
    return [];
  });
  const functions = declaredFunctions(body).map(({ id }) => id.name);
  return [...lexicalNames(body).map(({ name }) => name), ...functions, ...others];
}

/** The parts of a node in which names are used: not its labels, nor keys that are only words. */
function usesIn(node: AnyNode): AnyNode[] {
  switch (node.type) {
    case 'MemberExpression':
      return node.computed ? childrenOf(node) : [node.object];
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return [...(node.computed ? [node.key] : []), ...(node.value ? [node.value] : [])];
    case 'LabeledStatement':
      return [node.body];
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
      return [];
    case 'ExportNamedDeclaration':
      return node.declaration ? [node.declaration] : [];
    default:
      return childrenOf(node);
  }
}
