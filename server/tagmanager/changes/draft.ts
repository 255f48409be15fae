import { randomUUID } from 'node:crypto';
import { problems } from '../../platform/errors.ts';
import { storable } from '../../platform/sql.ts';
import type { FieldError } from '../../platform/errors.ts';
import { idOf, nameOf } from '../api/api.ts';
import type { Definition, Kind } from '../api/schema.ts';
import { bodyOf, isSame } from './bodies.ts';
import type { Ground } from './ground.ts';
import { circular } from './order.ts';
import { mentionsIn, needsObject, standsOn, targetOf, withRefs } from './references.ts';
import { TRIGGER_FIELDS } from '../snapshot/triggers.ts';
import type { NewChange } from './schema.ts';
import type { Change } from './store.ts';
import { called, capital, toDo } from './words.ts';

/** A change on its way to being proposed: `at` is where it stands in what was sent. */
export interface Draft extends Pick<
  Change,
  'id' | 'action' | 'kind' | 'objectId' | 'name' | 'before' | 'after' | 'needs'
> {
  at: string;
}

/** Checks what was sent against the newest snapshot and what is open; throws what is wrong. */
export function draftsOf(changes: readonly NewChange[], ground: Ground): Draft[] {
  const errors: FieldError[] = [];
  const refs = refsOf(changes, errors);
  const drafts = changes.map((change, i) => draftOf(change, `changes[${i}]`, ground));
  checkTwice(drafts, errors);
  checkNames(drafts, ground, errors);
  for (const draft of drafts) checkBody(draft, errors);
  const ids = new Map([...refs].map(([ref, i]) => [ref, drafts[i] as Draft]));
  for (const draft of drafts) resolve(draft, ids, errors);
  addNeedsByName(drafts, ground);
  for (const id of circular(drafts)) {
    const { at = '' } = drafts.find((draft) => draft.id === id) ?? {};
    errors.push({ path: at, message: 'needs changes that need it in turn' });
  }
  checkDeleted(drafts, ground, errors);
  if (errors.length > 0) throw problems.invalid(errors);
  return drafts;
}

function refsOf(changes: readonly NewChange[], errors: FieldError[]): Map<string, number> {
  const refs = new Map<string, number>();
  for (const [i, change] of changes.entries()) {
    const ref = change.action === 'delete' ? undefined : change.ref;
    if (ref === undefined) continue;
    if (refs.has(ref)) errors.push({ path: `changes[${i}].ref`, message: 'is used twice' });
    refs.set(ref, i);
  }
  return refs;
}

function draftOf(change: NewChange, at: string, { objects, open }: Ground): Draft {
  const { action, kind } = change;
  const id = randomUUID();
  if (action === 'create') {
    const after = bodyOf(change.body);
    const name = storable(nameOf(after));
    return { id, at, action, kind, objectId: null, name, before: null, after, needs: [] };
  }
  const before = objects[kind].find((object) => idOf(kind, object) === change.id);
  if (before === undefined) throw problems.notFound(capital(`${kind} ${change.id}`));
  const rival = open.find((other) => other.kind === kind && other.objectId === change.id);
  if (rival !== undefined) throw problems.changeOpen(toDo(rival));
  const after = action === 'delete' ? null : bodyOf(change.body);
  const name = storable(nameOf(after ?? before));
  return { id, at, action, kind, objectId: change.id, name, before, after, needs: [] };
}

function checkTwice(drafts: readonly Draft[], errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const { at, kind, objectId, before, after } of drafts) {
    if (objectId !== null) {
      const key = `${kind}/${objectId}`;
      if (seen.has(key)) errors.push({ path: at, message: 'is changed twice in this list' });
      seen.add(key);
    }
    if (before !== null && after !== null && isSame(bodyOf(before), after)) {
      errors.push({ path: `${at}.body`, message: 'changes nothing' });
    }
  }
}

/** What is deleted keeps its name until the end, since deletes are written last. */
function checkNames(drafts: readonly Draft[], ground: Ground, errors: FieldError[]): void {
  const taken = takenNames(ground);
  for (const { at, kind, objectId, name, after, before } of drafts) {
    if (after === null) continue;
    const path = `${at}.body.name`;
    if (name.trim() === '') {
      errors.push({ path, message: 'is required' });
      continue;
    }
    const isOwn = before !== null && nameOf(before) === name;
    const key = `${kind}/${name}`;
    if (!isOwn && taken.has(key)) {
      errors.push({ path, message: `is taken by another ${kind}, or by an open proposal` });
    }
    if (objectId === null || !isOwn) taken.add(key);
  }
}

/** What the tag manager can never take is refused here, not in the middle of writing. */
function checkBody({ at, kind, after }: Draft, errors: FieldError[]): void {
  if (after === null) return;
  const needed = kind === 'template' ? 'templateData' : 'type';
  if (typeof after[needed] !== 'string' || after[needed].trim() === '') {
    errors.push({ path: `${at}.body.${needed}`, message: 'is required' });
  }
  for (const field of TRIGGER_FIELDS) {
    const ids = after[field];
    if (ids === undefined || (Array.isArray(ids) && ids.every(isTriggerId))) continue;
    const message = 'must be a list of ids of triggers: digits, or change:REF';
    errors.push({ path: `${at}.body.${field}`, message });
  }
}

const isTriggerId = (id: unknown): boolean =>
  typeof id === 'string' && /^(?:\d+|change:.*)$/.test(id);

/** As `kind/name`. */
export function takenNames({ objects, open }: Pick<Ground, 'objects' | 'open'>): Set<string> {
  const inUse = (Object.entries(objects) as [Kind, Definition[]][]).flatMap(([kind, all]) =>
    all.map((object) => `${kind}/${nameOf(object)}`),
  );
  return new Set([...inUse, ...open.map(({ kind, name }) => `${kind}/${name}`)]);
}

function resolve(draft: Draft, refs: ReadonlyMap<string, Draft>, errors: FieldError[]): void {
  if (draft.after === null) return;
  const path = `${draft.at}.body`;
  // A text that was there before is somebody's own, whatever it looks like.
  const own = new Set(draft.before === null ? [] : mentionsIn(draft.before).map(({ ref }) => ref));
  for (const { ref, kind } of mentionsIn(draft.after)) {
    const target = refs.get(ref);
    if (target === undefined) {
      if (own.has(ref)) continue;
      errors.push({ path, message: `change:${ref} is no change of this list` });
    } else if (kind !== null && kind !== target.kind) {
      errors.push({ path, message: `change:${ref} has to be a ${kind} there` });
    } else if (!draft.needs.includes(target.id)) draft.needs.push(target.id);
  }
  draft.after = withRefs(draft.after, (ref) => {
    const target = refs.get(ref);
    return target && `change:${target.id}`;
  });
}

/** Variables, and tags that run before or after others, are called by name. */
function addNeedsByName(drafts: readonly Draft[], { objects, open }: Ground): void {
  const made = [...open, ...drafts].filter(({ action }) => action === 'create');
  const isThere = (kind: Kind, name: string) =>
    objects[kind].some((object) => nameOf(object) === name);
  for (const draft of drafts) {
    if (draft.after === null) continue;
    const { variables, tags } = standsOn(draft.kind, draft.after);
    for (const { id, kind, name } of made) {
      const isCalled =
        (kind === 'variable' && variables.has(name)) || (kind === 'tag' && tags.has(name));
      if (!isCalled || draft.needs.includes(id) || isThere(kind, name)) continue;
      draft.needs.push(id);
    }
  }
}

/** Nothing may stand on what is to go. */
function checkDeleted(drafts: readonly Draft[], ground: Ground, errors: FieldError[]): void {
  const { container, open } = ground;
  const isNew = new Set(drafts.map(({ id }) => id));
  const standing = [...open, ...drafts].flatMap(({ id, kind, name, after }) =>
    after === null ? [] : [{ id, kind, name, on: standsOn(kind, after) }],
  );
  for (const gone of [...open, ...drafts]) {
    if (gone.action !== 'delete' || gone.before === null) continue;
    const target = targetOf(container, gone.kind, gone.before);
    for (const { id, kind, name, on } of standing) {
      if (!(isNew.has(id) || isNew.has(gone.id)) || !needsObject(on, target)) continue;
      const draft = drafts.find((one) => one.id === id);
      errors.push(
        draft === undefined
          ? {
              path: drafts.find((one) => one.id === gone.id)?.at ?? '',
              message: `is used in an open proposal for ${called({ kind, name })}`,
            }
          : {
              path: `${draft.at}.body`,
              message: `stands on ${called(gone)}, which is to be deleted`,
            },
      );
    }
  }
}
