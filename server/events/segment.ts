import { open, readdir, rm, truncate } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { syncDirectory } from '../platform/files.ts';

/**
 * One file of the journal: lines of JSON, written once, read once by the store, then deleted.
 * A name is never used twice, not even after the database was replaced by an older one: whether a
 * segment was stored already is known by its name alone.
 */
export interface Segment {
  readonly name: string;
  readonly file: string;
  bytes: number;
  events: number;
  longestLine: number;
  /** Lines about refused requests; what an earlier run left may hold some. */
  refusals: number;
}

const NAME = /^\d{15}-\d{6}-[0-9a-f]{12}\.ndjson$/;

/** Keeps segments of one millisecond in order. */
let count = 0;

export function newSegment(dir: string, now: number): Segment {
  const order = `${String(now).padStart(15, '0')}-${String(count++ % 1_000_000).padStart(6, '0')}`;
  const name = `${order}-${randomBytes(6).toString('hex')}`;
  return {
    name,
    file: path.join(dir, `${name}.ndjson`),
    bytes: 0,
    events: 0,
    longestLine: 0,
    refusals: 0,
  };
}

export async function createSegmentFile(segment: Segment): Promise<FileHandle> {
  const handle = await open(segment.file, 'wx', 0o600);
  try {
    await syncDirectory(path.dirname(segment.file));
  } catch (error) {
    await handle.close();
    throw error;
  }
  return handle;
}

/** What an earlier run left: oldest first, a torn last line cut off, empty files gone. */
export async function leftSegments(dir: string): Promise<Segment[]> {
  const names = (await readdir(dir)).filter((name) => NAME.test(name)).sort();
  const segments: Segment[] = [];
  for (const name of names) {
    const segment = {
      ...newSegment(dir, 0),
      name: name.replace('.ndjson', ''),
      file: path.join(dir, name),
    };
    await measure(segment);
    if (segment.bytes > 0) segments.push(segment);
    else await rm(segment.file);
  }
  return segments;
}

/** Reads through a file in pieces; its size is bounded, but need not be in memory at once. */
async function measure(segment: Segment): Promise<void> {
  const handle = await open(segment.file, 'r');
  let read = 0;
  let lineStart = 0;
  try {
    const piece = Buffer.allocUnsafe(1 << 20);
    for (;;) {
      const { bytesRead } = await handle.read(piece, 0, piece.length, read);
      if (bytesRead === 0) break;
      for (let at = piece.indexOf(10); at >= 0 && at < bytesRead; at = piece.indexOf(10, at + 1)) {
        const end = read + at + 1;
        segment.longestLine = Math.max(segment.longestLine, end - lineStart);
        lineStart = end;
        segment.events++;
        segment.refusals++;
      }
      read += bytesRead;
    }
  } finally {
    await handle.close();
  }
  segment.bytes = lineStart;
  if (read > lineStart) await truncate(segment.file, lineStart);
}

export async function deleteSegments(dir: string, segments: readonly Segment[]): Promise<void> {
  for (const segment of segments) await rm(segment.file, { force: true });
  if (segments.length > 0) await syncDirectory(dir);
}
