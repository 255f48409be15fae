import type { Kind } from '$server/tagmanager/api/schema.ts';
import type { ContainerObject, SnapshotView } from '$server/tagmanager/snapshot/schema.ts';
import { listed, plural } from '../../../lib/words.ts';
import { isKind } from '../parts/kinds.ts';

/** An object with what is looked at again and again while somebody types. */
export interface Entry {
  object: ContainerObject;
  /** What a search looks at, in small letters. */
  text: string;
}

export type Flag = 'paused' | 'without' | 'unused' | 'unpublished';
export type Order = 'name' | 'type' | 'use';

/** What is looked at, as the address says it. */
export interface Filter {
  kind: Kind;
  text: string;
  /** Only tags that this trigger fires or blocks. */
  trigger: string;
  flags: readonly Flag[];
  order: Order;
  isReversed: boolean;
}

/** A tag that nothing fires, neither a trigger nor another tag before or after which it runs. */
const neverFires = ({ kind, fires_on, used_by_count }: ContainerObject): boolean =>
  kind === 'tag' && fires_on.length === 0 && used_by_count === 0;

export const FLAGS: Record<
  Flag,
  { words: string; of: readonly Kind[]; is: (object: ContainerObject) => boolean }
> = {
  paused: { words: 'Paused', of: ['tag'], is: ({ paused }) => paused },
  without: { words: 'Without trigger', of: ['tag'], is: neverFires },
  unused: {
    words: 'Unused',
    of: ['trigger', 'variable', 'template'],
    is: ({ used_by_count }) => used_by_count === 0,
  },
  unpublished: {
    words: 'Not published',
    of: ['tag', 'trigger', 'variable', 'template'],
    is: ({ unpublished }) => unpublished !== null,
  },
};
export const ALL_FLAGS = Object.keys(FLAGS) as Flag[];
/** What the address says where nothing is filtered for. */
export const NOTHING = {
  text: '',
  trigger: '',
  ...Object.fromEntries(ALL_FLAGS.map((flag) => [flag, ''])),
};
const ORDERS: readonly string[] = ['name', 'type', 'use'];

/** The address says which object is open too, by whose kind the list goes where it says no other. */
export function filterOf(query: URLSearchParams): Filter {
  const of = (name: string) => query.get(name) ?? '';
  const kind = [query.get('list'), query.get('kind')].find(isKind) ?? 'tag';
  const [order = ''] = /[a-z]+/.exec(of('sort')) ?? [];
  return {
    kind,
    text: of('text'),
    trigger: kind === 'tag' ? of('trigger') : '',
    flags: ALL_FLAGS.filter((flag) => of(flag) === '1' && FLAGS[flag].of.includes(kind)),
    order: ORDERS.includes(order) ? (order as Order) : 'name',
    isReversed: of('sort').startsWith('-'),
  };
}

export const isFiltered = ({ text, trigger, flags }: Filter): boolean =>
  text.trim() !== '' || trigger !== '' || flags.length > 0;

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** By name, which takes long enough to be done once only. */
export function entriesOf(objects: readonly ContainerObject[]): Entry[] {
  return objects
    .map((object) => ({ object, text: textOf(object) }))
    .sort((a, b) => collator.compare(a.object.name, b.object.name));
}

const textOf = ({ name, type_name, type, id, fires_on, blocked_by }: ContainerObject): string =>
  [name, type_name, type, id, ...[...fires_on, ...blocked_by].map((trigger) => trigger.name)]
    .join('\n')
    .toLowerCase();

/** Every word must be somewhere in it. */
export function shownOf(entries: readonly Entry[], filter: Filter): ContainerObject[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const found: ContainerObject[] = [];
  for (const { object, text } of entries) {
    if (object.kind !== filter.kind) continue;
    if (filter.trigger !== '' && !hasTrigger(object, filter.trigger)) continue;
    if (!filter.flags.every((flag) => FLAGS[flag].is(object))) continue;
    if (words.every((word) => text.includes(word))) found.push(object);
  }
  return sorted(found, filter);
}

const hasTrigger = ({ fires_on, blocked_by }: ContainerObject, id: string): boolean =>
  [...fires_on, ...blocked_by].some((trigger) => trigger.id === id);

/** They come by name; where they are alike, that order stays. */
function sorted(objects: ContainerObject[], { order, isReversed }: Filter): ContainerObject[] {
  if (order === 'type') objects.sort((a, b) => collator.compare(a.type_name, b.type_name));
  if (order === 'use') objects.sort((a, b) => useOf(b) - useOf(a));
  return isReversed ? objects.reverse() : objects;
}

/** On how many triggers a tag fires; of anything else, how many use it. */
export const useOf = ({ kind, fires_on, used_by_count }: ContainerObject): number =>
  kind === 'tag' ? fires_on.length : used_by_count;

export function countsOf(objects: readonly ContainerObject[]): Record<Kind, number> {
  const counts: Record<Kind, number> = { tag: 0, trigger: 0, variable: 0, template: 0 };
  for (const { kind } of objects) counts[kind] += 1;
  return counts;
}

/** 412 tags, of which 12 are paused and 3 never fire. */
export function sentenceOf(objects: readonly ContainerObject[], snapshot: SnapshotView): string {
  const tags = objects.filter(({ kind }) => kind === 'tag');
  if (tags.length === 0) return `No tags yet in ${snapshot.of.public_id}.`;
  const paused = tags.filter(FLAGS.paused.is).length;
  const idle = tags.filter(neverFires).length;
  const are = (count: number, words: string) =>
    count === 0 ? [] : [`${count.toLocaleString('en-US')} ${count === 1 ? 'is' : 'are'} ${words}`];
  const never =
    idle === 0 ? [] : [`${idle.toLocaleString('en-US')} never ${idle === 1 ? 'fires' : 'fire'}`];
  const but = [...are(paused, 'paused'), ...never];
  const total = plural(tags.length, 'tag');
  if (but.length === 0) {
    return tags.length === 1 ? `${total}, and it can fire.` : `${total}, all of which can fire.`;
  }
  return `${total}, of which ${listed(but)}.`;
}
