import type { Event } from '$server/events/schema.ts';
import { session } from '$lib/session.svelte.ts';
import { TEST_EVENT } from '$lib/suggestions.ts';

const AGAIN_MS = 5_000;
const TOLD_MS = 500;

/** What arrives while somebody is watching. */
export class Arrivals {
  #first = $state.raw<Event>();
  #test = $state.raw<Event>();
  #count = $state(0);
  #isOpen = $state(false);
  /** Not told yet: thousands a second must not be thousands of changes of the page. */
  #fresh = 0;
  readonly #onopen: () => void;

  /** Asked each time that listening begins, for what came before. */
  constructor(onopen: () => void) {
    this.#onopen = onopen;
  }

  /** It stays what is shown, however many follow; an own one rather than a test. */
  get first(): Event | undefined {
    return this.#first ?? this.#test;
  }

  get count(): number {
    return this.#count;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Returns what ends it. */
  listen(): () => void {
    let source: EventSource;
    let again: ReturnType<typeof setTimeout>;
    const open = () => {
      source = new EventSource('/api/v1/events/stream');
      source.onopen = () => {
        this.#isOpen = true;
        this.#onopen();
      };
      source.onerror = () => {
        this.#isOpen = false;
        // What was refused is not tried again by the browser itself.
        if (source.readyState !== EventSource.CLOSED) return;
        void session.ask();
        again = setTimeout(open, AGAIN_MS);
      };
      source.addEventListener('event', (message: MessageEvent<string>) => this.#take(message.data));
    };
    open();
    const telling = setInterval(() => {
      this.#count += this.#fresh;
      this.#fresh = 0;
    }, TOLD_MS);
    return () => {
      source.close();
      clearTimeout(again);
      clearInterval(telling);
    };
  }

  #take(text: string): void {
    this.#fresh += 1;
    if (this.#first) return;
    const event = JSON.parse(text) as Event;
    if (isTest(event)) this.#test = event;
    else this.#first = event;
  }
}

export const isTest = (event: Pick<Event, 'source' | 'event_type'>): boolean =>
  event.source === TEST_EVENT.source && event.event_type === TEST_EVENT.event_type;
