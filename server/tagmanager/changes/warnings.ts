import { idOf, nameOf } from '../api/api.ts';
import { kinds } from '../api/schema.ts';
import type { Definition, Kind } from '../api/schema.ts';
import { BUILT_IN_TRIGGERS } from '../snapshot/triggers.ts';
import { needsObject, standsOn, targetOf } from './references.ts';
import type { Standing } from './references.ts';
import type { Change, Intended } from './store.ts';
import { hasUnseen } from './unseen.ts';
import { called } from './words.ts';

interface Standpoint {
  kind: Kind;
  id: string;
  on: Standing;
}

/** Whether something that stands on the object may break, which takes looking at all others. */
export function mayBreakOthers({ action, kind, name, before, takesOver }: Change): boolean {
  if (action === 'delete' || takesOver) return true;
  if (action === 'create' || before === null) return false;
  return kind === 'template' || (kind !== 'trigger' && nameOf(before) !== name);
}

/** What is to be known of changes before they are accepted, by what stands on what. */
export function createWarnings(
  container: string,
  objects: Record<Kind, Definition[]>,
  intended: readonly Intended[],
) {
  // Found out when the first asks: most lists have nothing that needs it.
  let all: Standpoint[] | undefined;
  const standpoints = () => (all ??= standpointsOf(objects, intended));

  const triggerIds = new Set(objects.trigger.map((one) => idOf('trigger', one)));
  const isTrigger = (id: string) => BUILT_IN_TRIGGERS.has(id) || triggerIds.has(id);

  /** What would break without it. */
  function usersOf(kind: Kind, before: Definition): Standpoint[] {
    const target = targetOf(container, kind, before);
    return standpoints().filter(
      (user) => !(user.kind === kind && user.id === target.id) && needsObject(user.on, target),
    );
  }

  function ofUsers(kind: Kind, before: Definition): string[] {
    const users = usersOf(kind, before);
    if (kind !== 'trigger') return counted(users.length, ...USES[kind]);
    const tags = users.filter((user) => user.kind === 'tag');
    const groups = users.filter((user) => user.kind === 'trigger');
    const variables = users.filter((user) => user.kind === 'variable');
    const firing = tags.filter(({ on }) => on.firing.has(idOf(kind, before)));
    return [
      ...counted(firing.length, 'tag fires', 'tags fire', 'on this trigger'),
      ...counted(tags.length - firing.length, 'tag is', 'tags are', 'blocked by this trigger'),
      ...counted(groups.length, 'trigger group has', 'trigger groups have', 'this trigger in it'),
      ...counted(variables.length, 'variable is', 'variables are', 'switched on or off by it'),
    ];
  }

  /** One may have been made since the snapshot; if it was not, writing fails. */
  function ofStrangers(kind: Kind, { triggers, firing }: Standing): string[] {
    const all = new Set([...firing, ...triggers]);
    const strangers = [...all].filter((id) => /^\d+$/.test(id) && !isTrigger(id));
    return strangers.map((id) => {
      const verb = firing.has(id) ? 'fires on' : STANDS_ON[kind];
      return `It ${verb} trigger ${id}, which the newest snapshot lacks: unless that was made since, writing fails`;
    });
  }

  function ofBody(change: Change): string[] {
    const { kind, before, after, takesOver } = change;
    const warnings: string[] = [];
    if (takesOver && before !== null) {
      const name = called({ kind, name: nameOf(before) });
      warnings.push(`This replaces ${name} that somebody else made`, ...ofUsers(kind, before));
    }
    if (kind === 'tag' && after !== null) {
      const triggers = after['firingTriggerId'];
      if (!Array.isArray(triggers) || triggers.length === 0) {
        warnings.push('It has no trigger, so it never fires by itself');
      }
      if (after['paused'] === true) warnings.push('It is paused, so it does not fire');
    }
    if (after !== null) {
      const on = standsOn(kind, after);
      warnings.push(...ofReferences(on), ...ofStrangers(kind, on));
    }
    if (takesOver || before === null || after === null || !mayBreakOthers(change)) return warnings;
    const users = usersOf(kind, before).length;
    if (kind === 'template') warnings.push(...counted(users, ...USES.template));
    else warnings.push(...counted(users, 'object calls', 'objects call', 'it by its old name'));
    return warnings;
  }

  return (change: Change): string[] => {
    const { action, kind, name, before } = change;
    const warnings = hasUnseen(name) ? [`Its name ${UNSEEN_WORDS}`] : [];
    if (action !== 'delete') return [...warnings, ...ofBody(change)];
    return before === null ? warnings : [...warnings, ...ofUsers(kind, before)];
  };
}

const UNSEEN_WORDS = 'has characters that cannot be seen, or that turn what is read around';

function ofReferences({ variables, tags }: Standing): string[] {
  // Code may have braces of its own over several lines, which are no name.
  const names = [...variables, ...tags].map((name) => name.replace(/[\t\r\n]/g, ' '));
  return names.some(hasUnseen) ? [`It calls something by a name that ${UNSEEN_WORDS}`] : [];
}

/** As things will stand once what is open was accepted. */
function standpointsOf(
  objects: Record<Kind, Definition[]>,
  intended: readonly Intended[],
): Standpoint[] {
  const changed = new Map(
    intended.flatMap((one) =>
      one.objectId ? [[`${one.kind}/${one.objectId}`, one] as const] : [],
    ),
  );
  return kinds.flatMap((kind) =>
    objects[kind].flatMap((object) => {
      const id = idOf(kind, object);
      const change = changed.get(`${kind}/${id}`);
      if (change?.action === 'delete') return [];
      return [{ kind, id, on: standsOn(kind, change?.after ?? object) }];
    }),
  );
}

/** How it stands on a trigger that does not make it fire. */
const STANDS_ON: Record<Kind, string> = {
  tag: 'is blocked by',
  trigger: 'waits for',
  variable: 'is switched on or off by',
  template: 'names',
};

type Words = [one: string, many: string, rest: string];

const USES: Record<Exclude<Kind, 'trigger'>, Words> = {
  template: ['object uses', 'objects use', 'this template'],
  variable: ['object uses', 'objects use', 'this variable'],
  tag: ['tag has', 'tags have', 'this tag fire before or after'],
};

function counted(count: number, ...[one, many, rest]: Words): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many} ${rest}`];
}
