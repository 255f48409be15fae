import type { Clock } from '../platform/clock.ts';
import type { Faults } from '../platform/faults.ts';
import { bodyFor } from './chat.ts';
import { nextAttempt } from './schedule.ts';
import type { Resolve } from './places.ts';
import { send } from './send.ts';
import type { Outcome } from './send.ts';
import type { Due, Result } from './store.ts';
import type { Targets } from './targets.ts';

export interface AttemptOptions {
  targets: Targets;
  clock: Clock;
  faults: Faults;
  log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
  version: string;
  timeoutMs?: number;
  /** How names are looked up, where that is not by the system. */
  resolve?: Resolve;
  /** From 0 up to 1, to spread out what failed together. */
  random?: () => number;
}

const TIMEOUT_MS = 15_000;
const GONE =
  'The receiver answered 410 Gone, so the webhook was switched off: check its address, then switch it on again';

/** Tries one delivery; the result is what to write down, or nothing when it was given up. */
export function createAttempt(parts: AttemptOptions & { closing: AbortSignal }) {
  const { targets, clock, faults, log, version, closing } = parts;
  const { timeoutMs = TIMEOUT_MS, random = Math.random, resolve } = parts;
  const userAgent = `Vedette/${version}`;

  async function attempt(delivery: Due): Promise<Result | undefined> {
    if (closing.aborted) return undefined;
    const { tenant, id, payload } = delivery;
    const now = clock.now();
    // What is true at this moment counts, not what was when the alert was raised.
    const target = targets.of(tenant);
    if (target.kind === 'none') return cancelled(delivery, target.why, now);
    if (target.kind === 'locked') return judged(delivery, unsent(target.why), now);
    const body = bodyFor(target.format, payload);
    const exchange = { now, userAgent, timeoutMs, closing, resolve };
    const outcome = await send(target.part, { id, body }, exchange);
    faults('delivery-sent');
    if (outcome.status === 410) await switchOff(tenant, target.sealed);
    return judged(delivery, outcome, now);
  }

  async function switchOff(tenant: string, sealed: string): Promise<void> {
    try {
      await targets.switchOff(tenant, sealed, GONE);
      log.warn({ tenant }, 'A webhook was switched off: its receiver answered 410 Gone');
    } catch (error) {
      log.warn({ err: error, tenant }, 'A webhook that is gone could not be switched off');
    }
  }

  function judged(delivery: Due, { status, error, notBefore }: Outcome, now: number): Result {
    const { tenant, id, type, begunAt } = delivery;
    const attempts = delivery.attempts + 1;
    const result = {
      ...{ tenant, id, attempts, nextAt: null, finishedAt: null },
      ...{ lastAt: now, lastStatus: status, lastError: error },
    };
    // The exchange took its time, and the pause begins after it.
    const ended = clock.now();
    if (error === null) return { ...result, status: 'delivered', finishedAt: ended };
    const failures = attempts - delivery.begunAttempts;
    // Gone is gone; and a test is an answer to who waits for it, or it is nothing.
    const isLast = status === 410 || type === 'test';
    const nextAt = isLast
      ? undefined
      : nextAttempt({ begunAt, failures }, ended, notBefore, random());
    log.info({ tenant, delivery: id, attempts, why: error }, 'A webhook delivery failed');
    if (nextAt === undefined) return { ...result, status: 'failed', finishedAt: ended };
    return { ...result, status: 'pending', nextAt };
  }

  return async (delivery: Due): Promise<Result | undefined> => {
    try {
      return await attempt(delivery);
    } catch (error) {
      if (closing.aborted) return undefined;
      // Not the error itself, which may hold the address or a header.
      const name = error instanceof Error ? error.name : typeof error;
      log.warn({ delivery: delivery.id, error: name }, 'A webhook delivery could not be made');
      return judged(delivery, unsent('failed'), clock.now());
    }
  };
}

function unsent(error: string): Outcome {
  return { status: null, error, notBefore: 0 };
}

function cancelled({ tenant, id, attempts }: Due, why: string, now: number): Result {
  return {
    ...{ tenant, id, status: 'cancelled', attempts, nextAt: null },
    ...{ lastAt: null, lastStatus: null, lastError: why, finishedAt: now },
  };
}
