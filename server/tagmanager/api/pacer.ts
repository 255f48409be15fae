import { setTimeout as timer } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import { faults } from '../fault-words.ts';
import { createAllowance } from './allowance.ts';
import type { Allowance, Quota } from './allowance.ts';

/** What Google allows a project: a quarter request a second, counted over 100 s, and so many a day. */
export const GOOGLE_QUOTA: Quota = { requests: 25, withinMs: 100_000, perDay: 10_000 };

export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export interface PacerOptions {
  clock: Clock;
  quota?: Quota;
  /** Ends early with its signal, by failing or by coming back. */
  wait?: Wait;
}

/** Keeps to the quota, which all that ask in the name of one Google Cloud project share. */
export interface Pacer {
  /** Comes back when the next request may be made. A fault when it was stopped, or the day is full. */
  take(project: string, signal?: AbortSignal): Promise<void>;
  /** Nothing of this project for so long: the API has asked for it. */
  hold(project: string, ms: number): void;
  /** A pause of one request alone. A fault when it was stopped. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
  /** Until the next request may be made. */
  waitingMs(project: string): number;
  usedToday(project: string): number;
  perDay: number;
  /** How long so many more will take somebody who makes them one after the other. */
  secondsFor(project: string, requests: number): number;
}

interface Turn {
  give: () => void;
  refuse: (error: unknown) => void;
}

interface Line {
  allowance: Allowance;
  turns: Turn[];
  isServed: boolean;
  /** Ends the wait that the line is in, if it is in one. */
  waiting: AbortController | undefined;
}

/** A computer that slept goes on this soon after it woke. */
const LONGEST_WAIT_MS = 30_000;

export function createPacer(options: PacerOptions): Pacer {
  const { clock, quota = GOOGLE_QUOTA, wait = defaultWait } = options;
  const lines = new Map<string, Line>();

  function lineOf(project: string): Line {
    const line = lines.get(project) ?? {
      allowance: createAllowance(clock, quota),
      ...{ turns: [], isServed: false, waiting: undefined },
    };
    lines.set(project, line);
    return line;
  }

  async function take(project: string, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw faults.stopped();
    const line = lineOf(project);
    const { allowance, turns } = line;
    if (allowance.usedToday() + turns.length >= quota.perDay) {
      throw faults.quotaDay('', Math.ceil(allowance.dayFreeInMs() / 1000));
    }
    const turn = Promise.withResolvers<undefined>();
    const entry = { give: () => turn.resolve(undefined), refuse: turn.reject };
    const leave = () => {
      const place = turns.indexOf(entry);
      if (place < 0) return;
      turns.splice(place, 1);
      turn.reject(faults.stopped());
      if (turns.length === 0) line.waiting?.abort();
    };
    turns.push(entry);
    signal?.addEventListener('abort', leave, { once: true });
    void serve(line);
    try {
      await turn.promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  /** In the order of asking, by one server for each line. */
  async function serve(line: Line): Promise<void> {
    if (line.isServed) return;
    line.isServed = true;
    const { allowance, turns } = line;
    try {
      while (turns.length > 0) {
        const ms = allowance.waitMs();
        if (ms > 0) await waitFor(line, ms);
        else {
          allowance.use();
          turns.shift()?.give();
        }
      }
    } catch (error) {
      for (const { refuse } of turns.splice(0)) refuse(error);
    } finally {
      line.isServed = false;
    }
  }

  async function waitFor(line: Line, ms: number): Promise<void> {
    const waiting = new AbortController();
    line.waiting = waiting;
    try {
      await wait(Math.min(ms, LONGEST_WAIT_MS), waiting.signal);
    } catch (error) {
      if (!waiting.signal.aborted) throw error;
    } finally {
      line.waiting = undefined;
    }
  }

  return {
    ...{ take, perDay: quota.perDay },
    hold: (project, ms) => lineOf(project).allowance.hold(ms),
    async pause(ms, signal = new AbortController().signal) {
      await wait(ms, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      if (signal.aborted) throw faults.stopped();
    },
    waitingMs: (project) => lineOf(project).allowance.waitMs(),
    usedToday: (project) => lineOf(project).allowance.usedToday(),
    secondsFor(project, requests) {
      const { allowance, turns } = lineOf(project);
      if (requests <= 0) return 0;
      // One of those that wait may be the next of the very one who asks.
      const others = Math.max(0, turns.length - 1);
      return Math.ceil(allowance.msFor(requests + others) / 1000);
    },
  };
}

async function defaultWait(ms: number, signal: AbortSignal): Promise<void> {
  await timer(ms, undefined, { signal });
}
