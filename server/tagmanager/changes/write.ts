import { fingerprintOf, idOf } from '../api/api.ts';
import type { Definition } from '../api/schema.ts';
import { TagManagerFault } from '../faults.ts';
import type { Verdict } from './batch-store.ts';
import type { Step } from './batch-store.ts';
import { isAsWanted, isNoMore, keepsDropped } from './likeness.ts';
import { isUntouched } from './look.ts';
import type { Site } from './site.ts';
import type { Change } from './store.ts';
import { called, capital, problemWords } from './words.ts';

/** One write, and the memory of it. */
export interface Task {
  change: Change;
  step: Step;
  /** As it is to be sent; null for a delete. */
  body: Definition | null;
  site: Site;
  /** Stores how far the step has come. */
  remember: (to: Partial<Step>) => Promise<void>;
}

type Found =
  | { is: 'waiting' }
  | { is: 'done'; object: Definition | null }
  /** `perhapsOurs`: it may be what we wrote, in a form that is not recognised. */
  | { is: 'theirs'; current: Definition | null; perhapsOurs?: boolean };

/** How often something is tried of which it is not known what becomes of it. */
export const ATTEMPTS = 3;

/** Neither this nor taking anything back can be done before a person has seen to it. */
const ENDED: ReadonlySet<string> = new Set([
  ...['stopped', 'grant_ended', 'tokens_unreadable', 'not_connected', 'nothing_chosen'],
  ...['workspace_gone', 'wrong_client', 'wrong_account', 'access_failed', 'no_refresh_token'],
]);

/** Refused whatever is asked for, until the rest of the quota comes or the way is free again. */
const TO_ALL: ReadonlySet<string> = new Set([
  ...['quota', 'quota_day', 'missing_scope', 'api_disabled'],
]);

type WithCode = Pick<TagManagerFault, 'code'>;

export const isEnded = ({ code }: WithCode): boolean => ENDED.has(code);
export const isToAll = ({ code }: WithCode): boolean => TO_ALL.has(code);

/**
 * Writes one change, once: a write whose outcome is not known is looked for before it is tried
 * again. Says why it cannot be; throws when that cannot even be found out now.
 */
export async function write(task: Task): Promise<Verdict | null> {
  // Of a step that was begun before, nobody knows what became of it.
  const isResumed = task.step.state === 'writing';
  let unsure = isResumed;
  let last: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = unsure ? await find(task) : await glance(task);
    if (found.is === 'done') return settle(task, found.object, isResumed);
    if (found.is === 'theirs') return clash(task, found, unsure);
    await task.remember({ state: 'writing' });
    try {
      return await settle(task, await send(task));
    } catch (error) {
      if (!(error instanceof TagManagerFault) || isEnded(error)) throw error;
      last = error;
      const mayBeDone = error.code === 'unreachable';
      const hasMoved = error.code === 'not_found' && (await task.site.follow());
      if (!mayBeDone && !hasMoved) return refusal(task, error, { unsure, isResumed });
      unsure = true;
    }
  }
  throw last;
}

/** What was only found there after an interruption is not ours to take away again. */
async function settle(
  { change, remember }: Task,
  object: Definition | null,
  isFound = false,
): Promise<null> {
  const { kind, objectId } = change;
  const isDoubtful = isFound && change.action === 'create';
  await remember({
    note: isDoubtful ? `${capital(called(change))} ${problemWords.found}` : null,
    state: 'written',
    objectId: object === null ? objectId : idOf(kind, object) || objectId,
    fingerprint: object === null ? null : fingerprintOf(object),
  });
  return null;
}

/** A delete takes no fingerprint, so it follows right after a look. */
async function glance(task: Task): Promise<Found> {
  if (task.change.action !== 'delete') return { is: 'waiting' };
  const found = await find(task);
  return found.is === 'done' ? { is: 'theirs', current: null } : found;
}

async function find({ change, body, site }: Task): Promise<Found> {
  const { action, kind, objectId, name } = change;
  if (action === 'create') {
    const current = await site.named(kind, name);
    if (current === null) return { is: 'waiting' };
    // Nobody had the name when the batch began, so what has it now and is the very same is ours.
    if (isNoMore(kind, body ?? {}, current)) return { is: 'done', object: current };
    return { is: 'theirs', current, perhapsOurs: isAsWanted(kind, body ?? {}, current) };
  }
  const current = await site.get(kind, objectId ?? '');
  if (current === null) {
    return action === 'delete' ? { is: 'done', object: null } : { is: 'theirs', current };
  }
  if (isUntouched(change, current)) return { is: 'waiting' };
  if (action === 'update' && isUpdated(change, body ?? {}, current)) {
    return { is: 'done', object: current };
  }
  return { is: 'theirs', current, perhapsOurs: action === 'update' };
}

function isUpdated({ kind, before }: Change, body: Definition, current: Definition): boolean {
  return isAsWanted(kind, body, current) && !keepsDropped(before ?? {}, body, current);
}

async function send({ change, body, site }: Task): Promise<Definition | null> {
  const { action, kind, before } = change;
  const id = change.objectId ?? '';
  switch (action) {
    case 'create':
      return site.create(kind, body ?? {});
    case 'update':
      return site.update(kind, id, body ?? {}, fingerprintOf(before ?? {}));
    case 'delete':
      await site.delete(kind, id);
      return null;
  }
}

/** An earlier attempt may have been carried out late, and be what stands in the way of this one. */
async function refusal(
  task: Task,
  fault: TagManagerFault,
  { unsure, isResumed }: { unsure: boolean; isResumed: boolean },
): Promise<Verdict | null> {
  const mayBeClash = ['conflict', 'not_found', 'refused'].includes(fault.code);
  if (unsure || mayBeClash) {
    const found = await find(task);
    // Of a first attempt that was refused nothing was carried out: somebody else did the same.
    if (found.is === 'done') {
      if (unsure) return settle(task, found.object, isResumed);
      return clash(task, { current: found.object }, unsure);
    }
    if (found.is === 'theirs') return clash(task, found, unsure);
  }
  // Where nobody else is to blame, a conflict is a refusal like others.
  const code = fault.code === 'conflict' ? 'refused' : fault.code;
  const { message: words, next } = fault;
  return { change: task.change.id, code, words, next, current: null };
}

type Theirs = Omit<Extract<Found, { is: 'theirs' }>, 'is'>;

/** Of an attempt of unknown outcome it cannot be said that nothing of it is there. */
async function clash(
  { change, remember }: Task,
  { current, perhapsOurs = false }: Theirs,
  unsure: boolean,
): Promise<Verdict> {
  const theirs = change.action === 'create' ? problemWords.nameTaken : problemWords.changed;
  const isDoubtful = unsure && perhapsOurs && current !== null;
  const doubt = isDoubtful ? ` ${problemWords.perhapsOurs}` : '';
  const words = current === null ? problemWords.gone : `${theirs}${doubt}`;
  if (isDoubtful) await remember({ state: 'left', note: words });
  return { change: change.id, code: 'conflict', words, next: '', current };
}
