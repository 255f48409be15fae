import type { StreamFilter } from './schema.ts';
import type { Arrived, TailStore } from './tail-store.ts';
import { textMatcher } from './text.ts';

/**
 * One who watches events arrive. `missed` are those of the source and type that came too fast to be
 * shown, too long ago, or too large; whether they have the text is not known.
 */
export interface Watcher {
  tenantId: string;
  filter: StreamFilter;
  event: (id: string, record: string) => void;
  missed: (count: number) => void;
  /** Asked before anything is shown; one who may no longer watch is let go. */
  mayWatch: () => boolean;
}

export interface TailOptions {
  store: TailStore;
  flusher: { flush: (tenantId: string) => Promise<void> };
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
    // Taken together here: while one tenant is read for, all who watch another may leave.
    for (const [tenantId, watchers] of Map.groupBy(watching, ([watcher]) => watcher.tenantId)) {
      // What cannot be stored yet, as on a full disk, is shown once it is.
      await flusher.flush(tenantId).catch(() => arrived(paceMs * 10));
      const since = Math.min(...watchers.map(([, seen]) => seen));
      const news = await store.arrivedSince(tenantId, since, MOST_AT_ONCE);
      const { newest } = news;
      for (const [watcher] of watchers) {
        const seen = watching.get(watcher);
        // A backup that took the place of the database may not be as far.
        if (seen !== undefined && seen > newest) watching.set(watcher, newest);
        if (seen === undefined || seen >= newest || !watcher.mayWatch()) continue;
        show(watcher, news, seen);
        watching.set(watcher, newest);
      }
    }
  }

  return {
    arrived,

    /** Resolves once nothing that comes from now on can be missed. */
    async watch(watcher: Watcher, lastEventId?: string): Promise<() => void> {
      await flusher.flush(watcher.tenantId).catch(() => undefined);
      if (lastEventId === undefined) watching.set(watcher, await store.newestSegment());
      else {
        const { tenantId } = watcher;
        const arrived = await store.arrivedAfter(tenantId, lastEventId, MOST_AT_ONCE);
        show(watcher, arrived, -1);
        watching.set(watcher, arrived.newest);
      }
      arrived();
      return () => watching.delete(watcher);
    },

    /** Shows everybody what has arrived; happens by itself, soon after it has. */
    look,

    close(): void {
      watching.clear();
      clearTimeout(timer);
    },
  };
}

export type Tail = ReturnType<typeof createTail>;

/** What lies in the segments after `seen`, which those who came earlier may not have seen yet. */
function show(watcher: Watcher, { rows, counts }: Arrived, seen: number): void {
  const { source, event_type: type, text } = watcher.filter;
  const isMeant = (of: { segment: number; source: string; event_type: string }) =>
    of.segment > seen &&
    (source === undefined || JSON.parse(of.source) === source) &&
    (type === undefined || JSON.parse(of.event_type) === type);
  const shown = rows.filter(isMeant);
  const all = counts.filter(isMeant).reduce((sum, { count }) => sum + count, 0);
  if (all > shown.length) watcher.missed(all - shown.length);
  const hasText = text === undefined ? undefined : textMatcher(text);
  for (const row of shown) if (!hasText || hasText(row)) watcher.event(row.id, row.record);
}
