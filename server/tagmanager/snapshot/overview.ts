import type { Mask } from '../../tenants/key-mask.ts';
import type { Definition, Kind } from '../api/schema.ts';
import type { WorkspaceStatus } from '../api/api.ts';
import { fieldsOf } from './fields.ts';
import type { Objects, Ours } from './ours.ts';
import { textIn, textsIn } from './read.ts';
import { referencesIn } from './references.ts';
import type { Member, Named, References } from './references.ts';
import type { ContainerObject, ObjectDetail, ObjectQuery } from './schema.ts';
import { typeNameOf } from './type-words.ts';
import { triggerName } from './value-words.ts';

export interface Container {
  objects: Objects;
  unpublished: WorkspaceStatus['changes'];
}

const MOST_USERS = 50;
const SHOWN: readonly Kind[] = ['tag', 'trigger', 'variable', 'template'];

/** Everything that a container is made of, at a glance. */
export function createOverview({ objects, unpublished }: Container, ours: Ours) {
  const references = referencesIn(objects);
  const isOurs = new Set([
    ...ours.tags.map(({ id }) => `tag:${id}`),
    ...ours.templates.map(({ id }) => `template:${id}`),
  ]);
  const changed = new Map(unpublished.map(({ kind, id, status }) => [`${kind}:${id}`, status]));
  const definitions = new Map<string, Definition>();
  const glances = new Map<string, ContainerObject>();

  for (const kind of SHOWN) {
    for (const member of references.members.filter((one) => one.kind === kind)) {
      const key = `${kind}:${member.id}`;
      const status = changed.get(key);
      definitions.set(key, member.definition);
      glances.set(key, {
        ...glanceOf(member, references),
        ours: isOurs.has(key),
        unpublished: status === 'added' || status === 'updated' ? status : null,
      });
    }
  }
  const list = [...glances.values()];

  return {
    names: references.names,
    list: ({ kind, search = '', skip, limit }: ObjectQuery, mask?: Mask): ContainerObject[] => {
      const wanted = search.toLowerCase();
      return list
        .filter((one) => (kind === undefined || one.kind === kind) && matches(one, wanted, mask))
        .slice(skip, skip + limit);
    },
    find: (kind: Kind, id: string): ObjectDetail | undefined => {
      const [glance, definition] = [glances.get(`${kind}:${id}`), definitions.get(`${kind}:${id}`)];
      if (glance === undefined || definition === undefined) return undefined;
      return {
        ...glance,
        definition,
        fields: fieldsOf(kind, definition, references.names),
        url: addressOf(definition),
      };
    },
  };
}

export type Overview = ReturnType<typeof createOverview>;

function glanceOf({ kind, id, name, definition }: Member, { names, usersOf }: References) {
  const users = usersOf(kind, id);
  const triggers = (property: string): Named[] =>
    textsIn(definition, property).map((trigger) => ({
      kind: 'trigger',
      id: trigger,
      name: triggerName(trigger, names),
    }));
  return {
    kind,
    id,
    name,
    type: kind === 'template' ? '' : textIn(definition, 'type'),
    type_name: typeNameOf(kind, definition, names),
    paused: definition['paused'] === true,
    fires_on: kind === 'tag' ? triggers('firingTriggerId') : [],
    blocked_by: kind === 'tag' ? triggers('blockingTriggerId') : [],
    used_by: users.slice(0, MOST_USERS),
    used_by_count: users.length,
  };
}

/** What a mask hides is not found either, or it could be guessed letter by letter. */
function matches(one: ContainerObject, wanted: string, mask: Mask = (text) => text): boolean {
  if (wanted === '' || one.id === wanted) return true;
  const texts = [one.name, one.type, one.type_name, ...one.fires_on.map(({ name }) => name)];
  const hasIt = (text: string) => text.toLowerCase().includes(wanted);
  return texts.some((text) => hasIt(text) && hasIt(mask(text)));
}

/** A link that leaves the dashboard must lead to a web page. */
function addressOf(definition: Definition): string | null {
  const url = textIn(definition, 'tagManagerUrl');
  return url.startsWith('https://') && URL.canParse(url) ? url : null;
}
