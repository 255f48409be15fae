/** Returns 0 when the request may pass, else the seconds to wait. */
export interface Limiter {
  take(key: string, now: number): number;
}

interface Options {
  /** Asked anew each time, since it is a setting. */
  limit: () => number;
  windowMs?: number;
  maxKeys?: number;
}

interface Window {
  start: number;
  count: number;
}

/** So many requests in a window that begins with a key's first one. */
export function createLimiter({
  limit,
  windowMs = 60_000,
  maxKeys = 10_000,
}: Options): Limiter & { size(): number } {
  // Ordered by start: a window that begins anew goes to the end, so old ones stand in front.
  const windows = new Map<string, Window>();

  function begin(key: string, window: Window, now: number): void {
    windows.delete(key);
    for (const [oldest, { start }] of windows) {
      if (windows.size < maxKeys && isOpen(start, now)) break;
      windows.delete(oldest);
    }
    window.start = now;
    window.count = 0;
    windows.set(key, window);
  }

  // A clock that was set back must not shut anyone out for longer than a window.
  const isOpen = (start: number, now: number) => now < start + windowMs && now >= start;

  return {
    take(key, now) {
      let window = windows.get(key);
      if (window === undefined || !isOpen(window.start, now)) {
        window ??= { start: now, count: 0 };
        begin(key, window, now);
      }
      if (window.count >= limit()) {
        return Math.max(1, Math.ceil((window.start + windowMs - now) / 1000));
      }
      window.count++;
      return 0;
    },
    size: () => windows.size,
  };
}

/**
 * What counts as one visitor. An IPv6 host can take any address of its /64, so the network
 * is counted; an IPv4 address in IPv6 clothing is itself.
 */
export function visitorKey(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = [], tail] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = tail ? Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0') : [];
  return `${[...head, ...zeros, ...(tail ?? [])].slice(0, 4).join(':')}::`;
}
