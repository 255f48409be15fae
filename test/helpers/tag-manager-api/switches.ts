import { refusals } from './answers.ts';
import type { Refusal } from './answers.ts';

type Of = 'reads' | 'writes' | 'all';

/** What is to go wrong with the next requests. */
interface Trouble {
  /** How many of them; 1 if it is not said. */
  times?: number;
  of?: Of;
  /** Whether the request is carried out before it fails. */
  when?: 'before' | 'after';
}

interface Planned {
  left: number;
  of: Of;
  when: 'before' | 'after';
  /** Nothing: the connection is dropped. */
  refusal: Refusal | undefined;
}

export interface Quota {
  requests: number;
  withinMs: number;
  perDay?: number;
  /** By the documentation 403, in practice 429. */
  status?: 403 | 429;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** What tests turn so that the API fails, waits, or counts. */
export function createSwitches(quota: Quota | undefined, now: () => number) {
  const planned: Planned[] = [];
  let counted: number[] = [];
  let gate: Gate | undefined;
  let isDisabled = false;

  function plan({ times = 1, of = 'all', when = 'before' }: Trouble, refusal?: Refusal): void {
    planned.push({ left: times, of, when, refusal });
  }

  /** What happens to this request, if anything does. */
  function troubleFor(method: string): Planned | undefined {
    const kind = method === 'GET' ? 'reads' : 'writes';
    const trouble = planned.find(({ left, of }) => left > 0 && (of === 'all' || of === kind));
    if (trouble) trouble.left--;
    return trouble;
  }

  function count(): void {
    if (!quota) return;
    const { requests, withinMs, perDay = Infinity, status = 429 } = quota;
    const at = now();
    counted = counted.filter((one) => one > at - DAY_MS);
    if (counted.length >= perDay) throw refusals.day(status);
    if (counted.filter((one) => one > at - withinMs).length >= requests) {
      throw refusals.rate(status);
    }
    counted.push(at);
  }

  return {
    ...{ troubleFor, count },
    /** Waits while requests are held. */
    passGate: async () => gate?.pass(),
    checkEnabled() {
      if (isDisabled) throw refusals.disabled();
    },
    verbs: {
      fail: ({ status = 500, ...trouble }: Trouble & { status?: number } = {}) =>
        plan(trouble, refusals.backend(status)),
      /** The connection ends without an answer. */
      drop: (trouble: Trouble = {}) => plan(trouble),
      quotaAnswers({ status = 429, retryAfter, ...trouble }: QuotaTrouble = {}) {
        plan(trouble, refusals.rate(status, retryAfter));
      },
      dayIsUsedUp: ({ status = 429, ...trouble }: Omit<QuotaTrouble, 'retryAfter'> = {}) =>
        plan(trouble, refusals.day(status)),
      /** The API is switched off in the project of the OAuth client. */
      disable(off = true) {
        isDisabled = off;
      },
      /** Nothing goes wrong any more, and nothing waits. */
      calm() {
        planned.length = 0;
        isDisabled = false;
        gate?.release();
        gate = undefined;
      },
      /** Requests wait from now on, until they are let go. */
      hold() {
        gate = createGate();
        const { arrived, release } = gate;
        return { arrived, release };
      },
    },
  };
}

interface QuotaTrouble extends Trouble {
  status?: 403 | 429;
  /** In seconds, or a date. */
  retryAfter?: number | string;
}

type Gate = ReturnType<typeof createGate>;

function createGate() {
  const opened = Promise.withResolvers<undefined>();
  let waiting = 0;
  let watching: (() => void)[] = [];

  return {
    pass: async (): Promise<void> => {
      waiting++;
      for (const wake of watching.splice(0)) wake();
      await opened.promise;
    },
    /** Resolves when this many requests wait. */
    arrived: async (count = 1): Promise<void> => {
      while (waiting < count) await new Promise<void>((wake) => watching.push(wake));
    },
    release: () => {
      watching = [];
      opened.resolve(undefined);
    },
  };
}
