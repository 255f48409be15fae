import { UNFLUSHED_BYTES, UNWRITTEN_BYTES } from '../platform/bounds.ts';
import { problems } from '../platform/errors.ts';
import { createShares } from '../platform/shares.ts';
import type { Shares } from '../platform/shares.ts';
import type { Line } from './journal.ts';

export interface Waiting {
  line: Line;
  /** When it came, by a clock that is never set. */
  since: number;
  done: () => void;
  failed: (error: unknown) => void;
}

/** Bytes by tenant. */
export type Held = ReadonlyMap<string, number>;

export interface Batch {
  lines: readonly Waiting[];
  /** What each tenant took of its share for these, until they are in the database. */
  held: Held;
  /** Who has used up their share, and so waits for a flush. */
  full: ReadonlySet<string>;
}

/** Whose what an earlier run left is. */
export const NOBODY = '';

/** Shared by tenants, over all journals. */
export interface JournalShares {
  /** Not yet in the database: a tenant with more than its share waits for a flush. */
  unflushed: Shares;
  /** Waiting in memory: a tenant with more than its share is refused. */
  inMemory: Shares;
}

export interface JournalBounds {
  softBytes?: number;
  hardBytes?: number;
}

export const journalShares = ({
  softBytes = UNFLUSHED_BYTES,
  hardBytes = UNWRITTEN_BYTES,
}: JournalBounds = {}): JournalShares => ({
  unflushed: createShares(softBytes),
  inMemory: createShares(hardBytes),
});

/** Of one tenant, before the next has its turn. */
const TURN_BYTES = 1 << 20;

/**
 * Lines that wait to be written. A tenant's own keep their order; tenants take turns, and who has
 * used up their share of what may lie in the journal waits while others pass by.
 */
export function createWaiting({ unflushed, inMemory }: JournalShares) {
  /** By tenant; whose turn comes next stands first. */
  const queues = new Map<string, Waiting[]>();

  return {
    isEmpty: () => queues.size === 0,
    bytes: () => inMemory.held(),

    /** Throws when too much of this tenant waits already. */
    add(one: Waiting): void {
      const { tenantId, bytes } = one.line;
      if (!inMemory.take([tenantId], bytes)) throw problems.busy();
      const queue = queues.get(tenantId);
      if (queue) queue.push(one);
      else queues.set(tenantId, [one]);
    },

    /** Who is next. When it closes, shares no longer matter. */
    next(isClosing: boolean, most: number): Batch {
      const lines: Waiting[] = [];
      const held = new Map<string, number>();
      const full = new Map<string, Waiting[]>();
      let bytes = 0;
      for (const [tenantId, queue] of queues) {
        if (bytes >= most) break;
        queues.delete(tenantId);
        let count = 0;
        let size = 0;
        while (count < queue.length && size < TURN_BYTES) {
          size += (queue[count++] as Waiting).line.bytes;
        }
        if (unflushed.take([tenantId], size)) {
          held.set(tenantId, (held.get(tenantId) ?? 0) + size);
        } else if (!isClosing) {
          full.set(tenantId, queue);
          continue;
        }
        inMemory.giveBack([tenantId], size);
        bytes += size;
        for (const one of queue.splice(0, count)) lines.push(one);
        // Behind all others, where this loop comes by again.
        if (queue.length > 0) queues.set(tenantId, queue);
      }
      for (const [tenantId, queue] of full) queues.set(tenantId, queue);
      return { lines, held, full: new Set(full.keys()) };
    },

    /** Those that are meant, which will not be written any more. */
    takeOut(isMeant: (one: Waiting) => boolean): Waiting[] {
      const out: Waiting[] = [];
      for (const [tenantId, queue] of queues) {
        const left: Waiting[] = [];
        for (const one of queue) (isMeant(one) ? out : left).push(one);
        if (left.length === 0) queues.delete(tenantId);
        else queues.set(tenantId, left);
      }
      for (const { line } of out) inMemory.giveBack([line.tenantId], line.bytes);
      return out;
    },

    /** What an earlier run left: whose it is is not known, so it counts as one tenant's more. */
    hold: (bytes: number): Held => new Map([[NOBODY, unflushed.take([NOBODY], bytes) ? bytes : 0]]),

    giveBack(held: Held): void {
      for (const [tenantId, bytes] of held) unflushed.giveBack([tenantId], bytes);
    },
  };
}
