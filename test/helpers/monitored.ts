import type { Alert } from '../../server/alerts/schema.ts';
import type { StartOptions } from '../../server/appliance.ts';
import type { Evaluation } from '../../server/evaluator/schema.ts';
import type { RuleType, RuleView } from '../../server/rules/schema.ts';
import { KEY, startAppliance } from './appliance.ts';

export const MINUTE = 60_000;
export const QUARTER = 15 * MINUTE;
/** A quarter of an hour begins here. */
export const START = Date.parse('2026-03-02T10:00:00Z');

/** An appliance with a clock that stands until it is moved, and verbs for rules and alerts. */
export async function monitored(options: Partial<StartOptions> & { clock?: StandingClock } = {}) {
  const clock: StandingClock = options.clock ?? { time: START, now: () => clock.time };
  const appliance = await startAppliance({ ...options, clock });

  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    appliance.app.inject({
      ...{ method, url: `/api/v1${path}`, headers: { 'x-api-key': KEY } },
      ...(body && { payload: body }),
    });

  return {
    ...appliance,
    clock,
    call,

    async rule(rule_type: RuleType, config: object, more: object = {}): Promise<RuleView> {
      const answer = await call('POST', '/rules', {
        name: `A ${rule_type}`,
        rule_type,
        config,
        ...more,
      });
      if (answer.statusCode !== 201) throw new Error(answer.body);
      return answer.json<RuleView>();
    },

    async send(event_type: string, count = 1, data: object = {}, source = 'shop'): Promise<void> {
      const answer = await appliance.post(Array(count).fill({ source, event_type, data }));
      if (answer.statusCode !== 201) throw new Error(answer.body);
    },

    evaluate: async () => (await call('POST', '/evaluations')).json<Evaluation>(),
    evaluations: async () => (await call('GET', '/evaluations')).json<Evaluation[]>(),
    alerts: async () => (await call('GET', '/alerts')).json<Alert[]>(),

    /** Lets time pass as it does while the machine is awake. */
    async pass(milliseconds: number): Promise<void> {
      const end = clock.time + milliseconds;
      while (clock.time < end) {
        clock.time = Math.min(end, clock.time + 40_000);
        await appliance.wake();
      }
    },

    /** Up to a moment after the next quarter of an hour, whose cycle has then run. */
    async nextQuarter(): Promise<void> {
      await this.pass((Math.floor(clock.time / QUARTER) + 1) * QUARTER + 1000 - clock.time);
    },
  };
}

export interface StandingClock {
  time: number;
  now(): number;
}

export type Monitored = Awaited<ReturnType<typeof monitored>>;
