import { problems } from '../../platform/errors.ts';
import type { Mask } from '../../tenants/key-mask.ts';
import type { Kind } from '../api/schema.ts';
import type { ContainerObject, ObjectDetail, ObjectDifference, ObjectQuery } from './schema.ts';
import type { SnapshotView } from './schema.ts';
import type { SnapshotStore } from './store.ts';
import type { Snapshots } from './take.ts';

interface Parts {
  snapshots: Pick<Snapshots, 'newest'>;
  store: Pick<SnapshotStore, 'differences'>;
}

export type Container = ReturnType<typeof createContainer>;

/** The container as the newest snapshot shows it. */
export const createContainer = ({ snapshots, store }: Parts) => ({
  async latest(tenantId: string): Promise<{ latest: SnapshotView | null }> {
    return { latest: (await snapshots.newest(tenantId))?.view ?? null };
  },

  async objects(tenantId: string, query: ObjectQuery, mask?: Mask): Promise<ContainerObject[]> {
    return (await snapshots.newest(tenantId))?.overview().list(query, mask) ?? [];
  },

  async object(tenantId: string, kind: Kind, id: string): Promise<ObjectDetail> {
    const found = (await snapshots.newest(tenantId))?.overview().find(kind, id);
    if (found === undefined) throw problems.notFound('This object');
    return found;
  },

  async differences(tenantId: string): Promise<ObjectDifference[]> {
    const newest = await snapshots.newest(tenantId);
    return newest === undefined ? [] : store.differences(tenantId, newest.view.id);
  },
});
