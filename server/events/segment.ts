import { open, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { syncDirectory } from '../platform/files.ts';
import { createLineCheck } from './checksum.ts';

/**
 * One file of the journal: lines of JSON, written once, read once by the store, then kept until a
 * backup holds them. A name is never used twice, not even after the database was replaced by an older
 * one: whether a segment was stored already is known by its name alone.
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

const NAME = /^(\d{15}-\d{6}-[0-9a-f]{12})\.ndjson$/;

/** Keeps segments of one millisecond in order. */
let count = 0;

export function newSegment(dir: string, now: number): Segment {
  const order = `${String(now).padStart(15, '0')}-${String(count++ % 1_000_000).padStart(6, '0')}`;
  return segmentNamed(dir, `${order}-${randomBytes(6).toString('hex')}`);
}

export function segmentNamed(dir: string, name: string): Segment {
  const file = path.join(dir, `${name}.ndjson`);
  return { name, file, bytes: 0, events: 0, longestLine: 0, refusals: 0 };
}

/** Nothing for a file that is no segment. */
export const nameOfFile = (file: string): string | undefined => NAME.exec(path.basename(file))?.[1];

/** When it was begun. */
export const timeOfSegment = (name: string): number => Number(name.slice(0, 15));

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

/** Of its file; nothing when that is gone. */
export async function sizeOnDisk(segment: Segment): Promise<number | undefined> {
  try {
    return (await stat(segment.file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const PIECE_BYTES = 256 << 10;

/** Of a file; the line break belongs to the line. */
export interface LineRange {
  start: number;
  end: number;
}

export interface Measured {
  /** Lines that are not as they were written. */
  bad: LineRange[];
  /** Bytes of the file, also of a line without an end. */
  size: number;
}

/**
 * Reads through a file that an earlier run left, in pieces, and puts down what the store needs to know
 * of it. What ends without a line break was torn by a crash and was never acknowledged: it counts as
 * behind the end.
 */
export async function measure(segment: Segment): Promise<Measured> {
  const check = createLineCheck();
  const bad: LineRange[] = [];
  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  const handle = await open(segment.file, 'r');
  let read = 0;
  let lineStart = 0;
  let lines = 0;
  segment.longestLine = 0;
  try {
    for (;;) {
      const { bytesRead } = await handle.read(piece, 0, piece.length, read);
      if (bytesRead === 0) break;
      let from = 0;
      for (let at = piece.indexOf(10); at >= 0 && at < bytesRead; at = piece.indexOf(10, from)) {
        check.add(piece.subarray(from, at + 1));
        from = at + 1;
        const end = read + from;
        if (!check.end()) bad.push({ start: lineStart, end });
        segment.longestLine = Math.max(segment.longestLine, end - lineStart);
        lineStart = end;
        lines++;
      }
      check.add(piece.subarray(from, bytesRead));
      read += bytesRead;
    }
  } finally {
    await handle.close();
  }
  segment.bytes = lineStart;
  segment.events = segment.refusals = lines;
  return { bad, size: read };
}

export async function deleteSegments(dir: string, segments: readonly Segment[]): Promise<void> {
  for (const segment of segments) await rm(segment.file, { force: true });
  if (segments.length > 0) await syncDirectory(dir);
}
