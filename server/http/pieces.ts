import { Readable } from 'node:stream';

/** An answer that is read while it is taken, and never whole in memory. */
export interface Pieces extends Readable {
  /** About the most bytes of it that are in memory at a time. */
  holds: number;
}

/**
 * Each piece is asked for once the last has gone to the reader; `largest` is of how many bytes. By
 * hand, since `Readable.from` always has another in memory behind the one that is being sent.
 */
export function inPieces(pieces: AsyncGenerator<Buffer>, largest: number): Pieces {
  const stream = new Readable({
    highWaterMark: 0,
    read() {
      pieces.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: unknown) => this.destroy(error as Error),
      );
    },
    destroy(error, done) {
      pieces.return(undefined).then(
        () => done(error),
        () => done(error),
      );
    },
  });
  return Object.assign(stream, { holds: largest });
}

export const isPieces = (payload: unknown): payload is Pieces =>
  payload instanceof Readable && 'holds' in payload;
