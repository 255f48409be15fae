import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { setLinesAside } from './left.ts';
import type { Segment } from './segment.ts';

/**
 * A segment that the database refuses as a whole, although every line of it was judged before it
 * was written: a fault of ours or of the disk. The lines that can be read go on; the others are
 * set aside as they are, so that one line never holds up everything behind it.
 */
export async function salvage(
  segment: Segment,
  asideDir: string,
  readable: (segment: Segment) => Promise<boolean>,
): Promise<{ bad: number; keptIn: string }> {
  const trial = { ...segment, file: `${segment.file}.trial.tmp` };
  const lines = splitLines(await readFile(segment.file));
  const bad: Buffer[] = [];

  async function sift(part: readonly Buffer[]): Promise<Buffer[]> {
    await writeFile(trial.file, Buffer.concat(part));
    if (await readable(trial)) return [...part];
    if (part.length === 1) {
      bad.push(...part);
      return [];
    }
    const half = part.length >> 1;
    return [...(await sift(part.slice(0, half))), ...(await sift(part.slice(half)))];
  }

  const good = await sift(lines);
  await rm(trial.file, { force: true });
  if (bad.length === 0) return { bad: 0, keptIn: '' };
  const keptIn = await setLinesAside(asideDir, segment, bad);
  const rest = Buffer.concat(good);
  await writeFileAtomic(segment.file, rest);
  segment.bytes = rest.length;
  return { bad: bad.length, keptIn };
}

/** Hands out the lines of a segment in files of their own, a few large ones or many small at a time. */
export async function inPieces<T>(
  segment: Segment,
  work: (files: readonly string[]) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(path.join(path.dirname(segment.file), 'pieces-'));
  try {
    const files: string[] = [];
    let piece: Buffer[] = [];
    let bytes = 0;
    const close = async () => {
      const file = path.join(dir, `${files.length}.ndjson`);
      await writeFile(file, Buffer.concat(piece));
      files.push(file);
      piece = [];
      bytes = 0;
    };
    for (const line of splitLines(await readFile(segment.file))) {
      if (bytes > 0 && bytes + line.length > PIECE_BYTES) await close();
      piece.push(line);
      bytes += line.length;
    }
    if (bytes > 0) await close();
    return await work(files);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const PIECE_BYTES = 4 << 20;

function splitLines(text: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10, start)) {
    lines.push(text.subarray(start, end + 1));
    start = end + 1;
  }
  return lines;
}
