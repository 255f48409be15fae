import type { Kind } from '$server/tagmanager/api/schema.ts';
import type { AuditEntry, ChangeDetail, ChangeView } from '$server/tagmanager/changes/schema.ts';
import type { ConnectionView } from '$server/tagmanager/connection/schema.ts';
import type {
  ContainerObject,
  ObjectDetail,
  ObjectDifference,
} from '$server/tagmanager/snapshot/schema.ts';
import { api } from '$lib/api.ts';

/** What an answer holds at the most. */
const MOST = 1000;
/** How many closed changes, or entries of the audit trail, are read at once. */
export const PAGE = 50;
const WORKING_MS = 1_000;
const QUIET_MS = 15_000;

type Asked = { signal: AbortSignal };

/** What the pages about the container and its changes read, besides what all pages do. */
export const containerReads = {
  /** All objects of a snapshot. They never change; another snapshot has others. */
  objects: (snapshot: string) => ({
    queryKey: ['tag-manager', 'objects', snapshot],
    queryFn: async ({ signal }: Asked) => {
      const all = await everything<ContainerObject>('/tag-manager/snapshot/objects', {}, signal);
      // Pages of two snapshots, where one took the other's place meanwhile, may overlap.
      return [...new Map(all.map((one) => [`${one.kind} ${one.id}`, one])).values()];
    },
    // What was shown stays until the new ones are here.
    placeholderData: (before: ContainerObject[] | undefined) => before,
    structuralSharing: false as const,
    staleTime: 5 * 60_000,
  }),

  object: (kind: Kind, id: string, snapshot: string) => ({
    queryKey: ['tag-manager', 'object', kind, id, snapshot],
    queryFn: ({ signal }: Asked) =>
      api.get<ObjectDetail>(
        `/tag-manager/snapshot/objects/${kind}/${encodeURIComponent(id)}`,
        {},
        signal,
      ),
    // The same object of the snapshot before, not another object.
    placeholderData: (before: ObjectDetail | undefined) =>
      before?.kind === kind && before.id === id ? before : undefined,
    staleTime: 5 * 60_000,
  }),

  differences: (snapshot: string) => ({
    queryKey: ['tag-manager', 'differences', snapshot],
    queryFn: ({ signal }: Asked) =>
      api.get<ObjectDifference[]>('/tag-manager/snapshot/differences', {}, signal),
    placeholderData: (before: ObjectDifference[] | undefined) => before,
    staleTime: 5 * 60_000,
  }),

  /** What waits to be decided, is being written, or is in conflict. */
  open: () => ({
    queryKey: ['tag-manager', 'changes', 'open', 'all'],
    queryFn: async ({ signal }: Asked): Promise<OpenChanges> => {
      const changes = await openChanges(signal);
      if (!changes.some(isBeingWritten)) return { changes, isInterrupted: false };
      const { job } = await api.get<ConnectionView>('/tag-manager/connection', {}, signal);
      if (job?.kind === 'apply') return { changes, isInterrupted: false };
      // It may just have ended: only what is still being written by nobody was interrupted.
      const now = await openChanges(signal);
      return { changes: now, isInterrupted: now.some(isBeingWritten) };
    },
    refetchInterval: ({ state }: { state: { data: OpenChanges | undefined } }) =>
      state.data && !state.data.isInterrupted && state.data.changes.some(isBeingWritten)
        ? WORKING_MS
        : QUIET_MS,
  }),

  change: (id: string) => ({
    queryKey: ['tag-manager', 'changes', 'one', id],
    queryFn: ({ signal }: Asked) =>
      api.get<ChangeDetail>(`/tag-manager/changes/${encodeURIComponent(id)}`, {}, signal),
  }),

  closed: () => pages<ChangeView>(['changes', 'closed'], '/tag-manager/changes', 'closed'),
  audit: () => pages<AuditEntry>(['audit'], '/tag-manager/audit'),
};

export interface OpenChanges {
  changes: ChangeView[];
  /** Some are to be written, but nothing writes them. */
  isInterrupted: boolean;
}

const isBeingWritten = ({ status }: ChangeView): boolean => status === 'accepted';

const openChanges = (signal: AbortSignal) =>
  everything<ChangeView>('/tag-manager/changes', { status: 'open' }, signal);

/** Newest first, a page at a time. */
const pages = <T>(key: readonly string[], path: string, status?: string) => ({
  queryKey: ['tag-manager', ...key],
  queryFn: ({ signal, pageParam: skip }: Asked & { pageParam: number }) =>
    api.get<T[]>(path, { status, limit: PAGE, skip }, signal),
  initialPageParam: 0,
  getNextPageParam: (last: T[], all: T[][]) => (last.length < PAGE ? undefined : all.length * PAGE),
  refetchInterval: 60_000,
});

async function everything<T>(
  path: string,
  query: Record<string, string>,
  signal: AbortSignal,
): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const asked = { ...query, limit: MOST, skip: all.length };
    const some = await api.get<T[]>(path, asked, signal);
    all.push(...some);
    if (some.length < MOST) return all;
  }
}
