import { mkdir } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { UNFLUSHED_BYTES, UNWRITTEN_BYTES } from '../platform/bounds.ts';
import type { Clock } from '../platform/clock.ts';
import { problems } from '../platform/errors.ts';
import type { Faults } from '../platform/faults.ts';
import { createMutex } from '../platform/mutex.ts';
import { createSegmentFile, deleteSegments, leftSegments, newSegment } from './segment.ts';
import type { Segment } from './segment.ts';

/**
 * One request's line, in pieces so that a large body is not copied. Strings stand for bytes
 * (latin1): what came as UTF-8 goes through untouched, and a string's length is its size.
 */
export interface Line {
  pieces: readonly (string | Buffer)[];
  bytes: number;
  events: number;
}

export interface JournalOptions {
  dir: string;
  clock: Clock;
  faults: Faults;
  log: { error(fields: object, message: string): void };
  /** Not yet in the database: beyond this, appends wait for a flush. */
  softBytes?: number;
  /** Waiting in memory: beyond this, appends are refused. */
  hardBytes?: number;
  /** A flush is wanted: so many events have gathered. */
  onGathered?: (events: number) => void;
}

interface Waiting {
  line: Line;
  done: () => void;
  failed: (error: unknown) => void;
}

const BATCH_BYTES = 8 << 20;
const SEGMENT_BYTES = 16 << 20;

/**
 * What was accepted and is not yet in the database. An append is done when its bytes are on the
 * disk. While one batch is being synced the next gathers; nobody waits on a timer.
 */
export async function openJournal(options: JournalOptions) {
  const { dir, clock, faults, log } = options;
  const softBytes = options.softBytes ?? UNFLUSHED_BYTES;
  const hardBytes = options.hardBytes ?? UNWRITTEN_BYTES;
  await mkdir(dir, { recursive: true });

  const sealed: Segment[] = await leftSegments(dir);
  const exclusively = createMutex();
  let current: { segment: Segment; handle: FileHandle } | undefined;
  let torn = false;
  let waiting: Waiting[] = [];
  let waitingBytes = 0;
  let unflushedBytes = sealed.reduce((sum, { bytes }) => sum + bytes, 0);
  let room = Promise.withResolvers<undefined>();
  let draining = false;
  let drained = Promise.resolve();
  let acknowledged = 0;
  let failedAt: number | undefined;
  let closed = false;

  function append(line: Line): Promise<void> {
    return new Promise<void>((done, failed) => {
      if (closed) throw problems.closing();
      if (waitingBytes + line.bytes > hardBytes && waiting.length > 0) throw problems.busy();
      waitingBytes += line.bytes;
      waiting.push({ line, done, failed });
      if (!draining) drained = drain();
    });
  }

  async function drain(): Promise<void> {
    draining = true;
    // One turn of the loop, so that requests that arrived together share the first sync.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      while (unflushedBytes >= softBytes && !closed) await room.promise;
      const batch = takeBatch();
      try {
        await exclusively(() => write(batch));
        failedAt = undefined;
        for (const { done } of batch) done();
      } catch (error) {
        if (failedAt === undefined) log.error({ err: error }, 'The journal cannot be written');
        failedAt = clock.now();
        // At once, so that a crash cannot bring back what was just refused.
        await exclusively(mend).catch(() => undefined);
        for (const { failed } of batch) failed(problems.cannotStore());
      }
    }
    draining = false;
  }

  function takeBatch(): Waiting[] {
    let bytes = 0;
    let count = 0;
    while (count < waiting.length && (count === 0 || bytes < BATCH_BYTES)) {
      bytes += (waiting[count++] as Waiting).line.bytes;
    }
    const batch = waiting.slice(0, count);
    waiting = waiting.slice(count);
    waitingBytes -= bytes;
    return batch;
  }

  async function write(batch: readonly Waiting[]): Promise<void> {
    if (torn) await mend();
    if (current && current.segment.bytes >= SEGMENT_BYTES) await rotate();
    current ??= await begin();
    const { segment, handle } = current;
    const buffers = join(batch);
    const bytes = buffers.reduce((sum, { length }) => sum + length, 0);
    torn = true;
    await writeAll(handle, buffers, segment.bytes);
    faults('journal-written');
    await handle.datasync();
    torn = false;

    segment.bytes += bytes;
    unflushedBytes += bytes;
    for (const { line } of batch) {
      segment.events += line.events;
      acknowledged += line.events;
      if (line.events === 0) segment.refusals++;
      if (line.bytes > segment.longestLine) segment.longestLine = line.bytes;
    }
    options.onGathered?.(segment.events);
  }

  async function begin() {
    const segment = newSegment(dir, clock.now());
    return { segment, handle: await createSegmentFile(segment) };
  }

  /** A failed write may have left anything behind the last good line; nobody was told it is there. */
  async function mend(): Promise<void> {
    if (current) {
      await current.handle.truncate(current.segment.bytes);
      await current.handle.datasync();
    }
    torn = false;
  }

  async function rotate(): Promise<void> {
    if (!current) return;
    if (torn) await mend();
    const { segment, handle } = current;
    if (segment.bytes === 0) return;
    current = undefined;
    sealed.push(segment);
    await handle.close();
  }

  return {
    append,

    /** Everything acknowledged until now stands in the returned segments, oldest first. */
    async seal(): Promise<readonly Segment[]> {
      if (current || draining) await exclusively(rotate);
      return [...sealed];
    },

    /** These are in the database; their files stay until a checkpoint holds them. */
    flushed(segment: Segment): void {
      const index = sealed.indexOf(segment);
      if (index < 0) return;
      sealed.splice(index, 1);
      unflushedBytes -= segment.bytes;
      if (unflushedBytes < softBytes) {
        room.resolve(undefined);
        room = Promise.withResolvers();
      }
    },

    remove: (segments: readonly Segment[]) => deleteSegments(dir, segments),

    status: () => ({
      acknowledged,
      unflushedBytes,
      waitingBytes,
      /** When it last could not be written, if nothing was written since. */
      failedAt,
      pendingEvents:
        (current?.segment.events ?? 0) + sealed.reduce((sum, { events }) => sum + events, 0),
    }),

    /** Waits for what was appended; further appends are refused. */
    async close(): Promise<void> {
      closed = true;
      room.resolve(undefined);
      await drained;
      await exclusively(rotate);
      // An unused segment holds nothing.
      const unused = current;
      current = undefined;
      if (unused) {
        await unused.handle.close();
        await deleteSegments(dir, [unused.segment]);
      }
    },
  };
}

export type Journal = Awaited<ReturnType<typeof openJournal>>;

/** Small pieces become one buffer; large bodies are handed on as they are. */
function join(batch: readonly Waiting[]): Buffer[] {
  const buffers: Buffer[] = [];
  let text = '';
  for (const { line } of batch) {
    for (const piece of line.pieces) {
      if (typeof piece === 'string') text += piece;
      else {
        if (text !== '') buffers.push(Buffer.from(text, 'latin1'));
        text = '';
        buffers.push(piece);
      }
    }
  }
  if (text !== '') buffers.push(Buffer.from(text, 'latin1'));
  return buffers;
}

async function writeAll(handle: FileHandle, buffers: Buffer[], position: number): Promise<void> {
  for (let rest = buffers; rest.length > 0;) {
    const { bytesWritten } = await handle.writev(rest, position);
    position += bytesWritten;
    rest = behind(rest, bytesWritten);
  }
}

function behind(buffers: Buffer[], written: number): Buffer[] {
  let index = 0;
  while (index < buffers.length && written >= (buffers[index] as Buffer).length) {
    written -= (buffers[index++] as Buffer).length;
  }
  const rest = buffers.slice(index);
  if (written > 0 && rest[0]) rest[0] = rest[0].subarray(written);
  return rest;
}
