import type { Clock } from '../platform/clock.ts';
import { HttpError, problems } from '../platform/errors.ts';
import type { Call } from './api/api.ts';
import type { FaultView, JobView } from './connection/schema.ts';
import { failedHere, faults, unforeseen } from './fault-words.ts';
import { TagManagerFault } from './faults.ts';

/** What a job tells about itself while it runs. */
export interface JobHandle {
  signal: AbortSignal;
  /** Handed to every verb of the API, so that requests are counted and can be stopped. */
  call: Call;
  /** What is being done now, in words: 'Reading tags'. */
  step: (words: string) => void;
  /** How many requests it will take in all, as far as that is known by now. */
  expect: (requests: number) => void;
}

/** Long work in the background: one at a time for each tenant. */
export interface Jobs {
  /** Throws `problems.tagManagerBusy` when one is under way. */
  start: (
    tenantId: string,
    kind: JobView['kind'],
    work: (job: JobHandle) => Promise<void>,
  ) => JobView;
  current: (tenantId: string) => JobView | null;
  lastFailure: (tenantId: string) => FaultView | null;
  /** How the last one went is of no account any more. */
  forget: (tenantId: string) => void;
  /** Stops it, and waits until it has ended; what has been sent is waited for, but not for ever. */
  stop: (tenantId: string) => Promise<void>;
  /** When nothing is under way any more; for tests, and for those who wait. */
  idle: (tenantId: string) => Promise<void>;
  close: () => Promise<void>;
}

interface Parts {
  clock: Clock;
  log: { error(fields: object, message: string): void };
  /** The pacer as it is for the project that a tenant's requests are counted for. */
  pacerOf: (tenantId: string) => {
    waitingMs: () => number;
    secondsFor: (requests: number) => number;
  };
  /** How long closing and stopping wait for what has been sent. */
  patienceMs?: Partial<typeof PATIENCE_MS>;
}

/** Closing may take a few seconds in all; most writes are answered within these. */
const PATIENCE_MS = { close: 1_500, stop: 5_000 };

interface Running {
  kind: JobView['kind'];
  step: string;
  requests: number;
  expected: number | null;
  startedAt: number;
  controller: AbortController;
  cut: AbortController;
  done: Promise<void>;
}

export function createJobs({ clock, log, pacerOf, patienceMs = {} }: Parts): Jobs {
  const running = new Map<string, Running>();
  const failures = new Map<string, FaultView>();
  const patiences = { ...PATIENCE_MS, ...patienceMs };
  let closed = false;

  function viewOf(tenantId: string, job: Running): JobView {
    const pacer = pacerOf(tenantId);
    const waiting = Math.ceil(pacer.waitingMs() / 1000);
    // There may be more pages than there were the last time.
    const expected = job.expected === null ? null : Math.max(job.expected, job.requests);
    return {
      kind: job.kind,
      step: job.step,
      requests: job.requests,
      expected,
      waiting_seconds: waiting,
      left_seconds:
        expected === null
          ? null
          : Math.max(waiting, Math.ceil(pacer.secondsFor(expected - job.requests))),
      started_at: new Date(job.startedAt).toISOString(),
    };
  }

  async function run(
    tenantId: string,
    job: Running,
    work: (handle: JobHandle) => Promise<void>,
  ): Promise<void> {
    const { signal } = job.controller;
    try {
      // Whoever starts it is answered before it begins.
      await Promise.resolve();
      signal.throwIfAborted();
      await work({
        signal,
        call: { signal, cut: job.cut.signal, asking: () => job.requests++ },
        step: (words) => (job.step = words),
        expect: (requests) => (job.expected = requests),
      });
      failures.delete(tenantId);
    } catch (error) {
      const foreseen = foreseenFault(error, signal);
      if (foreseen === undefined) {
        log.error({ err: error, tenantId, kind: job.kind }, 'Work on the tag manager has failed');
      }
      failures.set(tenantId, (foreseen ?? unforeseen()).view(clock.now()));
    } finally {
      running.delete(tenantId);
    }
  }

  async function stop(tenantId: string, patience: number): Promise<void> {
    const job = running.get(tenantId);
    if (job === undefined) return;
    job.controller.abort();
    const timer = setTimeout(() => job.cut.abort(), patience);
    await job.done;
    clearTimeout(timer);
  }

  return {
    start(tenantId, kind, work) {
      if (closed) throw problems.closing();
      if (running.has(tenantId)) throw problems.tagManagerBusy();
      const job: Running = {
        kind,
        step: 'Beginning',
        requests: 0,
        expected: null,
        startedAt: clock.now(),
        controller: new AbortController(),
        cut: new AbortController(),
        done: Promise.resolve(),
      };
      running.set(tenantId, job);
      job.done = run(tenantId, job, work);
      return viewOf(tenantId, job);
    },
    current(tenantId) {
      const job = running.get(tenantId);
      return job === undefined ? null : viewOf(tenantId, job);
    },
    lastFailure: (tenantId) => failures.get(tenantId) ?? null,
    forget: (tenantId) => void failures.delete(tenantId),
    stop: (tenantId) => stop(tenantId, patiences.stop),
    async idle(tenantId) {
      // What ends may have begun the next.
      for (let job = running.get(tenantId); job; job = running.get(tenantId)) await job.done;
    },
    async close() {
      closed = true;
      await Promise.all([...running.keys()].map((tenantId) => stop(tenantId, patiences.close)));
    },
  };
}

function foreseenFault(error: unknown, signal: AbortSignal): TagManagerFault | undefined {
  if (error instanceof TagManagerFault) return error;
  if (signal.aborted && (error === signal.reason || isAbort(error))) return faults.stopped();
  // The disk is full, or the appliance is closing: that has words of its own.
  if (error instanceof HttpError) return failedHere(error.message);
  return undefined;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
