import type { Event } from '$server/events/schema.ts';
import { api, ApiError } from '$lib/api.ts';
import type { Listed, Query } from '$lib/api.ts';

const STEP = 100;

export interface Page extends Listed<Event> {
  hasMore: boolean;
}

export const keyOf = (query: Query) => ['events', 'list', query] as const;

/** Where payloads are so large that a hundred do not fit into one answer, fewer are asked for. */
export async function list(query: Query, signal: AbortSignal, limit = STEP): Promise<Page> {
  try {
    const listed = await api.list<Event>('/events', { ...query, limit }, signal);
    return { ...listed, hasMore: listed.items.length >= limit };
  } catch (error) {
    const isTooLarge = error instanceof ApiError && error.status === 413 && limit > 1;
    if (!isTooLarge) throw error;
    return list(query, signal, Math.floor(limit / 10) || 1);
  }
}
