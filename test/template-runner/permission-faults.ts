import type { AnyNode } from 'acorn';
import { apiCalls, apiNamed, isUnknown, required, UNKNOWN, type ApiCall } from './api-calls.ts';
import { askedBy } from './apis/api.ts';
import { LanguageError } from './language/compile.ts';
import { nodesOf, parse } from './language/syntax.ts';
import { isPermitted, type Grants } from './permissions.ts';
import { show } from './values.ts';

function nodesIn(code: string): AnyNode[] {
  try {
    return [...nodesOf(parse(code))];
  } catch (error) {
    // Code that cannot be compiled is a failure already.
    if (error instanceof LanguageError) return [];
    throw error;
  }
}

/** The APIs that the code has and that never work for it, be they called or not. */
function lacking(nodes: AnyNode[], grants: Grants): string[] {
  return nodes.flatMap((node) => {
    const name = required(node);
    const permission = apiNamed(name)?.needs;
    if (name === undefined || permission === undefined || grants.has(permission)) return [];
    return [`${name} is used without ${permission}`];
  });
}

/** The calls that are outside of what is permitted whatever happens before them. */
function outside(calls: ApiCall[], grants: Grants): string[] {
  // Code that asks first may call with what is not permitted, and does not get there.
  const asks = calls.filter(({ name }) => name === 'queryPermission').map(({ args }) => args[0]);
  return calls.flatMap(({ name, api, args, line }) =>
    askedBy(api, args)
      .filter((asked) => !asked.some(isUnknown))
      .filter(([permission]) => grants.has(permission))
      .filter(([permission]) => !asks.includes(permission) && !asks.includes(UNKNOWN))
      .filter((asked) => !isPermitted(grants, ...asked))
      .map(([permission, ...asked]) => {
        const told = asked.filter((one) => one !== undefined).map((one) => `${show(one)} `);
        return `${name} ${told.join('')}is outside of ${permission} (line ${line})`;
      }),
  );
}

/** What the code needs by its text alone and the template's permissions do not give. */
export function permissionFaults({ code, grants }: { code: string; grants: Grants }): string[] {
  const nodes = nodesIn(code);
  return [...new Set([...lacking(nodes, grants), ...outside(apiCalls(nodes), grants)])];
}
