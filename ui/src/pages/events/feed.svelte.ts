import type { Event } from '$server/events/schema.ts';
import { api } from '$lib/api.ts';
import type { Query } from '$lib/api.ts';
import { follow } from '$lib/follow.svelte.ts';
import { queries } from '$lib/queries.ts';
import { BEFORE_ALL } from '$lib/stream.ts';
import { Held } from './held.ts';
import { keyOf, list } from './listing.ts';
import type { Page } from './listing.ts';
import { MOST_LIVE, Shown } from './shown.svelte.ts';

/** Of a flood, so many a time are shown: nobody reads more, and drawing them all takes long. */
const MOST_AT_ONCE = 100;
const PACE_MS = 250;
const LOOK_AGAIN_MS = 5_000;

type Line = 'off' | 'joining' | 'live' | 'lost';

/**
 * The list of events: what there is, what is added as it arrives, and what is held back while
 * somebody reads. However fast events come, it changes four times a second and has a bound.
 */
export class Feed {
  readonly list = new Shown();
  #state = $state<'loading' | 'ready' | 'failed'>('loading');
  #error = $state.raw<unknown>();
  #line = $state<Line>('off');
  #waiting = $state(0);
  #missed = $state(0);
  #isStale = $state(false);

  #query: Query = {};
  readonly #held = new Held(MOST_LIVE);
  #isHeld = false;
  /** More came while nobody watched than was sent afterwards. */
  #isBehind = false;
  /** What is known from before may lack what arrived since, so nothing is put on top of it. */
  #isListed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #run = new AbortController();

  get state() {
    return this.#state;
  }
  get error(): unknown {
    return this.#error;
  }
  /** Whether arrivals come through. */
  get line(): Line {
    return this.#line;
  }
  /** Arrived and not shown yet. */
  get waiting(): number {
    return this.#waiting;
  }
  /** Came too fast to be sent one by one. */
  get missed(): number {
    return this.#missed;
  }

  /** Newer ones were accepted, but cannot be read yet. */
  get isStale(): boolean {
    return this.#isStale;
  }

  /** Shows another selection. What was shown stays until the new one is there. */
  start(query: Query, isLive: boolean): () => void {
    const run = new AbortController();
    this.#run = run;
    this.#query = query;
    this.#line = isLive ? 'joining' : 'off';
    this.#forget();
    const known = queries.getQueryData<Page>(keyOf(query));
    if (known) this.#show(known);
    else this.#state = 'loading';
    void this.#begin(isLive, run.signal);
    return () => {
      run.abort();
      clearTimeout(this.#timer);
      clearTimeout(this.#again);
      this.#timer = undefined;
    };
  }

  /** While held, arrivals are counted and not shown. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld && this.#isListed) this.show();
  }

  /** Shows what was held back, the newest of it where that is too much. */
  show(most = MOST_LIVE): void {
    if (this.#isBehind) void this.#refill();
    else if (this.#held.count > 0) this.#showHeld(most);
  }

  more(): Promise<void> {
    return this.list.more(this.#query, this.#run.signal);
  }

  async #begin(isLive: boolean, signal: AbortSignal): Promise<void> {
    try {
      if (isLive) {
        // From the newest of all, so that nothing falls between the list and what arrives.
        const newest = await api.get<Event[]>('/events', { limit: 1 }, signal);
        if (signal.aborted) return;
        const end = this.#listen(newest[0]?.id ?? BEFORE_ALL);
        signal.addEventListener('abort', end, { once: true });
      }
      await this.#fill(signal);
    } catch (error) {
      this.#fail(error, signal);
    }
  }

  async #fill(signal: AbortSignal): Promise<void> {
    const listed = await queries.fetchQuery({
      queryKey: keyOf(this.#query),
      queryFn: () => list(this.#query, signal),
      staleTime: 0,
      // Payloads may be large; this is for those who come straight back.
      gcTime: 30_000,
      retry: false,
    });
    if (signal.aborted) return;
    this.#show(listed);
    // What arrived while the list was asked for is in it, or comes on top of it.
    this.#held.dropUpTo(this.list.ids);
    this.#isListed = true;
    if (!this.#isHeld) this.show();
  }

  async #refill(): Promise<void> {
    const { signal } = this.#run;
    this.#isBehind = false;
    this.#isListed = false;
    this.#waiting = 0;
    await this.#fill(signal).catch((error: unknown) => this.#fail(error, signal));
  }

  #fail(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#error = error;
    this.#state = 'failed';
  }

  #listen(from: string): () => void {
    const { source, event_type, text } = this.#query;
    return follow({ source, event_type, text }, from, {
      opened: () => (this.#line = 'live'),
      lost: () => (this.#line = 'lost'),
      event: (record, id) => {
        this.#held.add(id, record);
        this.#tellSoon();
      },
      missed: (count, late) => {
        if (!late) this.#missed += count;
        else {
          this.#isBehind = true;
          // Of a selection nobody knows how many of them belong to it.
          if (!source && !event_type && !text) this.#held.addUnseen(count);
          this.#tellSoon();
        }
      },
    });
  }

  #tellSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#isHeld) this.#waiting = this.#held.count;
      else if (this.#isListed) this.show(MOST_AT_ONCE);
    }, PACE_MS);
  }

  #showHeld(most: number): void {
    const { rows, isWhole } = this.#held.take(most, this.list.ids);
    this.#waiting = 0;
    this.list.putOnTop(rows, isWhole);
  }

  #show(page: Page): void {
    this.list.replace(page);
    this.#state = 'ready';
    this.#isStale = page.isStale;
    clearTimeout(this.#again);
    if (page.isStale) this.#lookAgain();
  }

  /** Asks for little, and for the list itself once it would hold what is missing now. */
  #lookAgain(): void {
    const { signal } = this.#run;
    this.#again = setTimeout(() => {
      list(this.#query, signal, 1).then(
        ({ isStale }) => {
          if (signal.aborted) return;
          if (isStale) return this.#lookAgain();
          this.#isStale = false;
          this.#isBehind = true;
          this.#tellSoon();
        },
        () => signal.aborted || this.#lookAgain(),
      );
    }, LOOK_AGAIN_MS);
  }

  #forget(): void {
    this.#held.clear();
    this.#waiting = 0;
    this.#isBehind = false;
    this.#isListed = false;
    this.#missed = 0;
    this.#error = undefined;
    this.list.begin();
  }
}
