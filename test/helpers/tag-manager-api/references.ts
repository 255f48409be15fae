import { refusals } from './answers.ts';
import type { ObjectKind } from './shapes.ts';
import type { Content } from './world.ts';

export type Body = Record<string, unknown>;

/** All Pages, Consent Initialization and Initialization: always there, and in no list. */
const BUILT_IN_TRIGGERS = new Set(['2147479553', '2147479572', '2147479573']);

interface Reference {
  kind: ObjectKind;
  /** An id; the name of a variable or of a tag in a sequence. */
  to: string;
  field: string;
}

/** What an object stands on. */
function referencesOf(kind: ObjectKind, body: Body): Reference[] {
  const ids = (field: string) =>
    texts(body[field]).map((to) => ({ kind: 'trigger' as const, to, field }));
  const tags = (field: string) =>
    list(body[field]).map((one) => ({ kind: 'tag' as const, to: text(one['tagName']), field }));
  const type = text(body['type']);
  return [
    ...ids('firingTriggerId'),
    ...ids('blockingTriggerId'),
    ...ids('enablingTriggerId'),
    ...ids('disablingTriggerId'),
    ...tags('setupTag'),
    ...tags('teardownTag'),
    ...triggersIn(body['parameter']),
    ...(kind === 'template' ? [] : variablesIn(body)),
    ...(type.startsWith('cvt_') ? [{ kind: 'template' as const, to: type, field: 'type' }] : []),
    ...(body['parentFolderId']
      ? [{ kind: 'folder' as const, to: text(body['parentFolderId']), field: 'parentFolderId' }]
      : []),
  ];
}

function triggersIn(value: unknown): Reference[] {
  return list(value).flatMap((parameter) => [
    ...(parameter['type'] === 'triggerReference'
      ? [{ kind: 'trigger' as const, to: text(parameter['value']), field: 'parameter' }]
      : []),
    ...triggersIn(parameter['list']),
    ...triggersIn(parameter['map']),
  ]);
}

/** `{{_event}}` and others of its kind are there without being switched on. */
function variablesIn(body: Body): Reference[] {
  const rest = without(body, ['name', 'notes']);
  const names = [...JSON.stringify(rest).matchAll(/\{\{([^{}]+)\}\}/g)].map(
    ([, name = '']) => name,
  );
  return [...new Set(names)]
    .filter((name) => !name.startsWith('_'))
    .map((to) => ({ kind: 'variable', to, field: 'parameter' }));
}

/** Refuses an object that stands on something which is not there. */
export function checkReferences(content: Content, kind: ObjectKind, body: Body): void {
  const references = referencesOf(kind, body);
  if (references.length === 0) return;
  for (const reference of references) {
    if (!isThere(content, reference)) {
      throw refusals.field(reference.field, `Unknown ${reference.kind}: ${reference.to}.`);
    }
  }
}

function isThere(content: Content, { kind, to }: Reference): boolean {
  if (kind === 'trigger') return BUILT_IN_TRIGGERS.has(to) || content.trigger.has(to);
  if (kind === 'folder') return content.folder.has(to);
  if (kind === 'tag') return named(content.tag, to);
  if (kind === 'variable') {
    return named(content.variable, to) || named(content.builtInVariable, to);
  }
  return [...content.template.values()].some((template) => typesOf(template).includes(to));
}

/** Whether something else stands on it. */
export function isUsed(content: Content, kind: ObjectKind, object: Body): boolean {
  const keys = keysOf(kind, object);
  return (['tag', 'trigger', 'variable'] as const).some((other) =>
    [...content[other].values()].some((user) =>
      referencesOf(other, user as Body).some(
        (reference) => reference.kind === kind && keys.includes(reference.to),
      ),
    ),
  );
}

function keysOf(kind: ObjectKind, object: Body): string[] {
  if (kind === 'tag' || kind === 'variable') return [text(object['name'])];
  return kind === 'template' ? typesOf(object) : [text(object[`${kind}Id`])];
}

/** What the type of a tag says that is made by a template. */
function typesOf(template: object): string[] {
  const { containerId, templateId, galleryReference } = template as Body;
  const gallery = (galleryReference as Body | undefined)?.['galleryTemplateId'];
  return [
    `cvt_${text(containerId)}_${text(templateId)}`,
    ...(gallery ? [`cvt_${text(gallery)}`] : []),
  ];
}

function named(objects: Map<string, { name?: string | null }>, name: string): boolean {
  for (const object of objects.values()) if (object.name === name) return true;
  return false;
}

export function without(body: Body, names: string[]): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

function list(value: unknown): Body[] {
  return Array.isArray(value) ? (value as Body[]) : [];
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? (value as string[]) : [];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
