import type { Event } from '$server/events/schema.ts';
import { api } from '$lib/api.ts';
import { session } from '$lib/session.svelte.ts';

const STORED = 'vedette.welcome';

/** Whether nothing has been set up and nothing has come, so that the overview would say nothing. */
export async function isFirstStart(): Promise<boolean> {
  if (session.view.password_set || isSeen()) return false;
  try {
    return (await api.get<Event[]>('/events', { limit: 1 })).length === 0;
  } catch {
    return false;
  }
}

/** The way was seen, and is not shown by itself again in this browser. */
export function markSeen(): void {
  try {
    localStorage.setItem(STORED, 'seen');
  } catch {
    // Then it is shown again at the next start.
  }
}

function isSeen(): boolean {
  try {
    return localStorage.getItem(STORED) !== null;
  } catch {
    return false;
  }
}
