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

/** The APIs among these names that never work for the template, be they called or not. */
function lacking(names: string[], grants: Grants): string[] {
  return names.flatMap((name) => {
    const permission = apiNamed(name)?.needs;
    if (permission === undefined || grants.has(permission)) return [];
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

/**
 * What the code needs by its text, and by the names that it was seen to require when it ran, and
 * the template's permissions do not give.
 */
export function permissionFaults(
  { code, grants }: { code: string; grants: Grants },
  seen: string[] = [],
): string[] {
  const nodes = nodesIn(code);
  const names = [...nodes.flatMap((node) => required(node) ?? []), ...seen];
  return [...new Set([...lacking(names, grants), ...outside(apiCalls(nodes), grants)])];
}
