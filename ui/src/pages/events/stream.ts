import { queryText } from '$lib/api.ts';
import type { Query } from '$lib/api.ts';
import { session } from '$lib/session.svelte.ts';

const AGAIN_MS = 2_000;

interface Listener {
  /** The event to go on after; none where there has never been one. */
  newestId: () => string | undefined;
  opened: () => void;
  /** It comes back by itself. */
  lost: () => void;
  event: (id: string, record: string) => void;
  missed: (count: number) => void;
}

/** Hears events arrive, until the signal ends it; however often it is cut off, it comes back. */
export function listen(filter: Query, signal: AbortSignal, listener: Listener): void {
  const query = queryText({ ...filter, last_event_id: listener.newestId() });
  const stream = new EventSource(`/api/v1/events/stream${query}`);
  signal.addEventListener('abort', () => stream.close());
  stream.onopen = () => listener.opened();
  stream.onerror = () => {
    if (signal.aborted) return;
    listener.lost();
    // The browser itself tries again, unless it was refused.
    if (stream.readyState !== EventSource.CLOSED) return;
    // Perhaps nobody is signed in any more, which this finds out.
    void session.ask();
    setTimeout(() => {
      if (!signal.aborted) listen(filter, signal, listener);
    }, AGAIN_MS);
  };
  stream.addEventListener('event', ({ data, lastEventId }: MessageEvent<string>) => {
    listener.event(lastEventId, data);
  });
  stream.addEventListener('missed', ({ data }: MessageEvent<string>) => {
    listener.missed((JSON.parse(data) as { count: number }).count);
  });
}
