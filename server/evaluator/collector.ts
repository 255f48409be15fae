import type { Events } from '../events/events.ts';
import type { TimeRange } from '../http/schema.ts';
import { RANGES } from '../platform/buckets.ts';
import { gapsIn } from '../rules/listening.ts';
import type { CollectorView } from './schema.ts';
import type { Uptime } from './uptime.ts';

/** A restart is no absence. */
const LEAST_GAP_MS = 60_000;

interface Parts {
  uptime: Uptime;
  events: Pick<Events, 'flusher' | 'rollups'>;
}

/** Whether the collector listens, and when it did not. */
export function createCollector({ uptime, events: { flusher, rollups } }: Parts) {
  return async (tenantId: string, range: TimeRange, now: number): Promise<CollectorView> => {
    // A machine that has just woken up must not say that it listened all the time.
    await uptime.tick();
    // With a full disk nothing can be flushed, and then this is asked for all the more.
    await flusher.flush().catch(() => undefined);
    const spans = uptime.listening(now);
    const first = spans[0]?.from;
    const isOn = uptime.isOn();
    const counts = await rollups.counts(tenantId, '1h', now);
    const lastEvents = counts.map(({ last_seen: last }) => last).sort();
    const from = Math.max(now - RANGES[range].span, first ?? now);
    return {
      listening: isOn,
      since: isOn ? timeOf(spans.at(-1)?.from) : null,
      first_heard: timeOf(first),
      offline: gapsIn(spans, { from, to: now })
        .filter((gap) => gap.to - gap.from >= LEAST_GAP_MS)
        .map((gap) => ({ from: textOf(gap.from), to: textOf(gap.to) })),
      last_event_at: lastEvents.at(-1) ?? null,
    };
  };
}

export type Collector = ReturnType<typeof createCollector>;

const textOf = (moment: number) => new Date(moment).toISOString();
const timeOf = (moment: number | undefined) => (moment === undefined ? null : textOf(moment));
