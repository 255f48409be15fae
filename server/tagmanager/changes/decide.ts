import type { Clock } from '../../platform/clock.ts';
import { problems } from '../../platform/errors.ts';
import type { KeyedMutex } from '../../platform/mutex.ts';
import type { Definition } from '../api/schema.ts';
import type { Apply } from './apply.ts';
import { abandon, close } from './close.ts';
import { problemOf } from './ground.ts';
import type { ConnectionPart } from './parts.ts';
import type { Asking } from './propose.ts';
import type { Records, Verbs } from './records.ts';
import { proposeAgain } from './renew.ts';
import { createSite } from './site.ts';
import { OPEN } from './store.ts';
import type { Change } from './store.ts';
import { isIn } from './whereabouts.ts';
import { called } from './words.ts';

interface Parts {
  records: Records;
  connection: Pick<ConnectionPart, 'apiFor' | 'chosen' | 'placeOf' | 'moved'>;
  apply: Pick<Apply, 'alone'>;
  /** Held by all that propose, for each tenant. */
  oneByOne: KeyedMutex;
  clock: Clock;
}

/** What can be decided on changes besides accepting them. */
export function createDecisions({ records, connection, apply, oneByOne, clock }: Parts) {
  async function inConflict(tenantId: string, id: string): Promise<Change> {
    const [change] = await records.read((verbs) => verbs.some(tenantId, { ids: [id] }));
    if (change === undefined) throw problems.notFound('Change');
    if (change.status !== 'conflict') throw problems.changeClosed();
    return change;
  }

  async function asItIsNow(tenantId: string, change: Change): Promise<Definition | null> {
    const { action, kind, objectId, name } = change;
    try {
      const site = createSite({ connection, tenantId });
      if (!isIn(change, connection.chosen(tenantId))) throw problems.changeClosed();
      return await (action === 'create' ? site.named(kind, name) : site.get(kind, objectId ?? ''));
    } catch (error) {
      throw problemOf(error);
    }
  }

  return {
    /** Of what was interrupted, the whole batch is given up, and what was written of it stays. */
    async reject(asking: Asking, ids: readonly string[]): Promise<Change[]> {
      const { tenantId } = asking;
      const accepted = await records.read((verbs) =>
        verbs.some(tenantId, { ids, statuses: ['accepted'] }),
      );
      if (accepted.length === 0) return records.write((verbs) => reject(verbs, asking, ids));
      return apply.alone(tenantId, () =>
        records.write(async (verbs) => {
          const givenUp = await giveUp(verbs, asking, accepted);
          const others = ids.filter((id) => !givenUp.includes(id));
          const rejected = others.length > 0 ? await reject(verbs, asking, others) : [];
          return [...(await verbs.some(tenantId, { ids: givenUp })), ...rejected];
        }),
      );
    },

    /** The same again, over what is there now. */
    async renew(asking: Asking, id: string): Promise<Change> {
      const { tenantId } = asking;
      const old = await inConflict(tenantId, id);
      // Nobody else waits while the tag manager is asked, which may take minutes.
      const current = await asItIsNow(tenantId, old);
      return oneByOne(tenantId, () => {
        // The time of asking may be as long ago by now.
        const late = { ...asking, now: clock.now() };
        return records.write((verbs) => proposeAgain(verbs, late, id, current));
      });
    },
  };
}

/** Those that need a rejected one cannot come about either. */
async function reject(verbs: Verbs, asking: Asking, ids: readonly string[]): Promise<Change[]> {
  const { tenantId } = asking;
  const chosen = await verbs.some(tenantId, { ids });
  if (chosen.length < new Set(ids).size) throw problems.notFound('Change');
  if (chosen.some(({ status }) => status !== 'proposed' && status !== 'conflict')) {
    throw problems.changeClosed();
  }
  for (const change of chosen) await close(verbs, asking, change, 'rejected', null);
  const rejected = await rejectDependents(verbs, asking, chosen);
  return verbs.some(tenantId, { ids: rejected });
}

/** Returns those that are gone by then. */
async function rejectDependents(
  verbs: Verbs,
  asking: Asking,
  rejected: readonly Change[],
): Promise<string[]> {
  const gone = new Set(rejected.map(({ id }) => id));
  const open = await verbs.some(asking.tenantId, { statuses: OPEN });
  for (const [change, need] of dependentsOf([...open, ...rejected], gone)) {
    const why = `It needs ${called(need)}, which was rejected.`;
    await close(verbs, asking, change, 'rejected', why);
  }
  return [...gone];
}

/** Returns the ids of all that were in the batches of these. */
async function giveUp(
  verbs: Verbs,
  asking: Asking,
  accepted: readonly Change[],
): Promise<string[]> {
  const { tenantId } = asking;
  const batches = await verbs.unfinished(tenantId);
  const meant = batches.filter(({ id }) => accepted.some(({ batch }) => batch === id));
  const ids: string[] = [];
  for (const batch of meant) {
    const own = await verbs.some(tenantId, { batch: batch.id });
    ids.push(...own.map(({ id }) => id));
    await abandon(verbs, asking, batch, 'rejected', 'It was given up after an interruption.');
  }
  const rejected = (await verbs.some(tenantId, { ids })).filter(
    ({ status }) => status === 'rejected',
  );
  await rejectDependents(verbs, asking, rejected);
  return ids;
}

/** Each with the one that it needs; adds them to `gone` on the way. */
function* dependentsOf(open: readonly Change[], gone: Set<string>): Generator<[Change, Change]> {
  const byId = new Map(open.map((change) => [change.id, change]));
  for (let found = true; found;) {
    found = false;
    for (const change of open) {
      const need = byId.get(change.needs.find((id) => gone.has(id)) ?? '');
      if (need === undefined || gone.has(change.id)) continue;
      gone.add(change.id);
      found = true;
      yield [change, need];
    }
  }
}
