import type { Flusher } from './flush.ts';
import type { StreamFilter } from './schema.ts';
import type { EventStore, TailRow } from './store.ts';
import { textMatcher } from './text.ts';

/** One who watches events arrive. `missed` events came too fast to be shown, or too long ago. */
export interface Watcher {
  tenantId: string;
  filter: StreamFilter;
  event: (id: string, record: string) => void;
  missed: (count: number) => void;
  /** Asked before anything is shown; one who may no longer watch is let go. */
  mayWatch: () => boolean;
}

export interface TailOptions {
  store: EventStore;
  flusher: Pick<Flusher, 'flush'>;
  log: { warn(fields: object, message: string): void };
  /** How long arrivals gather before they are shown. */
  paceMs?: number;
}

const MOST_AT_ONCE = 1000;

/**
 * The live tail reads the store, like every other reader, so it shows just what a list shows. It
 * looks only while somebody watches and something has arrived.
 */
export function createTail({ store, flusher, log, paceMs = 200 }: TailOptions) {
  /** Each watcher, and the last segment it has seen. */
  const watching = new Map<Watcher, number>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<unknown> = Promise.resolve();

  function arrived(delay = paceMs): void {
    if (watching.size === 0 || timer) return;
    timer = setTimeout(() => {
      // What arrives from here on asks for another look.
      timer = undefined;
      looking = looking.then(look).catch((error: unknown) => {
        log.warn({ err: error }, 'The live tail could not look');
        arrived(paceMs * 10);
      });
    }, delay);
  }

  async function look(): Promise<void> {
    await flusher.flush();
    for (const tenantId of new Set([...watching.keys()].map((watcher) => watcher.tenantId))) {
      const watchers = [...watching].filter(([watcher]) => watcher.tenantId === tenantId);
      const since = Math.min(...watchers.map(([, seen]) => seen));
      const { newest, rows, total } = await store.arrivedSince(tenantId, since, MOST_AT_ONCE);
      for (const [watcher] of watchers) {
        const seen = watching.get(watcher);
        if (seen === undefined || seen >= newest || !watcher.mayWatch()) continue;
        show(
          watcher,
          rows.filter(({ segment }) => segment > seen),
          total - rows.length,
        );
        watching.set(watcher, newest);
      }
    }
  }

  return {
    arrived,

    /** Resolves once nothing that comes from now on can be missed. */
    async watch(watcher: Watcher, lastEventId?: string): Promise<() => void> {
      await flusher.flush();
      if (lastEventId === undefined) watching.set(watcher, await store.newestSegment());
      else {
        const { newest, rows, total } = await store.arrivedAfter(
          watcher.tenantId,
          lastEventId,
          MOST_AT_ONCE,
        );
        show(watcher, rows, total - rows.length);
        watching.set(watcher, newest);
      }
      arrived();
      return () => watching.delete(watcher);
    },

    watchers: () => watching.size,

    close(): void {
      watching.clear();
      clearTimeout(timer);
    },
  };
}

export type Tail = ReturnType<typeof createTail>;

function show(watcher: Watcher, rows: readonly TailRow[], missed: number): void {
  if (missed > 0) watcher.missed(missed);
  const { source, event_type: type, text } = watcher.filter;
  const hasText = text === undefined ? undefined : textMatcher(text);
  for (const row of rows) {
    if (source !== undefined && JSON.parse(row.source) !== source) continue;
    if (type !== undefined && JSON.parse(row.event_type) !== type) continue;
    if (hasText && !hasText(row)) continue;
    watcher.event(row.id, row.record);
  }
}
