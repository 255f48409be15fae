import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import { dayOf } from './text.ts';
import { createTrustedDateStore } from './trusted-date-store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** How far the clock may have moved on without a question: a long weekend off. */
const UNASKED_MS = 3 * DAY;
/** A clock that waits for the network to set it right is behind for less than this. */
const SETTLED_MS = HOUR;

interface Parts {
  database: Database;
  /** When the newest event was received, or 0: where no date was kept, it begins with this. */
  newestEvent: () => Promise<number>;
  clock: Clock;
  /** Milliseconds from some moment on, by a watch that nobody can set. */
  elapsed?: (() => number) | undefined;
  log: {
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
}

/** A jump of the clock that waits for somebody to say whether it is right. */
export interface ClockJump {
  from: number;
  to: number;
}

/**
 * The date that deletes go by. A clock that is wrong by months would delete everything at once, so
 * this date is never later than the clock and follows it by three days at most: after a larger jump
 * it goes on by the time that really passes, until somebody confirms the new date.
 */
export async function openTrustedDate(parts: Parts) {
  const { database, newestEvent, clock, elapsed = () => performance.now(), log } = parts;
  const store = createTrustedDateStore(database);
  let known = (await store.read()) ?? ((await newestEvent()) || clock.now());
  let at = elapsed();
  let behindMs = 0;
  let isNoted = false;

  function look() {
    const passed = elapsed() - at;
    at += passed;
    known += passed;
    const now = clock.now();
    behindMs = now < known ? behindMs + passed : 0;
    // One that is behind is not believed at once: when it is set right, that is no jump.
    const isBelieved = now < known ? behindMs >= SETTLED_MS : now - known <= UNASKED_MS;
    if (isBelieved) known = now;
    return { now, date: Math.min(known, now) };
  }

  function jump(): ClockJump | undefined {
    const { now, date } = look();
    return now > date ? { from: date, to: now } : undefined;
  }

  function notices(): string[] {
    const asked = jump();
    return asked ? [wordsOf(asked)] : [];
  }

  /** Now and then, so that the next start knows when this one was. */
  async function keep(): Promise<void> {
    const [notice] = notices();
    if (notice !== undefined && !isNoted) log.warn({}, notice);
    isNoted = notice !== undefined;
    await store.write(known);
  }

  // With a full disk, the date that was kept before will do.
  await keep().catch((error: unknown) => log.error({ err: error }, 'The date could not be saved'));

  return {
    now: (): number => look().date,
    jump,
    get notices() {
      return notices();
    },
    keep,

    /** Somebody says that the clock is right. */
    confirm: async (): Promise<void> => {
      const { now } = look();
      await store.write(now);
      known = now;
      isNoted = false;
    },
  };
}

export type TrustedDate = Awaited<ReturnType<typeof openTrustedDate>>;

function wordsOf({ from, to }: ClockJump): string {
  const days = Math.round((to - from) / DAY);
  return (
    `The clock has moved ahead by ${days} days, from ${dayOf(from)} to ${dayOf(to)}. Nothing is ` +
    'deleted by the new date until you confirm it on the overview.'
  );
}
