import { fingerprintOf, idOf } from '../api/api.ts';
import type { Definition } from '../api/schema.ts';
import { TagManagerFault } from '../faults.ts';
import type { Step } from './batch-store.ts';
import { bodyOf } from './bodies.ts';
import { isAsWanted, isNoMore, keepsDropped } from './likeness.ts';
import { withNewIds } from './references.ts';
import type { Site } from './site.ts';
import type { Change } from './store.ts';
import { ATTEMPTS, isEnded, isToAll } from './write.ts';
import { called, capital } from './words.ts';

/** One write that is to be taken back. */
export interface Undoing {
  change: Change;
  step: Step;
  site: Site;
  /** `kind/id` of what was deleted and has come back under another id. */
  newIds: ReadonlyMap<string, string>;
  /** Stores how far it has come, and in the same moment the object that is there now. */
  remember: (to: Partial<Step>, before?: Definition) => Promise<void>;
}

type Found =
  | { is: 'ours'; current: Definition | null }
  | { is: 'undone'; object: Definition | null }
  | { is: 'left'; why: string };

/** What cannot have been refused for good: permissions come back, too. */
const isForNow = (fault: TagManagerFault): boolean =>
  isToAll(fault) || fault.code === 'no_permission';

/**
 * Takes one write back, unless somebody else has been at the object since. Throws when that cannot
 * be done or found out now; it can be tried again later.
 */
export async function takeBack(undoing: Undoing): Promise<void> {
  let last: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = await find(undoing);
    if (found.is === 'undone') return finish(undoing, found.object);
    if (found.is === 'left') return leave(undoing, found.why);
    await undoing.remember({ state: 'undoing' });
    try {
      const object = await send(undoing, found.current);
      await finish(undoing, object);
      return;
    } catch (error) {
      if (!(error instanceof TagManagerFault) || isEnded(error) || isForNow(error)) throw error;
      last = error;
      if (error.code !== 'refused') continue;
      return leave(undoing, `${subject(undoing)} could not be taken back: ${error.message}`);
    }
  }
  throw last;
}

const leave = ({ remember }: Undoing, note: string) => remember({ state: 'left', note });

async function finish(
  { change, step, remember }: Undoing,
  object: Definition | null,
): Promise<void> {
  if (object === null) return remember({ state: 'undone' });
  const to = {
    state: 'undone' as const,
    objectId: idOf(change.kind, object) || step.objectId,
    fingerprint: fingerprintOf(object),
    formerId: change.action === 'delete' ? change.objectId : null,
  };
  await remember(to, object);
}

async function find(undoing: Undoing): Promise<Found> {
  const { change, step, site } = undoing;
  const { kind, action, name, before } = change;
  // Only found, it may be somebody else's.
  if (action === 'create' && step.note !== null) return { is: 'left', why: step.note };
  if (action === 'delete') {
    const current = before && (await site.named(kind, name));
    if (!current) return { is: 'ours', current: null };
    if (isNoMore(kind, formerOf(undoing), current)) return { is: 'undone', object: current };
    const why = `${subject(undoing)} was deleted, and another object has its name by now`;
    return { is: 'left', why };
  }
  const current = await site.get(kind, step.objectId ?? '');
  if (current === null) {
    if (action === 'create') return { is: 'undone', object: null };
    return { is: 'left', why: `${subject(undoing)} was deleted by somebody else` };
  }
  if (fingerprintOf(current) === step.fingerprint) return { is: 'ours', current };
  if (action === 'update' && isBack(undoing, current)) {
    return { is: 'undone', object: current };
  }
  const why = `${subject(undoing)} was changed by somebody else after it was written, so it was left`;
  return { is: 'left', why };
}

async function send(undoing: Undoing, current: Definition | null): Promise<Definition | null> {
  const { change, step, site } = undoing;
  const id = step.objectId ?? '';
  switch (change.action) {
    case 'create':
      await site.delete(change.kind, id);
      return null;
    case 'update':
      return site.update(change.kind, id, formerOf(undoing), fingerprintOf(current ?? {}));
    case 'delete':
      return site.create(change.kind, formerOf(undoing));
  }
}

/** What was added by the write that is taken back is gone, too. */
function isBack(undoing: Undoing, current: Definition): boolean {
  const { kind, after } = undoing.change;
  const former = formerOf(undoing);
  return isAsWanted(kind, former, current) && !keepsDropped(after ?? {}, former, current);
}

/** As it was, but for what it stands on that has come back under another id. */
function formerOf({ change, site, newIds }: Undoing): Definition {
  return withNewIds(bodyOf(change.before ?? {}), site.container, newIds);
}

function subject({ change }: Undoing): string {
  return capital(called(change));
}
