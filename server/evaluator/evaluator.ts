import type { Paging } from '../events/schema.ts';
import type { Logger } from '../platform/log.ts';
import { createMutex } from '../platform/mutex.ts';
import { createCycle } from './cycle.ts';
import type { CycleInput, CycleParts } from './cycle.ts';
import type { Evaluation } from './schema.ts';
import { TICK_MS } from './uptime.ts';

const QUARTER = 15 * 60_000;
/** What was received just before the quarter may still be on its way to the journal. */
export const SETTLED_MS = 1_000;
/** A cycle that begins later than this after its quarter is late. */
const LATE_MS = 30_000;

export const quarterOf = (moment: number) => Math.floor(moment / QUARTER) * QUARTER;

export interface EvaluatorParts extends CycleParts {
  log: Logger;
}

/** Runs the cycles: each quarter of an hour, at once when one was missed, and when asked. */
export async function createEvaluator(parts: EvaluatorParts) {
  const { store, uptime, clock, log } = parts;
  const runCycle = createCycle(parts);
  const inTurn = createMutex();
  // Before the first rule there is nothing that could have been missed.
  let done = (await store.lastCycle()) ?? quarterOf(clock.now());
  let timer: NodeJS.Timeout | undefined;

  async function run(input: CycleInput): Promise<Evaluation[]> {
    const evaluations = await runCycle(input);
    for (const { trigger, rules, alerts, skipped, duration_ms: ms } of evaluations) {
      log.info({ trigger, rules, alerts, skipped: skipped.length, ms }, 'Rules were evaluated');
    }
    return evaluations;
  }

  /** The newest quarter that is over, unless it was done. Of several missed ones the last is run. */
  const runDue = (): Promise<boolean> =>
    inTurn(async () => {
      const now = clock.now();
      const quarter = quarterOf(now - SETTLED_MS);
      if (quarter <= done) return false;
      await run({ at: quarter, trigger: now - quarter > LATE_MS ? 'late' : 'schedule' });
      done = quarter;
      return true;
    });

  /** Notices sleep and what was missed in it; a cycle that failed is tried again here. */
  async function tick(): Promise<void> {
    try {
      await uptime.tick();
      await runDue();
    } catch (error) {
      log.error({ err: error }, 'A cycle of the evaluator failed and is tried again shortly');
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

    prune: () => store.forget(clock.now()),

    async start(): Promise<void> {
      timer = setInterval(() => void tick(), TICK_MS);
      timer.unref();
      await tick();
    },

    async close(): Promise<void> {
      clearInterval(timer);
      // Lets a cycle under way come to its end.
      await inTurn(async () => undefined);
      await uptime.close();
    },
  };
}

export type Evaluator = Awaited<ReturnType<typeof createEvaluator>>;
