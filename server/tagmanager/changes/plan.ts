import { idOf } from '../api/api.ts';
import type { Definition, Kind } from '../api/schema.ts';
import type { OurTemplate } from '../snapshot/schema.ts';
import { isAllEvents } from '../snapshot/triggers.ts';
import { bodyOf, isSame, without } from './bodies.ts';
import { takenNames } from './draft.ts';
import type { Ground } from './ground.ts';
import { allEventsTrigger, keyIn, ourTag, triggersOf, withKey } from './install-parts.ts';
import { typesOf } from './references.ts';
import type { NewChange } from './schema.ts';

/** What is to be there once everything is installed. */
export interface Wanted {
  /** The template as it is imported. */
  code: string;
  /** Where it is to send, if that was said. */
  url: string | undefined;
  /** The key for the tag. */
  key: string;
  /** Whether a key that a tag carries is good, as far as that can be told. */
  isGood: (key: string) => boolean;
}

/**
 * The fewest changes after which our template is there, and a tag of it fires on all events; none
 * when that is so already.
 */
export function planOf(ground: Ground, wanted: Wanted): NewChange[] {
  const there = withoutGone(ground);
  const nameFor = namer(there);
  const template = chosenTemplate(there);
  return [...templatePlan(template, wanted, nameFor), ...tagPlan(there, template, wanted, nameFor)];
}

type NameFor = (kind: Kind, name: string) => string;

interface Found {
  ours: OurTemplate;
  object: Definition;
}

function templatePlan(template: Found | undefined, wanted: Wanted, nameFor: NameFor): NewChange[] {
  if (template === undefined) {
    const body = { name: nameFor('template', 'Vedette'), templateData: wanted.code };
    return [{ action: 'create', kind: 'template', ref: 'template', body }];
  }
  const { ours, object } = template;
  const body = { ...bodyOf(object), templateData: wanted.code };
  if (!isBehind(ours, wanted) || isSame(body, bodyOf(object))) return [];
  return [{ action: 'update', kind: 'template', id: ours.id, body }];
}

function tagPlan(
  there: Ground,
  template: Found | undefined,
  wanted: Wanted,
  nameFor: NameFor,
): NewChange[] {
  const tag = template && chosenTag(there, template.ours.id, wanted);
  if (tag !== undefined && isRight(there, tag, wanted)) return [];
  const known = there.objects.trigger.find(isAllEvents);
  const trigger = known ? idOf('trigger', known) : 'change:trigger';
  if (tag === undefined) {
    const { container } = there;
    const types = template && typesOf(container, template.ours.id, template.object);
    const type = types?.[0] ?? 'change:template';
    const body = ourTag(nameFor('tag', 'Vedette'), type, wanted.key, trigger);
    return [
      ...(known ? [] : [newTrigger(nameFor)]),
      { action: 'create', kind: 'tag', ref: 'tag', body },
    ];
  }
  const body = mended(there, tag, trigger, wanted);
  const isMissing = known === undefined && triggersOf(body).includes(trigger);
  return [
    ...(isMissing ? [newTrigger(nameFor)] : []),
    { action: 'update', kind: 'tag', id: idOf('tag', tag), body },
  ];
}

const newTrigger = (nameFor: NameFor): NewChange => ({
  ...{ action: 'create', kind: 'trigger', ref: 'trigger' },
  body: allEventsTrigger(nameFor('trigger', 'All events')),
});

/** As it will be once what is to be deleted is gone. */
function withoutGone(ground: Ground): Ground {
  const gone = new Set(
    ground.open.flatMap(({ action, kind, objectId }) =>
      action === 'delete' ? [`${kind}/${objectId}`] : [],
    ),
  );
  const isLeft = (kind: Kind, id: string) => !gone.has(`${kind}/${id}`);
  const left = (kind: Kind) =>
    ground.objects[kind].filter((object) => isLeft(kind, idOf(kind, object)));
  return {
    ...ground,
    view: {
      ...ground.view,
      templates: ground.view.templates.filter(({ id }) => isLeft('template', id)),
      tags: ground.view.tags.filter(({ id }) => isLeft('tag', id)),
    },
    objects: {
      ...{ template: left('template'), variable: left('variable') },
      ...{ trigger: left('trigger'), tag: left('tag') },
    },
  };
}

/** A name that nothing has, not even what is to go: that keeps its name until the end. */
function namer({ objects, open }: Ground): NameFor {
  const taken = takenNames({ objects, open });
  return (kind, name) => {
    for (let i = 1; ; i++) {
      const candidate = i === 1 ? name : `${name} ${i}`;
      if (!taken.has(`${kind}/${candidate}`)) return candidate;
    }
  };
}

function find({ objects }: Ground, kind: Kind, id: string): Definition | undefined {
  return objects[kind].find((object) => idOf(kind, object) === id);
}

/** The one whose tag does the work, if there are several. */
function chosenTemplate(there: Ground): Found | undefined {
  const { templates, tags } = there.view;
  const weight = ({ ours: { id, state } }: Found) => {
    const own = tags.filter(({ template_id }) => template_id === id);
    const best = Math.max(0, ...own.map(({ active, all_events: all }) => 1 + +active + +all));
    return 2 * best + +(state === 'current');
  };
  const found = templates.flatMap((ours) => {
    const object = find(there, 'template', ours.id);
    return object ? [{ ours, object }] : [];
  });
  return found.sort((a, b) => weight(b) - weight(a))[0];
}

/** One out of the gallery is brought up to date there. */
function isBehind({ origin, state, sends_to: to }: OurTemplate, { url }: Wanted): boolean {
  if (origin === 'gallery') return false;
  // An address has no path, but what is read out of code may have.
  const isElsewhere = url !== undefined && to !== null && to !== url && !to.startsWith(`${url}/`);
  return state !== 'current' || isElsewhere;
}

function chosenTag(there: Ground, templateId: string, wanted: Wanted): Definition | undefined {
  const tags = there.view.tags
    .filter(({ template_id }) => template_id === templateId)
    .map(({ id }) => find(there, 'tag', id))
    .filter((tag) => tag !== undefined);
  const weight = (tag: Definition) =>
    +firesOnAll(there, tag) + +(tag['paused'] !== true) + +isGoodIn(tag, wanted);
  return tags.sort((a, b) => weight(b) - weight(a))[0];
}

function isRight(there: Ground, tag: Definition, wanted: Wanted): boolean {
  return tag['paused'] !== true && firesOnAll(there, tag) && isGoodIn(tag, wanted);
}

function mended(there: Ground, tag: Definition, trigger: string, wanted: Wanted): Definition {
  const body = without(bodyOf(tag), 'paused');
  const firing = firesOnAll(there, tag)
    ? body
    : { ...body, firingTriggerId: [...triggersOf(tag), trigger] };
  return isGoodIn(tag, wanted) ? firing : withKey(firing, wanted.key);
}

function firesOnAll(there: Ground, tag: Definition): boolean {
  return triggersOf(tag).some((id) => isAllEvents(find(there, 'trigger', id) ?? {}));
}

/** What a variable gives cannot be told from here. */
function isGoodIn(tag: Definition, { isGood }: Wanted): boolean {
  const key = keyIn(tag);
  return key.includes('{{') || isGood(key);
}
