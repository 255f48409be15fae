import type { Event } from '$server/events/schema.ts';
import { isSmall } from '../../lib/payload.ts';
import { KEPT, rowOf } from './row.ts';
import type { Row } from './row.ts';

interface Arrival {
  id: string;
  /** Read once it is shown; large ones are read already, and not kept whole. */
  record: string | Row;
}

/** What arrived and is not shown yet: the newest of it, and how many there are. */
export class Held {
  readonly #most: number;
  #kept: Arrival[] = [];
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  add(id: string, record: string): void {
    this.#count += 1;
    this.#kept.push({ id, record: record.length > KEPT ? read(record) : record });
    if (this.#kept.length > 2 * this.#most) this.#kept = this.#kept.slice(-this.#most);
  }

  /** There are so many more that were not sent. */
  addUnseen(count: number): void {
    this.#count += count;
  }

  /** The newest, which are first; not whole where others had to be left out. */
  take(most: number, shown: ReadonlySet<string>): { rows: Row[]; isWhole: boolean } {
    const kept = this.#kept.slice(-Math.min(most, this.#most)).reverse();
    const isWhole = this.#count <= kept.length;
    this.clear();
    const rows = kept
      .filter(({ id }) => !shown.has(id))
      .map(({ record }) => (typeof record === 'string' ? read(record) : record));
    return { rows, isWhole };
  }

  /** A list that was read meanwhile has some of them, and then all that came before those. */
  dropUpTo(listed: ReadonlySet<string>): void {
    const newest = this.#kept.findLastIndex(({ id }) => listed.has(id));
    if (newest < 0) return;
    this.#kept = this.#kept.slice(newest + 1);
    this.#count = this.#kept.length;
  }

  clear(): void {
    this.#kept = [];
    this.#count = 0;
  }
}

const read = (text: string): Row => toRow(JSON.parse(text) as Event);
export const toRow = (event: Event): Row => rowOf(event, isSmall(event.data, KEPT));
