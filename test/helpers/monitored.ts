import type { Alert } from '../../server/alerts/schema.ts';
import type { StartOptions } from '../../server/appliance.ts';
import type { Evaluation } from '../../server/evaluator/schema.ts';
import type { RuleType, RuleView } from '../../server/rules/schema.ts';
import { KEY, startAppliance } from './appliance.ts';
import type { TestAppliance } from './appliance.ts';
import { sharedDir } from './temp-dir.ts';
import { freshTenant } from './tenant.ts';

export const MINUTE = 60_000;
export const QUARTER = 15 * MINUTE;
const DAY = 24 * 60 * MINUTE;
/** A quarter of an hour begins here. */
export const START = Date.parse('2026-03-02T10:00:00Z');

/** An appliance with a clock that stands until it is moved, and verbs for rules and alerts. */
export async function monitored(options: Partial<StartOptions> & { clock?: StandingClock } = {}) {
  const clock = options.clock ?? standingClock();
  const appliance = await startAppliance({ ...options, clock });
  return { ...appliance, clock, start: clock.time, ...verbs(appliance, clock, KEY) };
}

let shared: Promise<Monitored> | undefined;

/**
 * A tenant of the one appliance with a standing clock that the tests of a worker share, on a day
 * of its own: the collector begins to listen at `start`. For what rules of a tenant come to; what
 * counts for the whole appliance needs one of its own.
 */
export async function monitoredTenant() {
  const { clock, ...appliance } = await (shared ??= monitored({ dataDir: sharedDir() }));
  const start = clock.time + DAY - ((clock.time - START) % DAY);
  // The cycle of this quarter is over, as it is where an appliance starts. Nobody has rules then.
  for (const time of [start + 1000, start]) {
    clock.time = time;
    await appliance.wake();
  }
  const tenant = await freshTenant(appliance);
  return {
    ...appliance,
    ...tenant,
    ...{ clock, start },
    ...verbs({ ...appliance, post: tenant.post }, clock, tenant.key),

    /** Leaves the cycles of other tests to their own rules. */
    async [Symbol.asyncDispose]() {
      const active = (await tenant.get('/rules?active_only=true&limit=1000')).json<RuleView[]>();
      for (const { id } of active) await tenant.call('DELETE', `/rules/${id}`);
    },
  };
}

/** What a test does with a tenant, by its key, of an appliance whose clock stands. */
export function verbs(
  { app, post, wake }: Pick<TestAppliance, 'app' | 'post' | 'wake'>,
  clock: StandingClock,
  key: string,
) {
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    app.inject({
      ...{ method, url: `/api/v1${path}`, headers: { 'x-api-key': key } },
      ...(body && { payload: body }),
    });

  return {
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
      const answer = await post(Array(count).fill({ source, event_type, data }));
      if (answer.statusCode !== 201) throw new Error(answer.body);
    },

    evaluate: async () => (await call('POST', '/evaluations')).json<Evaluation>(),
    evaluations: async () => (await call('GET', '/evaluations')).json<Evaluation[]>(),
    alerts: async () => (await call('GET', '/alerts')).json<Alert[]>(),

    /** Lets time pass as it does while the machine is awake. */
    async pass(milliseconds: number): Promise<void> {
      const end = clock.time + milliseconds;
      while (clock.time < end) {
        // A step of more than 45 seconds would be one in which it slept.
        clock.time = Math.min(end, clock.time + 45_000);
        await wake();
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

function standingClock(): StandingClock {
  const clock = { time: START, now: () => clock.time };
  return clock;
}

export type Monitored = Awaited<ReturnType<typeof monitored>>;
export type MonitoredTenant = Awaited<ReturnType<typeof monitoredTenant>>;
/** What both of them have. */
export type Watched = Pick<Monitored, 'call' | 'alerts' | 'evaluations'>;
