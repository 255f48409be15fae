import type { Paging } from '../http/schema.ts';
import type { Metric } from '../platform/metric.ts';
import { createMutex } from '../platform/mutex.ts';
import { createCycle } from './cycle.ts';
import type { CycleInput, CycleParts } from './cycle.ts';
import { QUARTER, quarterOf } from '../rules/quarter.ts';
import type { Rule } from '../rules/store.ts';
import type { HistoryStore } from './history-store.ts';
import type { Evaluation } from './schema.ts';
import { TICK_MS } from './uptime.ts';
import type { Uptime } from './uptime.ts';

/** What was received just before the quarter may still be on its way to the journal. */
export const SETTLED_MS = 1_000;
/** A cycle that begins later than this after its quarter is late. */
const LATE_MS = 10_000;

export interface EvaluatorParts extends CycleParts {
  uptime: Uptime;
  history: HistoryStore;
}

/** Runs the cycles: each quarter of an hour, at once when one was missed, and when asked. */
export async function createEvaluator(parts: EvaluatorParts) {
  const { rules, store, history, uptime, clock, log } = parts;
  const runCycle = createCycle(parts);
  const inTurn = createMutex();
  let done = quarterOf(
    (await store.lastCycle(clock.now())) ?? oldestOf(rules.active()) ?? clock.now(),
  );
  let timer: NodeJS.Timeout | undefined;
  let failing = false;
  let alertsMade = 0;
  let lastMs = 0;

  async function run(input: CycleInput): Promise<Evaluation[]> {
    const evaluations = await runCycle(input);
    for (const { trigger, rules, alerts, skipped, duration_ms: ms } of evaluations) {
      alertsMade += alerts;
      lastMs = ms;
      if (rules + skipped.length === 0) continue;
      log.info({ trigger, rules, alerts, skipped: skipped.length, ms }, 'Rules were evaluated');
    }
    return evaluations;
  }

  /**
   * The newest quarter that is over, unless it was done. Of several missed ones the first is run
   * too, for what was received just before the machine went to sleep.
   */
  const runDue = (): Promise<boolean> =>
    inTurn(async () => {
      const now = clock.now();
      const quarter = quarterOf(now - SETTLED_MS);
      if (!isDue(quarter, done)) return false;
      if (quarter - QUARTER > done) {
        await run({ at: done + QUARTER, trigger: 'late' });
        // Should the next one fail, this one does not run again, nor those between that are left out.
        done = quarter - QUARTER;
      }
      await run({ at: quarter, trigger: now - quarter > LATE_MS ? 'late' : 'schedule' });
      done = quarter;
      return true;
    });

  /** Notices sleep and what was missed in it; a cycle that failed is tried again here. */
  async function tick(): Promise<void> {
    try {
      await uptime.tick();
      await runDue();
      failing = false;
    } catch (error) {
      if (!failing)
        log.error({ err: error }, 'A cycle failed and is tried again until it succeeds');
      failing = true;
    }
  }

  return {
    runDue,
    tick,

    /** For the rules of one tenant, on everything received so far. */
    runNow: (tenantId: string): Promise<Evaluation> =>
      inTurn(async () => {
        // What was received within this millisecond counts too.
        const at = clock.now() + 1;
        const [evaluation] = await run({ at, trigger: 'manual', tenantId });
        if (evaluation === undefined) throw new Error('The cycle left no record');
        return evaluation;
      }),

    list: (tenantId: string, paging: Paging): Promise<Evaluation[]> => store.list(tenantId, paging),

    checks: {
      rules: () => !failing || `Rules could not be evaluated since ${new Date(done).toISOString()}`,
    },

    metrics: [
      {
        name: 'vedette_alerts_total',
        help: 'Alerts that were made since the start',
        type: 'counter',
        read: () => alertsMade,
      },
      {
        name: 'vedette_last_cycle_timestamp_seconds',
        help: 'The quarter of an hour up to which all rules were evaluated',
        type: 'gauge',
        read: () => done / 1000,
      },
      {
        name: 'vedette_last_cycle_duration_seconds',
        help: 'How long the last cycle took',
        type: 'gauge',
        read: () => lastMs / 1000,
      },
    ] satisfies Metric[],

    async prune(now: number): Promise<void> {
      await store.forget(now);
      await history.forget(now);
    },

    async start(): Promise<void> {
      timer = setInterval(() => void tick(), TICK_MS);
      timer.unref();
      await uptime.tick();
      // What was missed while it was off takes its time, and nobody need wait for it.
      void tick();
    },

    async close(): Promise<void> {
      clearInterval(timer);
      // Lets a cycle under way come to its end.
      await inTurn(async () => undefined);
      await uptime.close();
    },
  };
}

/** Before there was a rule, nothing could have been missed. */
function oldestOf(rules: readonly Rule[]): number | undefined {
  const times = rules.map(({ created_at: time }) => Date.parse(time));
  return times.length === 0 ? undefined : Math.min(...times);
}

/** A clock that was far ahead and set right again must not stop the cycles until it is there. */
function isDue(quarter: number, done: number): boolean {
  return quarter > done || quarter < done - 2 * QUARTER;
}

export type Evaluator = Awaited<ReturnType<typeof createEvaluator>>;
