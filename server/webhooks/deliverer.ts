import { setMaxListeners } from 'node:events';
import type { Metric } from '../platform/metric.ts';
import { createAttempt } from './attempt.ts';
import type { AttemptOptions } from './attempt.ts';
import type { Due, DeliveryStore, Result } from './store.ts';

export interface DelivererOptions extends AttemptOptions {
  store: DeliveryStore;
}

/** How many of one tenant are sent at once. */
export const LANE = 4;
const LOOK_AGAIN_MS = 60_000;
const SET_BACK_MS = 60_000;
const KEPT_MS = 30 * 86_400_000;
const CLOSE_WITHIN_MS = 900;

/**
 * Sends what the database says is due, each tenant in a lane of its own, so that a receiver that
 * hangs holds up nobody else. At least once: a result that was not written is an attempt that is
 * made again after a restart, under the same id.
 */
export function createDeliverer(options: DelivererOptions) {
  const { store, clock, log } = options;
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const attempt = createAttempt({ ...options, closing: closing.signal });
  /** By id, each with the end of its attempt. */
  const running = new Map<string, { tenant: string; ended: Promise<void> }>();
  /** Results that the database did not take yet; sending those again would only be noise. */
  const unwritten = new Map<string, Result>();
  let started = false;
  let pending = 0;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<number> | undefined;
  let asked = false;
  /** By the clock; before the first look it may have been any time. */
  let lastLook = Infinity;

  const isClosed = () => closing.signal.aborted;
  const inLane = (tenant: string) =>
    [...running.values()].filter((other) => other.tenant === tenant).length;

  /** Begins every attempt that is due and has room in its lane; says how many. */
  async function look(): Promise<number> {
    clearTimeout(timer);
    let begun = 0;
    let wait = LOOK_AGAIN_MS;
    try {
      await writeLeftovers();
      const now = clock.now();
      await takeBack(now);
      const due = await store.due(now, LANE, [...running.keys(), ...unwritten.keys()]);
      for (const delivery of due) {
        if (isClosed() || running.has(delivery.id)) continue;
        if (inLane(delivery.tenant) >= LANE) continue;
        void begin(delivery);
        begun++;
      }
      const { count, next } = await store.waiting(now);
      pending = count;
      if (next !== null) wait = Math.min(wait, Math.max(next - clock.now(), 0));
    } catch (error) {
      if (!isClosed()) log.warn({ err: error }, 'Webhook deliveries cannot be read right now');
    }
    if (started && !isClosed()) timer = setTimeout(wake, wait).unref();
    return begun;
  }

  /** At the start, and whenever the clock was set back. */
  async function takeBack(now: number): Promise<void> {
    try {
      if (now < lastLook - SET_BACK_MS) await store.takeBack(now);
      lastLook = now;
    } catch (error) {
      // With a full disk, which keeps nothing else from being sent.
      if (!isClosed()) log.warn({ err: error }, 'Webhook deliveries cannot be put right yet');
    }
  }

  /** One look at a time, and another one for whoever asked during it. */
  async function looks(): Promise<number> {
    let begun = 0;
    for (asked = true; asked && !isClosed();) {
      asked = false;
      begun += await look();
    }
    looking = undefined;
    return begun;
  }

  function lookNow(): Promise<number> {
    if (isClosed()) return Promise.resolve(0);
    asked = true;
    return (looking ??= looks());
  }

  function wake(): void {
    if (started) void lookNow();
  }

  function begin(delivery: Due): Promise<void> {
    const { id, tenant } = delivery;
    const ended = attempt(delivery)
      .then((result) => result && written(result))
      .catch((error: unknown) => {
        log.warn({ err: error, tenant, delivery: id }, 'A webhook delivery went wrong');
      })
      .then(() => {
        running.delete(id);
        // There is room in the lane now.
        wake();
      });
    running.set(id, { tenant, ended });
    return ended;
  }

  async function written(result: Result): Promise<boolean> {
    try {
      await store.finish(result);
      unwritten.delete(result.id);
      return true;
    } catch (error) {
      unwritten.set(result.id, result);
      if (!isClosed()) log.warn({ err: error }, 'The result of a webhook delivery was not written');
      return false;
    }
  }

  async function writeLeftovers(): Promise<void> {
    for (const result of unwritten.values()) {
      if (!(await written(result))) return;
    }
  }

  return {
    wake,

    start(): void {
      started = true;
      wake();
    },

    /** Sends one now, of which the database is told by `add` while nobody else may take it. */
    async sendNow(delivery: Due, add: () => Promise<unknown>): Promise<void> {
      const { id, tenant } = delivery;
      const holding = Promise.withResolvers<undefined>();
      running.set(id, { tenant, ended: holding.promise.then(() => undefined) });
      try {
        await add();
        await begin(delivery);
      } finally {
        running.delete(id);
        holding.resolve(undefined);
      }
    },

    /** For tests: everything that is due by now was tried when this resolves. */
    deliverDue: async (): Promise<void> => {
      while ((await lookNow()) > 0 || running.size > 0) {
        await Promise.all([...running.values()].map(({ ended }) => ended));
      }
    },

    prune: (now: number): Promise<void> => store.forget(now - KEPT_MS),

    metrics: [
      {
        name: 'vedette_webhook_deliveries_pending',
        help: 'Webhook deliveries that wait to be sent, at the last look',
        type: 'gauge',
        read: () => pending,
      },
    ] satisfies Metric[],

    /** What is being sent is given up, and stays pending for the next start. */
    async close(): Promise<void> {
      closing.abort();
      clearTimeout(timer);
      const all = Promise.all([looking, ...[...running.values()].map(({ ended }) => ended)]);
      const cut = Promise.withResolvers<undefined>();
      const late = setTimeout(() => cut.resolve(undefined), CLOSE_WITHIN_MS);
      await Promise.race([all, cut.promise]);
      clearTimeout(late);
    },
  };
}

export type Deliverer = ReturnType<typeof createDeliverer>;
