import type { Query } from '$lib/api.ts';
import { toRow } from './held.ts';
import { list } from './listing.ts';
import type { Page } from './listing.ts';
import { below, idsOf } from './row.ts';
import type { Row } from './row.ts';

/** What live events push down beyond this is let go; it can be loaded again. */
export const MOST_LIVE = 500;
const MOST = 1_000;

/** The rows that are shown, newest first, and whether there are more below them. */
export class Shown {
  #rows = $state.raw<readonly Row[]>([]);
  #hasMore = $state(false);
  #isLoadingMore = $state(false);
  #searchedUntil = $state<string>();
  #ids = idsOf([]);
  #most = MOST_LIVE;

  get rows(): readonly Row[] {
    return this.#rows;
  }
  get ids(): ReadonlySet<string> {
    return this.#ids;
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
  /** How far back a search came that was cut. */
  get searchedUntil(): string | undefined {
    return this.#searchedUntil;
  }

  /** Another selection; its rows come later. */
  begin(): void {
    this.#isLoadingMore = false;
    this.#searchedUntil = undefined;
  }

  replace({ items, hasMore, searchedUntil }: Page): void {
    this.#searchedUntil = searchedUntil;
    this.#hasMore = hasMore;
    this.#most = MOST_LIVE;
    this.#put(items.map(toRow));
  }

  /** Where some between these and the ones below were left out, those below go. */
  putOnTop(rows: readonly Row[], isWhole: boolean): void {
    const kept = isWhole ? this.#rows : [];
    if (kept.length < this.#rows.length) this.#hasMore = true;
    this.#put([...rows, ...kept]);
  }

  async more(query: Query, signal: AbortSignal): Promise<void> {
    if (this.#isLoadingMore) return;
    this.#isLoadingMore = true;
    const last = this.#rows.at(-1)?.id;
    try {
      const from = this.#searchedUntil ? { until: this.#searchedUntil } : below(this.#rows);
      const listed = await list({ ...query, ...from }, signal);
      // Those that they belong below may have gone meanwhile.
      if (signal.aborted || this.#rows.at(-1)?.id !== last) return;
      const older = listed.items.map(toRow).filter(({ id }) => !this.#ids.has(id));
      this.#most = Math.min(MOST, Math.max(MOST_LIVE, this.#rows.length + older.length));
      this.#searchedUntil = listed.searchedUntil;
      this.#hasMore = listed.hasMore;
      this.#put([...this.#rows, ...older]);
    } finally {
      if (!signal.aborted) this.#isLoadingMore = false;
    }
  }

  #put(rows: readonly Row[]): void {
    if (rows.length > this.#most) {
      this.#hasMore = true;
      this.#searchedUntil = undefined;
    }
    this.#rows = rows.slice(0, this.#most);
    this.#ids = idsOf(this.#rows);
  }
}
