import { idOf, nameOf } from '../api/api.ts';
import type { Definition, Kind } from '../api/schema.ts';
import { TRIGGER_FIELDS } from '../snapshot/triggers.ts';
import { isObject } from './bodies.ts';

/** What another change of the same list is called, or the id of that change once it has one. */
const REF = /^change:([a-z0-9_-]{1,40})$/;

export interface Mention {
  ref: string;
  /** The kind that it must be of where it stands; null where any will do. */
  kind: Kind | null;
}

/** The texts of a body, each with the field that it stands in. */
function* textsOf(value: unknown, field = ''): Generator<{ text: string; field: string }> {
  if (typeof value === 'string') yield { text: value, field };
  else if (Array.isArray(value)) for (const one of value) yield* textsOf(one, field);
  else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) yield* textsOf(inner, name);
  }
}

function mapTexts(
  value: unknown,
  map: (text: string, field: string) => string,
  field = '',
): unknown {
  if (typeof value === 'string') return map(value, field);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, map, field));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, map, name)]),
  );
}

/** What a body calls for by `change:REF`. */
export function mentionsIn(body: Definition): Mention[] {
  return [...textsOf(body)].flatMap(({ text, field }) => {
    const ref = REF.exec(text)?.[1];
    return ref === undefined ? [] : [{ ref, kind: KINDS.get(field) ?? null }];
  });
}

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['type', 'template'],
  ...TRIGGER_FIELDS.map((field) => [field, 'trigger'] as const),
]);

/** Puts ids in the place of names, or of ids that stood for them; what has none stays. */
export function withRefs(
  body: Definition,
  valueOf: (ref: string, field: string) => string | undefined,
): Definition {
  return mapTexts(body, (text, field) => {
    const ref = REF.exec(text)?.[1];
    return (ref === undefined ? undefined : valueOf(ref, field)) ?? text;
  }) as Definition;
}

/** What an object is called where it stands in another: as the type of a tag, templates differ. */
export function referenceTo(container: string, id: string, field: string): string {
  return field === 'type' ? templateType(container, id) : id;
}

export function templateType(container: string, id: string): string {
  return `cvt_${container}_${id}`;
}

/** Triggers, templates, variables and tags that an object stands on. */
export interface Standing {
  triggers: Set<string>;
  /** Those of the triggers that make it fire. */
  firing: Set<string>;
  types: Set<string>;
  variables: Set<string>;
  tags: Set<string>;
}

/** As the API describes it, and as it has been seen. */
const TRIGGER_TYPES: ReadonlySet<string> = new Set(['trigger_reference', 'triggerReference']);

function isReference(
  value: Record<string, unknown>,
  types: ReadonlySet<string>,
): value is { type: string; value: string } {
  const { type, value: id } = value;
  return typeof type === 'string' && types.has(type) && typeof id === 'string';
}

const VARIABLE = /\{\{([^{}]+)\}\}/g;

export function standsOn(kind: Kind, body: Definition): Standing {
  const found: Standing = {
    ...{ triggers: new Set(), firing: new Set(), types: new Set() },
    ...{ variables: new Set(), tags: new Set() },
  };
  if (kind !== 'template') {
    for (const { text } of textsOf(body)) {
      for (const [, name = ''] of text.matchAll(VARIABLE)) found.variables.add(name);
    }
  }
  if (typeof body['type'] === 'string') found.types.add(body['type']);
  for (const { text } of textsOf(body['firingTriggerId'])) found.firing.add(text);
  for (const field of TRIGGER_FIELDS) {
    for (const { text } of textsOf(body[field])) found.triggers.add(text);
  }
  for (const { value } of parametersOf(body, TRIGGER_TYPES)) found.triggers.add(value);
  for (const field of ['setupTag', 'teardownTag']) {
    for (const { text, field: inner } of textsOf(body[field])) {
      if (inner === 'tagName') found.tags.add(text);
    }
  }
  return found;
}

/** An object as others speak of it. */
export interface Target {
  kind: Kind;
  id: string;
  name: string;
  /** Of a template: the types that its tags can have. */
  types: string[];
}

export function targetOf(container: string, kind: Kind, object: Definition): Target {
  const id = idOf(kind, object);
  return { kind, id, name: nameOf(object), types: typesOf(container, id, object) };
}

/** A template out of the gallery is called by the id that it has there. */
export function typesOf(container: string, id: string, template: Definition): string[] {
  const reference = template['galleryReference'];
  const inGallery = isObject(reference) ? reference['galleryTemplateId'] : undefined;
  const own = templateType(container, id);
  return typeof inGallery === 'string' && inGallery !== '' ? [`cvt_${inGallery}`, own] : [own];
}

/** Whether what stands like that would break without the object. */
export function needsObject(standing: Standing, { kind, id, name, types }: Target): boolean {
  switch (kind) {
    case 'trigger':
      return standing.triggers.has(id);
    case 'template':
      return types.some((type) => standing.types.has(type));
    case 'variable':
      return standing.variables.has(name);
    case 'tag':
      return standing.tags.has(name);
  }
}

/** For objects that came back under other ids: puts those in the places of the old ones. */
export function withNewIds(
  body: Definition,
  container: string,
  ids: ReadonlyMap<string, string>,
): Definition {
  if (ids.size === 0) return body;
  const swap = (text: string, field: string) => {
    if (field === 'type' && text.startsWith('cvt_')) {
      const id = ids.get(`template/${text.slice(templateType(container, '').length)}`);
      return id !== undefined && text.startsWith(templateType(container, ''))
        ? templateType(container, id)
        : text;
    }
    return (TRIGGER_FIELDS.includes(field) ? ids.get(`trigger/${text}`) : undefined) ?? text;
  };
  return swapReferences(mapTexts(body, swap), ids) as Definition;
}

function swapReferences(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => swapReferences(one, ids));
  if (!isObject(value)) return value;
  if (isReference(value, TRIGGER_TYPES)) {
    return { ...value, value: ids.get(`trigger/${value['value']}`) ?? value['value'] };
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, swapReferences(inner, ids)]),
  );
}

function* parametersOf(value: unknown, types: ReadonlySet<string>): Generator<{ value: string }> {
  if (Array.isArray(value)) for (const one of value) yield* parametersOf(one, types);
  else if (isObject(value)) {
    if (isReference(value, types)) yield { value: value.value };
    for (const inner of Object.values(value)) yield* parametersOf(inner, types);
  }
}
