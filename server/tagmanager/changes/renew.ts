import { randomUUID } from 'node:crypto';
import { problems } from '../../platform/errors.ts';
import { idOf } from '../api/api.ts';
import type { Definition } from '../api/schema.ts';
import { bodyOf, isSame } from './bodies.ts';
import { close } from './close.ts';
import { undecided } from './propose.ts';
import type { Asking } from './propose.ts';
import type { Verbs } from './records.ts';
import { OPEN } from './store.ts';
import type { Change } from './store.ts';
import { called, capital, toDo } from './words.ts';

/** The same again, in the place of the old one, over what is there now. */
export async function proposeAgain(
  verbs: Verbs,
  asking: Asking,
  id: string,
  current: Definition | null,
): Promise<Change> {
  const { tenantId, who, now } = asking;
  // What it needs may have been renewed meanwhile, too.
  const [old] = await verbs.some(tenantId, { ids: [id] });
  if (old?.status !== 'conflict') throw problems.changeClosed();
  const next = renewed(old, current, asking);
  const open = await verbs.some(tenantId, { statuses: OPEN });
  const rival = open.find((one) => one.id !== id && isOfSame(one, next));
  if (rival) throw problems.changeOpen(toDo(rival));
  const why = `Proposed again by ${who}, over what is there now.`;
  await close(verbs, asking, old, 'rejected', why, 'replaced');
  await verbs.add(tenantId, [next]);
  await passOn(verbs, tenantId, open, id, next.id);
  const isTaken = next.action !== old.action;
  const over = isTaken ? 'in place of what somebody else made' : 'again over what is there now';
  const words = `${toDo(next)}, ${over}`;
  await verbs.note(tenantId, [{ who, deed: 'proposed', changeId: next.id, words }], now);
  return next;
}

function renewed(old: Change, current: Definition | null, asking: Asking): Change {
  const { action, kind, after } = old;
  if (current === null && action !== 'create') {
    throw problems.objectGone(capital(called(old)));
  }
  if (current !== null && after !== null && isSame(bodyOf(current), after)) {
    throw problems.invalid([{ path: 'id', message: 'is as proposed in the tag manager already' }]);
  }
  // Where somebody else has taken the name, it is their object that would be changed.
  const isTaken = action === 'create' && current !== null;
  return {
    ...old,
    id: randomUUID(),
    action: isTaken ? 'update' : action,
    takesOver: isTaken ? true : old.takesOver,
    objectId: current === null ? null : idOf(kind, current),
    before: current,
    ...undecided(asking),
  };
}

function isOfSame(one: Change, other: Change): boolean {
  if (one.kind !== other.kind) return false;
  return other.objectId === null ? one.name === other.name : one.objectId === other.objectId;
}

/** Those that needed the old one need the new one. */
async function passOn(
  verbs: Verbs,
  tenantId: string,
  open: readonly Change[],
  from: string,
  to: string,
): Promise<void> {
  for (const { id, needs, after } of open) {
    if (!needs.includes(from)) continue;
    const body = JSON.stringify(after).replaceAll(`"change:${from}"`, `"change:${to}"`);
    await verbs.set(tenantId, id, {
      needs: needs.map((need) => (need === from ? to : need)),
      after: JSON.parse(body) as Definition,
    });
  }
}
