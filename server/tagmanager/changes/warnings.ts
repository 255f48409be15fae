import { idOf, nameOf } from '../api/api.ts';
import { kinds } from '../api/schema.ts';
import type { Definition, Kind } from '../api/schema.ts';
import { needsObject, standsOn, targetOf } from './references.ts';
import type { Standing } from './references.ts';
import type { Change } from './store.ts';

interface Standpoint {
  kind: Kind;
  id: string;
  on: Standing;
}

/** What is to be known of changes before they are accepted, by what stands on what. */
export function createWarnings(
  container: string,
  objects: Record<Kind, Definition[]>,
  open: readonly Change[],
) {
  // Found out when the first asks: most lists have nothing that needs it.
  let all: Standpoint[] | undefined;
  const standpoints = () => (all ??= standpointsOf(objects, open));

  /** What would break without it. */
  function usersOf(kind: Kind, before: Definition): Standpoint[] {
    const target = targetOf(container, kind, before);
    return standpoints().filter(
      (user) => !(user.kind === kind && user.id === target.id) && needsObject(user.on, target),
    );
  }

  function ofDelete({ kind, before, objectId }: Change): string[] {
    const users = before === null ? [] : usersOf(kind, before);
    if (kind !== 'trigger') return counted(users.length, ...USES[kind]);
    const tags = users.filter((user) => user.kind === 'tag');
    const firing = tags.filter(({ on }) => on.firing.has(objectId ?? ''));
    return [
      ...counted(firing.length, 'tag fires', 'tags fire', 'on this trigger'),
      ...counted(tags.length - firing.length, 'tag is', 'tags are', 'blocked by this trigger'),
      ...counted(
        users.length - tags.length,
        'trigger group has',
        'trigger groups have',
        'this trigger in it',
      ),
    ];
  }

  function ofBody({ kind, action, before, after }: Change): string[] {
    const warnings: string[] = [];
    if (kind === 'tag' && after !== null) {
      const triggers = after['firingTriggerId'];
      if (!Array.isArray(triggers) || triggers.length === 0) {
        warnings.push('It has no trigger, so it never fires by itself');
      }
      if (after['paused'] === true) warnings.push('It is paused, so it does not fire');
    }
    if (action !== 'update' || before === null || after === null) return warnings;
    const users = usersOf(kind, before).length;
    if (kind === 'template') warnings.push(...counted(users, ...USES.template));
    if ((kind === 'variable' || kind === 'tag') && nameOf(before) !== nameOf(after)) {
      warnings.push(...counted(users, 'object calls', 'objects call', 'it by its old name'));
    }
    return warnings;
  }

  return (change: Change): string[] =>
    change.action === 'delete' ? ofDelete(change) : ofBody(change);
}

/** As things will stand once what is open was accepted. */
function standpointsOf(objects: Record<Kind, Definition[]>, open: readonly Change[]): Standpoint[] {
  const changed = new Map(
    open.flatMap((one) => (one.objectId ? [[`${one.kind}/${one.objectId}`, one] as const] : [])),
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

type Words = [one: string, many: string, rest: string];

const USES: Record<Exclude<Kind, 'trigger'>, Words> = {
  template: ['object uses', 'objects use', 'this template'],
  variable: ['object uses', 'objects use', 'this variable'],
  tag: ['tag has', 'tags have', 'this tag fire before or after'],
};

function counted(count: number, ...[one, many, rest]: Words): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many} ${rest}`];
}
