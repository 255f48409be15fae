import { whileWaitedFor } from '../platform/asker.ts';
import { createFlusher } from './flush.ts';
import type { FlushOptions } from './flush.ts';
import { openJournalDir } from './journal-dir.ts';
import { openJournal } from './journal.ts';
import type { JournalOptions, Line } from './journal.ts';
import type { Segment } from './segment.ts';
import { journalShares } from './waiting.ts';
import type { JournalBounds } from './waiting.ts';

type Options = Pick<JournalOptions, 'dir' | 'onGathered' | 'onFull'> &
  Omit<FlushOptions, 'journal' | 'kept' | 'stored'> & { journalBounds?: JournalBounds | undefined };

/** With more than this on its way a tenant takes the second lane. */
const HEAVY_BYTES = 4 << 20;

/**
 * Two ways into the database, each with a journal and a flush of its own. A tenant that has much on
 * its way takes the second, so that others, who read what they have just sent, wait for little.
 */
export async function openLanes({ journalBounds, onGathered, onFull, ...options }: Options) {
  const shares = journalShares(journalBounds);
  const disk = { failedAt: undefined };

  const { list, kept, left } = await openJournalDir(options);

  function openLane(given: { left: Segment[]; stored: Segment[]; segmentBytes?: number }) {
    const journal = openJournal({
      ...options,
      ...given,
      ...{ list, kept },
      ...(onFull && { onFull }),
      shares,
      disk,
      isStuck: () => lanes.some(({ flusher }) => flusher.status().failing),
      onGathered: () => onGathered?.(pending()),
      // What has become free in one lane, somebody may wait for in the other.
      onFlushed: () => lanes.forEach((lane) => lane.journal.wake()),
    });
    return { journal, flusher: createFlusher({ ...options, journal, kept, stored: given.stored }) };
  }

  const light = openLane({ left: left.unstored, stored: left.stored });
  // Little at a time, since a light flush waits for what is being stored.
  const heavy = openLane({ left: [], stored: [], segmentBytes: 8 << 20 });
  const lanes = [light, heavy];

  const total = (of: (lane: typeof light) => number) =>
    lanes.reduce((sum, lane) => sum + of(lane), 0);
  const pending = () => ({
    events: total(({ journal }) => journal.status().pendingEvents),
    bytes: total(({ journal }) => journal.status().unflushedBytes),
  });

  function laneOf({ tenantId, bytes }: Line) {
    const onItsWay = shares.unflushed.held([tenantId]) + shares.inMemory.held([tenantId]);
    return onItsWay + bytes > HEAVY_BYTES ? heavy : light;
  }

  /** Who waits for room would wait in vain. */
  function refuseWhoWaits(error: unknown): never {
    for (const { journal } of lanes) journal.wake();
    throw error;
  }

  async function inAll(work: (lane: typeof light) => Promise<unknown>): Promise<void> {
    await Promise.all(lanes.map(work));
  }

  return {
    journal: {
      append: (line: Line): Promise<void> => laneOf(line).journal.append(line),
      status: () => ({
        acknowledged: total(({ journal }) => journal.status().acknowledged),
        pendingEvents: pending().events,
        unflushedBytes: pending().bytes,
        /** When it last could not be written, if nothing was written since. */
        failedAt: light.journal.status().failedAt,
      }),
      async close(): Promise<void> {
        await inAll(({ journal }) => journal.close());
        await list.close();
      },
    },

    kept,

    flusher: {
      /** Everything acknowledged before this call, of all or of one tenant, is in the database. */
      flush: (tenantId?: string): Promise<void> =>
        whileWaitedFor(
          inAll(async ({ journal, flusher }) => {
            const isBehind =
              tenantId === undefined ||
              journal.holds(tenantId) ||
              flusher.status().failing ||
              (await flusher.hasLost());
            if (isBehind) await flusher.flush().catch(refuseWhoWaits);
            else flusher.checkpointIfDue();
          }),
        ),
      checkpoint: () => inAll(({ flusher }) => flusher.checkpoint()),
      status: () => ({ failing: lanes.some(({ flusher }) => flusher.status().failing) }),
      /** Takes in what it can within the time that closing has. */
      close: (withinMs: number) => inAll(({ flusher }) => flusher.close(withinMs)),
    },
  };
}

export type Lanes = Awaited<ReturnType<typeof openLanes>>;
