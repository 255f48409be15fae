import { keepPreviousData } from '@tanstack/svelte-query';
import { api } from '$lib/api.ts';
import type { Query } from '$lib/api.ts';
import { queries } from '$lib/queries.ts';

const PAGE = 50;

/** Where a list to choose from is read, and of what it is. */
export interface List {
  path: '/accounts' | '/containers' | '/workspaces';
  of: Query;
  /** Since when there is the grant that it is seen by: that of another account sees others. */
  since: string | null;
}

const keyOf = ({ path, of, since }: List) => ['tag-manager', 'choices', since, path, of];
const pathOf = ({ path }: List) => `/tag-manager${path}`;

/** A page at a time: a person may see hundreds of containers. */
export const listed = <Item>(list: List, search: string) => ({
  queryKey: [...keyOf(list), search],
  queryFn: ({ pageParam, signal }: { pageParam: number; signal: AbortSignal }) =>
    api.get<Item[]>(pathOf(list), { ...list.of, search, skip: pageParam, limit: PAGE }, signal),
  initialPageParam: 0,
  getNextPageParam: (last: Item[], all: Item[][]) =>
    last.length < PAGE ? undefined : all.length * PAGE,
  placeholderData: keepPreviousData,
  // The appliance has tried again already, for minutes.
  retry: false,
  // Each reading may cost requests at Google; who knows of something new reads again.
  staleTime: 5 * 60_000,
  refetchOnWindowFocus: false,
});

/** What the appliance remembers of the list is asked for anew at Google. */
export async function readAgain(list: List): Promise<void> {
  await api.get(pathOf(list), { ...list.of, limit: 1, refresh: true });
  await queries.invalidateQueries({ queryKey: keyOf(list) });
}
