import { problems } from '../../platform/errors.ts';
import type { Definition, Kind } from '../api/schema.ts';
import { TagManagerFault } from '../faults.ts';
import type { SnapshotView } from '../snapshot/schema.ts';
import type { ConnectionPart, SnapshotsPart } from './parts.ts';
import type { Records } from './records.ts';
import { OPEN } from './store.ts';
import type { Change } from './store.ts';
import { isIn, whereaboutsOf } from './whereabouts.ts';
import type { Whereabouts } from './store.ts';

/** What a proposal is judged by. */
export interface Ground {
  container: string;
  of: Whereabouts;
  view: SnapshotView;
  objects: Record<Kind, Definition[]>;
  open: Change[];
}

interface Parts {
  connection: Pick<ConnectionPart, 'chosen'>;
  snapshots: Pick<SnapshotsPart, 'newest'>;
  records: Records;
}

/** Throws when what is known of the container is not what is there by now. */
export const createGround =
  ({ connection, snapshots, records }: Parts) =>
  async (tenantId: string): Promise<Ground> => {
    const chosen = asProblem(() => connection.chosen(tenantId));
    const { container_id: container } = chosen;
    const newest = await snapshots.newest(tenantId);
    if (newest === undefined || !isIn(whereaboutsOf(newest.view.of), chosen))
      throw problems.snapshotNeeded();
    const { open, isOutdated } = await records.read(async (verbs) => ({
      open: await verbs.some(tenantId, { statuses: OPEN }),
      isOutdated: await verbs.isOutdated(tenantId, newest.view),
    }));
    if (isOutdated) throw problems.snapshotNeeded();
    const of = whereaboutsOf(chosen);
    return { container, of, view: newest.view, objects: newest.objects, open };
  };

/** For verbs that answer a request. */
export function asProblem<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw problemOf(error);
  }
}

export function problemOf(error: unknown): unknown {
  return error instanceof TagManagerFault ? problems.tagManagerFault(error) : error;
}
