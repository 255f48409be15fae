import { idOf, nameOf } from '../api/api.ts';
import { kinds } from '../api/schema.ts';
import type { Definition, Kind } from '../api/schema.ts';
import type { Objects } from './ours.ts';
import { tagTypesOf } from './ours.ts';
import { isRecord, recordsIn, textIn, textsIn } from './read.ts';
import { BUILT_IN_TRIGGERS, TRIGGER_FIELDS } from './triggers.ts';
import type { Names } from './type-words.ts';

export interface Named {
  kind: Kind;
  id: string;
  name: string;
}

export interface Member extends Named {
  definition: Definition;
}

/** Who is who in a container, and who stands on whom: looked up, never searched. */
export interface References {
  /** All of them by name. */
  members: readonly Member[];
  names: Names;
  /** What would break without an object, by name. */
  usersOf: (kind: Kind, id: string) => Named[];
}

const ABC = new Intl.Collator('en', { numeric: true });

export const byName = (a: Named, b: Named): number =>
  ABC.compare(a.name, b.name) || ABC.compare(a.id, b.id);

/** Any text of a longer name is none of a variable. */
const LONGEST_NAME = 1000;

export function referencesIn(objects: Objects): References {
  const names = namesIn(objects);
  const idsByName = {
    tag: idsByNameIn('tag', objects.tag),
    variable: idsByNameIn('variable', objects.variable),
  };
  const templates = new Map<string, string>();
  for (const template of objects.template) {
    for (const type of tagTypesOf(template)) templates.set(type, idOf('template', template));
  }

  const users = new Map<string, Map<string, Named>>();
  function use(kind: Kind, id: string | undefined, user: Named): void {
    if (id === undefined || (kind === user.kind && id === user.id)) return;
    const key = `${kind}:${id}`;
    const known = users.get(key) ?? new Map<string, Named>();
    if (known.size === 0) users.set(key, known);
    known.set(`${user.kind}:${user.id}`, user);
  }

  const members = membersOf(objects);
  for (const { definition, ...user } of members) {
    // A template's code knows no variables: what looks like one there is not.
    if (user.kind === 'template') continue;
    for (const id of triggersOf(definition)) use('trigger', id, user);
    for (const name of neighboursOf(definition)) use('tag', idsByName.tag.get(name), user);
    use('template', templates.get(textIn(definition, 'type')), user);
    eachText(definition, {
      trigger: (id) => use('trigger', id, user),
      variable: (name) => use('variable', idsByName.variable.get(name), user),
    });
  }
  // Sorted once for all: those who use a thing were met in the order of their names.
  const usersOf = (kind: Kind, id: string) => [...(users.get(`${kind}:${id}`)?.values() ?? [])];
  return { members, names, usersOf };
}

const membersOf = (objects: Objects): Member[] =>
  kinds
    .flatMap((kind) =>
      objects[kind].map((definition) => {
        return { kind, id: idOf(kind, definition), name: nameOf(definition), definition };
      }),
    )
    .sort(byName);

const triggersOf = (object: Definition) =>
  TRIGGER_FIELDS.flatMap((property) => textsIn(object, property));

const neighboursOf = (object: Definition) =>
  [...recordsIn(object, 'setupTag'), ...recordsIn(object, 'teardownTag')].map((one) =>
    textIn(one, 'tagName'),
  );

export function namesIn(objects: Objects): Names {
  const names = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      new Map(objects[kind].map((object) => [idOf(kind, object), nameOf(object)])),
    ]),
  ) as Record<Kind, Map<string, string>>;
  for (const template of objects.template) {
    const gallery = template['galleryReference'];
    const id = isRecord(gallery) ? textIn(gallery, 'galleryTemplateId') : '';
    if (id !== '') names.template.set(id, nameOf(template));
  }
  return (kind, id) =>
    names[kind].get(id) ?? (kind === 'trigger' ? BUILT_IN_TRIGGERS.get(id) : undefined);
}

const idsByNameIn = (kind: Kind, all: readonly Definition[]) =>
  new Map(all.map((object) => [nameOf(object), idOf(kind, object)]));

interface Found {
  trigger: (id: string) => void;
  variable: (name: string) => void;
}

/** All variables and triggers that are named anywhere in an object. */
function eachText(value: unknown, found: Found): void {
  if (typeof value === 'string') {
    eachVariable(value, found.variable);
  } else if (Array.isArray(value)) {
    for (const one of value) eachText(one, found);
  } else if (isRecord(value)) {
    if (value['type'] === 'trigger_reference' || value['type'] === 'triggerReference') {
      found.trigger(textIn(value, 'value'));
    }
    for (const one of Object.values(value)) eachText(one, found);
  }
}

/** Each character is looked at a fixed number of times: minified code is full of braces. */
export function eachVariable(text: string, found: (name: string) => void): void {
  let start = text.indexOf('{{');
  while (start >= 0) {
    const end = text.indexOf('}}', start + 2);
    if (end < 0) return;
    const inner = text.slice(start + 2, end);
    const nested = inner.lastIndexOf('{{');
    const name = nested < 0 ? inner : inner.slice(nested + 2);
    if (name !== '' && name.length <= LONGEST_NAME) found(name);
    start = text.indexOf('{{', end + 2);
  }
}
