import type { Definition, Kind } from '../api/schema.ts';
import { bodyOf, isObject, isSame, without } from './bodies.ts';

/** What the tag manager fills in where nothing is said. */
const FILLED_IN: ReadonlySet<string> = new Set([
  ...['tagFiringOption', 'monitoringMetadata', 'consentSettings', 'parentFolderId'],
  ...['uniqueTriggerId', 'formatValue', 'galleryReference'],
]);

/**
 * Whether an object is as it was to become, whatever the order of its parameters. The tag manager
 * adds fields of its own, and writes the head of a template anew.
 */
export function isAsWanted(kind: Kind, wanted: Definition, found: Definition): boolean {
  const body = bodyOf(wanted);
  const code = body['templateData'];
  if (kind !== 'template' || typeof code !== 'string') return holdsAll(body, found);
  const rest = without(body, 'templateData', 'galleryReference');
  return holdsAll(rest, found) && codeOf(code) === codeOf(found['templateData']);
}

/** The same, and nothing in it that was not asked for: what holds more does something else. */
export function isNoMore(kind: Kind, wanted: Definition, found: Definition): boolean {
  const body = bodyOf(wanted);
  const extra = Object.entries(bodyOf(found)).some(
    ([field, value]) => !(field in body) && !FILLED_IN.has(field) && !isDefault(value),
  );
  if (extra || !isAsWanted(kind, wanted, found)) return false;
  return Object.entries(body).every(([field, value]) => {
    const there = found[field];
    const isShared = Array.isArray(value) && Array.isArray(there);
    return !isShared || value.length === there.length;
  });
}

/** Whether something is still there that was to go. */
export function keepsDropped(before: Definition, wanted: Definition, found: Definition): boolean {
  const former = bodyOf(before);
  return Object.keys(former).some((field) => {
    if (field in wanted) return keepsParameter(former[field], wanted[field], found[field]);
    return field in found && !FILLED_IN.has(field);
  });
}

function keepsParameter(before: unknown, wanted: unknown, found: unknown): boolean {
  const [former, next, there] = [byKey(before), byKey(wanted), byKey(found)];
  if (!former || !next || !there) return false;
  return [...former.keys()].some((key) => !next.has(key) && there.has(key));
}

/** Names are told apart without the blanks around them. */
export function isSameName(one: string, other: string): boolean {
  return one.trim() === other.trim();
}

function holdsAll(wanted: Definition, found: Definition): boolean {
  return Object.entries(wanted).every(([field, value]) => {
    const there = found[field];
    const areNames = field === 'name' && typeof value === 'string' && typeof there === 'string';
    return areNames ? isSameName(value, there) : holds(value, there);
  });
}

function holds(wanted: unknown, found: unknown): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found)) return wanted.length === 0 && found === undefined;
    return holdsList(wanted as unknown[], found as unknown[]);
  }
  if (isObject(wanted)) {
    if (!isObject(found)) return false;
    return Object.entries(wanted).every(([field, value]) => holds(value, found[field]));
  }
  return wanted === found || (isDefault(wanted) && found === undefined);
}

/** Parameters stand in no order, and the tag manager may add some; nor do the ids of triggers. */
function holdsList(wanted: unknown[], found: unknown[]): boolean {
  const [own, there] = [byKey(wanted), byKey(found)];
  if (own && there && own.size > 0) {
    return [...own].every(([key, one]) => holds(one, there.get(key)));
  }
  if (wanted.length !== found.length) return false;
  const areTexts = [...wanted, ...found].every((one) => typeof one === 'string');
  if (areTexts) return isSame([...wanted].sort(), [...found].sort());
  return wanted.every((one, i) => holds(one, found[i]));
}

/** A list of parameters by their keys; nothing when it is another list, or has a key twice. */
function byKey(list: unknown): Map<string, unknown> | undefined {
  if (!Array.isArray(list)) return undefined;
  const all = new Map<string, unknown>();
  for (const one of list as unknown[]) {
    const key = isObject(one) ? one['key'] : undefined;
    if (typeof key !== 'string' || all.has(key)) return undefined;
    all.set(key, one);
  }
  return all;
}

/** What is off by default is left out in answers. */
function isDefault(value: unknown): boolean {
  return value === false || value === '' || (Array.isArray(value) && value.length === 0);
}

const SECTION =
  /^___SANDBOXED_JS_FOR_(?:WEB|SERVER)_TEMPLATE___\s*$([\s\S]*?)(?=^___[A-Z_]+___\s*$|$(?![\s\S]))/m;

function codeOf(template: unknown): string | undefined {
  if (typeof template !== 'string') return undefined;
  const text = template.replaceAll('\r\n', '\n');
  return (SECTION.exec(text)?.[1] ?? text).trim();
}
