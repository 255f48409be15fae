import { Readable } from 'node:stream';

/** An answer that is read while it is taken, and never whole in memory. */
export interface Pieces extends Readable {
  /** About the most bytes of it that are in memory at a time. */
  holds: number;
}

/** Each piece is asked for once the last has gone to the reader; `largest` is of how many bytes. */
export function inPieces(pieces: AsyncIterable<Buffer>, largest: number): Pieces {
  const stream = Readable.from(pieces, { objectMode: false, highWaterMark: 1 });
  // One that is being sent, and the one behind it.
  return Object.assign(stream, { holds: 2 * largest });
}

export const isPieces = (payload: unknown): payload is Pieces =>
  payload instanceof Readable && 'holds' in payload;
