import { untrack } from 'svelte';
import { queryText } from './api.ts';
import type { Query } from './api.ts';
import { session } from './session.svelte.ts';
import { Stream } from './stream.ts';
import type { Listener } from './stream.ts';

/** Whether somebody is there to see what arrives: the page is in view and not covered. */
class Watched {
  #isInView = $state(!document.hidden);

  constructor() {
    document.addEventListener('visibilitychange', () => (this.#isInView = !document.hidden));
  }

  get is(): boolean {
    return this.#isInView && session.state === 'in';
  }
}

const watched = new Watched();

/** Hears what came after the event `from`, while somebody watches; what came meanwhile follows. */
export function follow(filter: Query, from: string, listener: Listener): () => void {
  const addressFor = (last_event_id: string) =>
    `/api/v1/events/stream${queryText({ ...filter, last_event_id })}`;
  const stream = new Stream(addressFor, from, listener, () => void session.ask());
  const end = $effect.root(() => {
    $effect(() => {
      const isWatched = watched.is;
      untrack(() => (isWatched ? stream.open() : stream.close()));
    });
  });
  return () => {
    end();
    stream.close();
  };
}
