import type { Event } from '$server/events/schema.ts';
import { api } from '$lib/api.ts';
import type { Query } from '$lib/api.ts';
import { isSmall } from '$lib/payload.ts';
import { queries } from '$lib/queries.ts';
import { keyOf, list } from './listing.ts';
import type { Page } from './listing.ts';
import { below, idsOf, KEPT, rowOf } from './row.ts';
import type { Row } from './row.ts';
import { listen } from './stream.ts';

/** What live events push down beyond this is let go; it can be loaded again. */
const MOST_LIVE = 500;
const MOST = 1_000;
/** Of a flood, so many a time are shown: nobody reads more, and drawing them all takes long. */
const MOST_AT_ONCE = 100;
const PACE_MS = 250;

type Line = 'off' | 'joining' | 'live' | 'lost';

/**
 * The list of events: what there is, what is added as it arrives, and what is held back while
 * somebody reads. However fast events come, it changes four times a second and has a bound.
 */
export class Feed {
  #rows = $state.raw<readonly Row[]>([]);
  #state = $state<'loading' | 'ready' | 'failed'>('loading');
  #error = $state.raw<unknown>();
  #line = $state<Line>('off');
  #waiting = $state(0);
  #missed = $state(0);
  #hasMore = $state(false);
  #isLoadingMore = $state(false);
  #searchedUntil = $state<string>();

  #query: Query = {};
  #ids = idsOf([]);
  /** The newest that have not been shown; large ones were read already and are not kept. */
  #held: (string | Row)[] = [];
  #arrived = 0;
  #isHeld = false;
  /** What is known from before may lack what arrived since, so nothing is put on top of it. */
  #isListed = false;
  #most = MOST_LIVE;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #newestId: string | undefined;
  #run = new AbortController();

  get rows(): readonly Row[] {
    return this.#rows;
  }
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
  get hasMore(): boolean {
    return this.#hasMore;
  }
  get isLoadingMore(): boolean {
    return this.#isLoadingMore;
  }
  get isFull(): boolean {
    return this.#rows.length >= MOST;
  }
  get searchedUntil(): string | undefined {
    return this.#searchedUntil;
  }

  /** Shows another selection. What was shown stays until the new one is there. */
  start(query: Query, isLive: boolean): () => void {
    const run = new AbortController();
    this.#run = run;
    this.#query = query;
    this.#line = isLive ? 'joining' : 'off';
    this.#forget();
    const known = queries.getQueryData<Page>(keyOf(query));
    if (known) this.#replace(known);
    else this.#state = 'loading';
    void this.#begin(isLive, run.signal);
    return () => {
      run.abort();
      clearTimeout(this.#timer);
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
    if (this.#held.length === 0) return;
    const shown = this.#held.slice(-most).reverse();
    const fresh: Row[] = [];
    for (const held of shown) {
      const row = typeof held === 'string' ? read(held) : held;
      if (!this.#ids.has(row.id)) fresh.push(row);
    }
    // Where some were dropped there would be a hole between these and the ones below.
    const kept = this.#arrived > shown.length ? [] : this.#rows;
    if (kept.length === 0 && this.#rows.length > 0) this.#hasMore = true;
    this.#forgetHeld();
    this.#put([...fresh, ...kept]);
  }

  async more(): Promise<void> {
    if (this.#isLoadingMore) return;
    const { signal } = this.#run;
    this.#isLoadingMore = true;
    try {
      const from = this.#searchedUntil ? { until: this.#searchedUntil } : below(this.#rows);
      const listed = await list({ ...this.#query, ...from }, signal);
      if (signal.aborted) return;
      const older = listed.items.map(toRow).filter(({ id }) => !this.#ids.has(id));
      this.#most = Math.min(MOST, Math.max(MOST_LIVE, this.#rows.length + older.length));
      this.#searchedUntil = listed.searchedUntil;
      this.#hasMore = listed.hasMore;
      this.#put([...this.#rows, ...older]);
    } finally {
      if (!signal.aborted) this.#isLoadingMore = false;
    }
  }

  async #begin(isLive: boolean, signal: AbortSignal): Promise<void> {
    try {
      if (isLive) {
        // From the newest of all, so that nothing falls between the list and what arrives.
        const newest = await api.get<Event[]>('/events', { limit: 1 }, signal);
        if (signal.aborted) return;
        this.#newestId = newest[0]?.id;
        this.#listen(signal);
      }
      await this.#fill(signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#error = error;
      this.#state = 'failed';
    }
  }

  async #fill(signal: AbortSignal): Promise<void> {
    const listed = await queries.fetchQuery({
      queryKey: keyOf(this.#query),
      queryFn: () => list(this.#query, signal),
      staleTime: 0,
      retry: false,
    });
    if (signal.aborted) return;
    this.#replace(listed);
    // What arrived while the list was asked for is in it, or comes on top of it.
    this.#isListed = true;
    if (!this.#isHeld) this.show();
  }

  async #refill(signal: AbortSignal): Promise<void> {
    this.#isListed = false;
    await this.#fill(signal).catch((error: unknown) => {
      if (signal.aborted) return;
      this.#error = error;
      this.#state = 'failed';
    });
  }

  #listen(signal: AbortSignal): void {
    const { source, event_type, text } = this.#query;
    listen({ source, event_type, text }, signal, {
      newestId: () => this.#newestId,
      opened: () => {
        const wasLost = this.#line === 'lost';
        this.#line = 'live';
        // Without an event to go on from, what came meanwhile is only in the list.
        if (wasLost && this.#newestId === undefined) void this.#refill(signal);
      },
      lost: () => (this.#line = 'lost'),
      event: (id, record) => {
        this.#newestId = id;
        this.#take(record);
      },
      missed: (count) => (this.#missed += count),
    });
  }

  #take(text: string): void {
    this.#arrived += 1;
    this.#held.push(text.length > KEPT ? read(text) : text);
    if (this.#held.length > 2 * MOST_LIVE) this.#held = this.#held.slice(-MOST_LIVE);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#isHeld) this.#waiting = this.#arrived;
      else if (this.#isListed) this.show(MOST_AT_ONCE);
    }, PACE_MS);
  }

  #replace({ items, hasMore, searchedUntil }: Page): void {
    this.#searchedUntil = searchedUntil;
    this.#hasMore = hasMore;
    this.#most = MOST_LIVE;
    this.#put(items.map(toRow));
    this.#state = 'ready';
  }

  #put(rows: readonly Row[]): void {
    if (rows.length > this.#most) {
      this.#hasMore = true;
      this.#searchedUntil = undefined;
    }
    this.#rows = rows.slice(0, this.#most);
    this.#ids = idsOf(this.#rows);
  }

  #forget(): void {
    this.#forgetHeld();
    this.#isListed = false;
    this.#missed = 0;
    this.#error = undefined;
    this.#isLoadingMore = false;
    this.#searchedUntil = undefined;
  }

  #forgetHeld(): void {
    this.#held = [];
    this.#arrived = 0;
    this.#waiting = 0;
  }
}

const read = (text: string): Row => toRow(JSON.parse(text) as Event);
const toRow = (event: Event): Row => rowOf(event, isSmall(event.data, KEPT));
