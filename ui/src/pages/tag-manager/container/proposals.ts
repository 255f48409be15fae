import type { Definition, Kind } from '$server/tagmanager/api/schema.ts';

/** What the tag manager gives an object, and nobody edits. */
const NOT_OURS = new Set(['accountId', 'containerId', 'workspaceId', 'path', 'fingerprint']);

/** What of an object can be edited; an update puts it in the place of all that was there. */
export function editable(kind: Kind, definition: Definition): Definition {
  return Object.fromEntries(
    Object.entries(definition).filter(
      ([name]) => !NOT_OURS.has(name) && name !== 'tagManagerUrl' && name !== `${kind}Id`,
    ),
  );
}

export const textOf = (body: Definition): string => JSON.stringify(body, null, 2);

/** As the appliance takes it. */
const MOST = 500_000;

/** What was typed, or what is wrong with it. */
export function readBody(
  text: string,
  before: Definition,
): { body: Definition } | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `This is not JSON: ${error instanceof Error ? error.message : 'unknown'}` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'It must be one object, in curly brackets.' };
  }
  const body = value as Definition;
  const name = body['name'];
  if (typeof name !== 'string' || name.trim() === '') {
    return { problem: 'It must have a name, which is a text: "name": "…".' };
  }
  const compact = JSON.stringify(body);
  if (compact.length > MOST) return { problem: 'It must have 500,000 characters or fewer.' };
  if (isSame(body, before)) return { problem: 'Nothing is changed yet.' };
  return { body };
}

/** Whatever the order of the names in it. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(ordered(one)) === JSON.stringify(ordered(other));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inside]) => [name, ordered(inside)]));
}
