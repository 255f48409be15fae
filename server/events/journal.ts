import type { FileHandle } from 'node:fs/promises';
import { ROOM_MS, WRITE_MS } from '../platform/bounds.ts';
import type { Clock } from '../platform/clock.ts';
import { problems } from '../platform/errors.ts';
import type { Faults } from '../platform/faults.ts';
import { createMutex } from '../platform/mutex.ts';
import { FRAME_BYTES, withChecksums } from './checksum.ts';
import type { Kept } from './kept.ts';
import { createSegmentFile, deleteSegments, newSegment } from './segment.ts';
import type { Segment } from './segment.ts';
import type { SegmentList } from './segment-list.ts';
import { createWaiting, journalShares, NOBODY } from './waiting.ts';
import type { Batch, Held, JournalShares, Waiting } from './waiting.ts';

/**
 * One request's line, in pieces so that a large body is not copied. Strings stand for bytes
 * (latin1): what came as UTF-8 goes through untouched, and a string's length is its size.
 */
export interface Line {
  tenantId: string;
  pieces: readonly (string | Buffer)[];
  bytes: number;
  events: number;
}

export interface JournalOptions {
  dir: string;
  clock: Clock;
  faults: Faults;
  log: { error(fields: object, message: string): void };
  shares?: JournalShares;
  /** Journals on one disk share what is known of it: what one can write, the others could too. */
  disk?: { failedAt: number | undefined };
  /** A segment, which is stored at once, has so many and one line more. */
  segmentBytes?: number;
  list: SegmentList;
  kept: Pick<Kept, 'keep'>;
  /** What an earlier run left that is not in the database. */
  left: readonly Segment[];
  /** So much is not yet in the database. */
  onGathered?: (pending: { events: number; bytes: number }) => void;
  /** Somebody waits for a flush. */
  onFull?: () => void;
  /** Flushes fail, so that waiting for one is in vain. */
  isStuck?: () => boolean;
  /** There is more room, for whoever waits. */
  onFlushed?: () => void;
}

const SEGMENT_BYTES = 16 << 20;
/** How often it is looked whether somebody waits for too long. */
const LOOK_MS = 1_000;

/**
 * What was accepted and is not yet in the database. An append is done when its bytes are on the
 * disk. While one batch is being synced the next gathers; nobody waits on a timer. A tenant's lines
 * keep their order, and tenants take turns: who has used up their share waits, and others pass by.
 */
export function openJournal(options: JournalOptions) {
  const { dir, clock, faults, log, list, kept, segmentBytes = SEGMENT_BYTES } = options;

  const sealed: Segment[] = [...options.left];
  const exclusively = createMutex();
  let current: { segment: Segment; handle: FileHandle } | undefined;
  let torn = false;
  const waiting = createWaiting(options.shares ?? journalShares());
  /** What tenants hold of their shares, by segment. */
  const held = new Map<Segment, Held[]>();
  for (const segment of sealed) held.set(segment, [waiting.hold(segment.bytes)]);
  let draining = false;
  let drained = Promise.resolve();
  let acknowledged = 0;
  const disk = options.disk ?? { failedAt: undefined };
  let closed = false;
  /** What is being written; given up, it is cut off again. */
  let underWay: { batch: Batch; since: number; isGivenUp: boolean } | undefined;
  const looking = setInterval(giveUp, LOOK_MS).unref();

  function append(line: Line): Promise<void> {
    return new Promise<void>((done, failed) => {
      if (closed) throw problems.closing();
      waiting.add({ line, since: performance.now(), done, failed });
      wake();
    });
  }

  function wake(): void {
    if (!draining && !waiting.isEmpty()) drained = drain();
  }

  /** Until nobody waits, or all who do wait for a flush. */
  async function drain(): Promise<void> {
    draining = true;
    // One turn of the loop, so that requests that arrived together share the first sync.
    await new Promise(setImmediate);
    for (let batch = next(); batch.lines.length > 0; batch = next()) {
      underWay = { batch, since: performance.now(), isGivenUp: false };
      try {
        await exclusively(() => write(batch));
        disk.failedAt = undefined;
        for (const { done } of batch.lines) done();
      } catch (error) {
        noteFault(error);
        // At once, so that a crash cannot bring back what was just refused.
        await exclusively(mend).catch(() => undefined);
        waiting.giveBack(batch.held);
        for (const { failed } of batch.lines) failed(problems.cannotStore());
      }
      underWay = undefined;
    }
    draining = false;
  }

  function noteFault(error: unknown): void {
    if (disk.failedAt === undefined) log.error({ err: error }, 'The journal cannot be written');
    disk.failedAt = clock.now();
  }

  /** Nobody waits without end: neither for room, nor for a disk that does not answer. */
  function giveUp(): void {
    const now = performance.now();
    refuse(({ since }) => now - since > ROOM_MS);
    if (underWay === undefined || underWay.isGivenUp || now - underWay.since <= WRITE_MS) return;
    underWay.isGivenUp = true;
    noteFault(new Error(`The disk has not answered for ${WRITE_MS} ms`));
    for (const { failed } of underWay.batch.lines) failed(problems.cannotStore());
  }

  function refuse(isMeant: (one: Waiting) => boolean): void {
    for (const { failed } of waiting.takeOut(isMeant)) failed(problems.busy());
  }

  function next(): Batch {
    const batch = waiting.next(closed, segmentBytes);
    if (batch.full.size === 0) return batch;
    if (options.isStuck?.()) refuse(({ line }) => batch.full.has(line.tenantId));
    else options.onFull?.();
    return batch;
  }

  async function write(batch: Batch): Promise<void> {
    const { lines } = batch;
    if (torn) await mend();
    if (current && current.segment.bytes >= segmentBytes) await rotate();
    current ??= await begin();
    const { segment, handle } = current;
    const buffers = withChecksums(lines.map(({ line }) => line));
    const bytes = buffers.reduce((sum, { length }) => sum + length, 0);
    torn = true;
    await writeAll(handle, buffers, segment.bytes);
    faults('journal-written');
    await handle.datasync();
    // Who sent these was told that nothing was kept.
    if (underWay?.isGivenUp) throw new Error('The disk answered too late');
    torn = false;

    segment.bytes += bytes;
    held.get(segment)?.push(batch.held);
    for (const { line } of lines) {
      segment.events += line.events;
      acknowledged += line.events;
      if (line.events === 0) segment.refusals++;
      segment.longestLine = Math.max(segment.longestLine, line.bytes + FRAME_BYTES);
    }
    options.onGathered?.(pending());
  }

  async function begin() {
    const segment = newSegment(dir, clock.now());
    const handle = await createSegmentFile(segment).catch(async (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      // Somebody took the folder away: what is sent from now on is kept in a new one.
      await list.replace([], []);
      return createSegmentFile(segment);
    });
    try {
      await list.made(segment.name);
    } catch (error) {
      await handle.close();
      throw error;
    }
    held.set(segment, []);
    return { segment, handle };
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
    await list.sealed(segment.name, segment.bytes).catch(() => undefined);
  }

  /** What is not yet in the database. */
  function pending(): { events: number; bytes: number } {
    let { events = 0, bytes = 0 } = current?.segment ?? {};
    for (const segment of sealed) {
      events += segment.events;
      bytes += segment.bytes;
    }
    return { events, bytes };
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
      for (const part of held.get(segment) ?? []) waiting.giveBack(part);
      held.delete(segment);
      wake();
      options.onFlushed?.();
    },

    wake,

    /** Is anything of this tenant not yet in the database? Of what was left it is not known. */
    holds: (tenantId: string): boolean =>
      [...held.values()].flat().some((part) => part.has(tenantId) || part.has(NOBODY)),

    /** A checkpoint holds them. */
    async release(segments: readonly Segment[]): Promise<void> {
      await list.without(segments.map(({ name }) => name));
      await kept.keep(segments);
    },

    status() {
      const { events, bytes } = pending();
      return {
        acknowledged,
        unflushedBytes: bytes,
        waitingBytes: waiting.bytes(),
        /** When it last could not be written, if nothing was written since. */
        failedAt: disk.failedAt,
        pendingEvents: events,
      };
    },

    /** Waits for what was appended; further appends are refused. */
    async close(): Promise<void> {
      closed = true;
      wake();
      await drained;
      await exclusively(rotate);
      clearInterval(looking);
      // An unused segment holds nothing.
      const unused = current;
      current = undefined;
      if (unused) {
        await unused.handle.close();
        await list.without([unused.segment.name]);
        await deleteSegments(dir, [unused.segment]);
      }
    },
  };
}

export type Journal = ReturnType<typeof openJournal>;

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
