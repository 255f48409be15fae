import { idOf, nameOf } from '../api/api.ts';
import type { Definition, Kind } from '../api/schema.ts';
import { createTemplateJudge } from './our-template.ts';
import type { Standard } from './our-template.ts';
import { isRecord, textIn, textsIn } from './read.ts';
import type { OurTag, OurTemplate } from './schema.ts';
import { BUILT_IN_TRIGGERS, isAllEvents } from './triggers.ts';

export type { Standard } from './our-template.ts';

export type Objects = Record<Kind, Definition[]>;

export interface Ours {
  templates: OurTemplate[];
  tags: OurTag[];
}

/** What of a workspace or a version is ours. */
export function oursIn(objects: Objects, standard: Standard): Ours {
  const judge = createTemplateJudge(standard);
  const templates: OurTemplate[] = [];
  const byType = new Map<string, OurTemplate>();
  for (const object of objects.template) {
    const ours = judge(object);
    if (ours === undefined) continue;
    templates.push(ours);
    for (const type of tagTypesOf(object)) byType.set(type, ours);
  }
  const triggers = new Map(objects.trigger.map((one) => [idOf('trigger', one), one]));
  const tags = objects.tag.flatMap((tag) => {
    const template = byType.get(textIn(tag, 'type'));
    return template ? [ourTag(tag, template, triggers)] : [];
  });
  return { templates, tags };
}

/** The types that tags have which are made of a template. */
export function tagTypesOf(template: Definition): string[] {
  const types = [`cvt_${textIn(template, 'containerId')}_${idOf('template', template)}`];
  const gallery = template['galleryReference'];
  const galleryId = isRecord(gallery) ? textIn(gallery, 'galleryTemplateId') : '';
  return galleryId === '' ? types : [...types, `cvt_${galleryId}`];
}

/** As little as shows again what is ours: the templates, their tags, and what those fire on. */
export function onlyOurs(objects: Objects, { templates, tags }: Ours): Objects {
  const ids = (all: readonly { id: string }[]) => new Set(all.map(({ id }) => id));
  const [ourTemplates, ourTags] = [ids(templates), ids(tags)];
  const kept = objects.tag.filter((tag) => ourTags.has(idOf('tag', tag)));
  const triggers = new Set(kept.flatMap((tag) => [...firing(tag), ...blocking(tag)]));
  return {
    template: objects.template.filter((one) => ourTemplates.has(idOf('template', one))),
    variable: [],
    trigger: objects.trigger.filter((one) => triggers.has(idOf('trigger', one))),
    tag: kept,
  };
}

const firing = (tag: Definition) => textsIn(tag, 'firingTriggerId');
const blocking = (tag: Definition) => textsIn(tag, 'blockingTriggerId');

function ourTag(
  tag: Definition,
  template: OurTemplate,
  triggers: ReadonlyMap<string, Definition>,
): OurTag {
  const nameIt = (id: string) => {
    const trigger = triggers.get(id);
    return trigger ? nameOf(trigger) : (BUILT_IN_TRIGGERS.get(id) ?? `Trigger ${id}`);
  };
  const everyEvent = (id: string) => isAllEvents(triggers.get(id) ?? {});
  const [fires, blocks] = [firing(tag), blocking(tag)];
  // What keeps it from firing at all, not just here and there.
  const left = blocks.some(everyEvent) ? [] : fires.filter((id) => !blocks.includes(id));
  const paused = tag['paused'] === true;
  return {
    id: idOf('tag', tag),
    name: nameOf(tag),
    template_id: template.id,
    paused,
    fires_on: fires.map(nameIt),
    blocked_by: blocks.map(nameIt),
    active: !paused && left.length > 0,
    all_events: left.some(everyEvent),
  };
}
