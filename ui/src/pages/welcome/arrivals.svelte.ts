import type { Event } from '$server/events/schema.ts';
import { follow } from '$lib/follow.svelte.ts';
import { BEFORE_ALL } from '$lib/stream.ts';
import { TEST_EVENT } from '$lib/suggestions.ts';

const TOLD_MS = 500;

/** What arrives while somebody is here. */
export class Arrivals {
  #first = $state.raw<Event>();
  #test = $state.raw<Event>();
  #count = $state(0);
  /** Not told yet: thousands a second must not be thousands of changes of the page. */
  #fresh = 0;

  /** It stays what is shown, however many follow; an own one rather than a test. */
  get first(): Event | undefined {
    return this.#first ?? this.#test;
  }

  get count(): number {
    return this.#count;
  }

  /** To everything that came after one event. Returns what ends it. */
  listen(before: Event | undefined): () => void {
    const end = follow({}, before?.id ?? BEFORE_ALL, {
      event: (record) => this.#take(record),
      missed: (count) => (this.#fresh += count),
    });
    const telling = setInterval(() => {
      this.#count += this.#fresh;
      this.#fresh = 0;
    }, TOLD_MS);
    return () => {
      end();
      clearInterval(telling);
    };
  }

  #take(record: string): void {
    this.#fresh += 1;
    if (this.#first) return;
    const event = JSON.parse(record) as Event;
    if (isTest(event)) this.#test = event;
    else this.#first = event;
  }
}

export const isTest = (event: Pick<Event, 'source' | 'event_type'>): boolean =>
  event.source === TEST_EVENT.source && event.event_type === TEST_EVENT.event_type;
