import { crc32 } from 'node:zlib';

/**
 * Each line of the journal begins with the checksum of the rest of it, its line break included:
 * `{"crc":"1a2b3c4d","stem":…`. So a flipped bit is noticed wherever it is, and the database, which
 * reads the lines as JSON, passes over it.
 */
const FRONT = '{"crc":"';
const BACK = '",';
const FRAME = `${FRONT}00000000${BACK}`;
/** Takes the place of the line's own brace. */
export const FRAME_BYTES = FRAME.length - 1;
/** Larger pieces are handed on as they are. */
const COPIED_BYTES = 16 << 10;

/** Lines with their checksums, in as few buffers as there may be without copying large bodies. */
export function withChecksums(
  lines: readonly { pieces: readonly (string | Buffer)[] }[],
): Buffer[] {
  let room = 0;
  for (const { pieces } of lines) {
    room += FRAME_BYTES;
    for (const piece of pieces) if (isCopied(piece)) room += piece.length;
  }
  const copied = Buffer.allocUnsafe(room);
  const buffers: Buffer[] = [];
  let handedOn = 0;
  let end = 0;
  for (const { pieces } of lines) {
    const start = end;
    end += copied.write(FRAME, end, 'latin1');
    let checked = end;
    let crc = 0;
    for (const [i, piece] of pieces.entries()) {
      if (typeof piece === 'string') {
        end += copied.write(i === 0 ? piece.slice(1) : piece, end, 'latin1');
      } else if (isCopied(piece)) {
        end += piece.copy(copied, end);
      } else {
        crc = crc32(piece, crc32(copied.subarray(checked, end), crc));
        buffers.push(copied.subarray(handedOn, end), piece);
        handedOn = checked = end;
      }
    }
    crc = crc32(copied.subarray(checked, end), crc);
    copied.write(hex(crc), start + FRONT.length, 'latin1');
  }
  if (end > handedOn) buffers.push(copied.subarray(handedOn, end));
  return buffers;
}

const isCopied = (piece: string | Buffer) =>
  typeof piece === 'string' || piece.length <= COPIED_BYTES;

const hex = (crc: number) => crc.toString(16).padStart(8, '0');

/** Tells of each line, which may come in parts, whether it is as it was written. */
export function createLineCheck() {
  let frame = '';
  let crc = 0;
  return {
    add(part: Buffer): void {
      const missing = FRAME.length - frame.length;
      if (missing > 0) frame += part.toString('latin1', 0, missing);
      if (part.length > missing) crc = crc32(missing > 0 ? part.subarray(missing) : part, crc);
    },
    /** The line ends here, and the next begins. */
    end(): boolean {
      const isSound = frame === `${FRONT}${hex(crc)}${BACK}`;
      frame = '';
      crc = 0;
      return isSound;
    },
  };
}
