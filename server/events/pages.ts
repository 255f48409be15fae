import { AsyncLocalStorage } from 'node:async_hooks';
import { PIECE_BYTES } from '../platform/bounds.ts';

/** Where a record is, and about how many bytes it takes; what a page is planned by. */
export interface Place {
  id: string;
  at: number;
  bytes: number;
}

/** Of a list: whole where it is small; else in pieces, of which the largest has so many bytes. */
export interface Page {
  body: string | { pieces: AsyncGenerator<Buffer>; largest: number };
  /** Where the next page begins; none when this was the last. */
  next: string | undefined;
}

type Fetch = (places: readonly Place[]) => Promise<string[]>;

/** The records at these places, as JSON. */
export async function pageOf(places: readonly Place[], fetch: Fetch, next?: string): Promise<Page> {
  const parts = inParts(places);
  if (parts.length <= 1) {
    return { body: `[${(await fetch(parts[0] ?? [])).join(',')}]`, next };
  }
  const largest = Math.max(...parts.map(bytesOf));
  return { body: { pieces: written(parts, fetch), largest }, next };
}

/** Runs on behalf of whoever asked for the page, though it is their connection that drives it. */
function written(parts: readonly Place[][], fetch: Fetch): AsyncGenerator<Buffer> {
  const asAsked = AsyncLocalStorage.snapshot();
  return (async function* () {
    let before = '[';
    for (const part of parts) {
      const records = await asAsked(fetch, part);
      // Gone since the page was planned, as the oldest events may be.
      if (records.length === 0) continue;
      yield Buffer.from(before + records.join(','));
      before = ',';
    }
    yield Buffer.from(before === '[' ? '[]' : ']');
  })();
}

const bytesOf = (places: readonly Place[]) => places.reduce((sum, { bytes }) => sum + bytes, 0);

/** As many as make a piece; at least one. */
function inParts(places: readonly Place[]): Place[][] {
  const parts: Place[][] = [];
  let room = 0;
  for (const place of places) {
    if (place.bytes > room) {
      parts.push([]);
      room = PIECE_BYTES;
    }
    parts.at(-1)?.push(place);
    room -= place.bytes;
  }
  return parts;
}

/** The last of a full page, behind which the next one begins. */
export function cursorAfter(
  rows: readonly Pick<Place, 'id' | 'at'>[],
  limit: number,
): string | undefined {
  const last = rows.at(-1);
  return last && rows.length >= limit ? `${last.at}.${last.id}` : undefined;
}
