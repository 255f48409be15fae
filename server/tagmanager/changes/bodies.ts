import type { Definition, Kind } from '../api/schema.ts';

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

/**
 * Whether an object is as it was to become. The tag manager adds fields of its own, and writes the
 * head of a template anew.
 */
export function isAsWanted(kind: Kind, wanted: Definition, found: Definition): boolean {
  const body = bodyOf(wanted);
  const code = body['templateData'];
  if (kind !== 'template' || typeof code !== 'string') return holds(body, found);
  const rest = without(body, 'templateData', 'galleryReference');
  return holds(rest, found) && codeOf(code) === codeOf(found['templateData']);
}

/** What the tag manager fills in where nothing is said. */
const FILLED_IN: ReadonlySet<string> = new Set([
  ...['tagFiringOption', 'monitoringMetadata', 'consentSettings', 'parentFolderId'],
]);

/** Whether something is still there that was to go. */
export function keepsDropped(before: Definition, wanted: Definition, found: Definition): boolean {
  return Object.keys(bodyOf(before)).some(
    (field) => !(field in wanted) && field in found && !FILLED_IN.has(field),
  );
}

function holds(wanted: unknown, found: unknown): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found)) return wanted.length === 0 && found === undefined;
    return wanted.length === found.length && wanted.every((one, i) => holds(one, found[i]));
  }
  if (isObject(wanted)) {
    if (!isObject(found)) return false;
    return Object.entries(wanted).every(([field, value]) => holds(value, found[field]));
  }
  // What is off by default is left out in answers.
  return wanted === found || ((wanted === false || wanted === '') && found === undefined);
}

const SECTION =
  /^___SANDBOXED_JS_FOR_(?:WEB|SERVER)_TEMPLATE___\s*$([\s\S]*?)(?=^___[A-Z_]+___\s*$|$(?![\s\S]))/m;

function codeOf(template: unknown): string | undefined {
  if (typeof template !== 'string') return undefined;
  const text = template.replaceAll('\r\n', '\n');
  return (SECTION.exec(text)?.[1] ?? text).trim();
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(value: Record<string, unknown>): [string, unknown][] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}
