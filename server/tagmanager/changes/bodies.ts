import type { Definition } from '../api/schema.ts';

/** What the tag manager says about an object by itself, and we keep. */
const THEIRS: ReadonlySet<string> = new Set([
  ...['accountId', 'containerId', 'workspaceId', 'path', 'fingerprint', 'tagManagerUrl'],
  ...['tagId', 'triggerId', 'variableId', 'templateId'],
]);

/** What is somebody's to say about an object. */
export function bodyOf(object: Definition): Definition {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !THEIRS.has(field)));
}

export function without(object: Definition, ...fields: string[]): Definition {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}

export function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** The same text for the same content, in whatever order its fields come. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isObject(inner) ? sorted(inner) : inner));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(value: Record<string, unknown>): [string, unknown][] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}
