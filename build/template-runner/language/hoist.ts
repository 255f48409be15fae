import type { AnyNode, FunctionDeclaration, Pattern, Statement } from 'acorn';
import { childrenOf } from './syntax.ts';

/** The names that a pattern declares; of destructuring too, which only the lint meets. */
export function patternNames(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element ? patternNames(element) : []));
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        patternNames(property.type === 'Property' ? property.value : property.argument),
      );
    case 'AssignmentPattern':
      return patternNames(pattern.left);
    case 'RestElement':
      return patternNames(pattern.argument);
    case 'MemberExpression':
      return [];
  }
}

/** The names that var declares anywhere in a function's statements, in blocks too. */
export function varNames(statements: readonly AnyNode[]): string[] {
  return statements.flatMap((node): string[] => {
    if (isFunction(node)) return [];
    const own =
      node.type === 'VariableDeclaration' && node.kind === 'var'
        ? node.declarations.flatMap(({ id }) => patternNames(id))
        : [];
    return [...own, ...varNames(childrenOf(node))];
  });
}

/** The let and const declared among these very statements. */
export function lexicalNames(
  statements: readonly AnyNode[],
): { name: string; kind: 'let' | 'const' }[] {
  return statements.flatMap((node) => {
    if (node.type !== 'VariableDeclaration' || node.kind === 'var') return [];
    const kind = node.kind === 'const' ? 'const' : 'let';
    return node.declarations.flatMap(({ id }) =>
      patternNames(id).map((name) => ({ name, kind }) as const),
    );
  });
}

/** The functions declared among these very statements, labelled ones too. */
export function declaredFunctions(statements: readonly AnyNode[]): FunctionDeclaration[] {
  return statements.flatMap((node): FunctionDeclaration[] => {
    if (node.type === 'FunctionDeclaration') return [node as FunctionDeclaration];
    return node.type === 'LabeledStatement' ? declaredFunctions([node.body]) : [];
  });
}

/** The functions declared in blocks, whose names are also vars of the function around them. */
export function blockFunctions(statements: readonly Statement[]): FunctionDeclaration[] {
  const inside = (node: AnyNode): FunctionDeclaration[] => {
    if (isFunction(node)) return [];
    const declared =
      node.type === 'BlockStatement'
        ? declaredFunctions(node.body)
        : node.type === 'SwitchStatement'
          ? declaredFunctions(node.cases.flatMap(({ consequent }) => consequent))
          : node.type === 'IfStatement'
            ? declaredFunctions([node.consequent, ...(node.alternate ? [node.alternate] : [])])
            : [];
    return [...declared, ...childrenOf(node).flatMap(inside)];
  };
  return statements.flatMap(inside);
}

function isFunction(node: AnyNode): boolean {
  return (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  );
}
