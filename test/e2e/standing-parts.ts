import type { Alert } from '../../server/alerts/schema.ts';
import type { Evaluation } from '../../server/evaluator/schema.ts';
import type { RuleType, RuleView } from '../../server/rules/schema.ts';
import { signedIn } from '../helpers/browser.ts';
import { MINUTE, monitored, QUARTER } from '../helpers/monitored.ts';
import type { Monitored, StandingClock } from '../helpers/monitored.ts';
import { sharedDir } from '../helpers/temp-dir.ts';
import { freshTenant } from '../helpers/tenant.ts';
import type { TestTenant } from '../helpers/tenant.ts';

let standing: Promise<{ appliance: Monitored; shop: TestTenant }> | undefined;

/**
 * The appliance of a worker whose clock stands, at the quarter of an hour that began last, and two
 * hours of a shop up to then: two purchases in each quarter. Building that up takes longer than
 * what tests do with it.
 */
function begin() {
  standing ??= (async () => {
    const end = Math.floor(Date.now() / QUARTER) * QUARTER;
    const clock: StandingClock = { time: end - 120 * MINUTE, now: () => clock.time };
    const appliance = await monitored({ clock, dataDir: sharedDir() });
    const shop = await freshTenant(appliance);
    while (clock.time < end) {
      const data = { value: 20, currency: 'EUR', items: [{ id: 'a' }] };
      await shop.post(Array(2).fill({ source: 'web', event_type: 'purchase', data }));
      await appliance.pass(QUARTER);
    }
    return { appliance, shop };
  })();
  return standing;
}

/** What tests do with a tenant of the appliance whose clock stands. */
function verbs(tenant: TestTenant, clock: StandingClock) {
  const { call } = tenant;
  return {
    ...tenant,
    clock,
    open: (path: string, options = {}) => signedIn(tenant, path, options),
    rules: async () => (await call('GET', '/rules')).json<RuleView[]>(),
    one: async (id: string) => (await call('GET', `/rules/${id}`)).json<RuleView>(),
    alerts: async () => (await call('GET', '/alerts')).json<Alert[]>(),

    async rule(rule_type: RuleType, config: object, more: object = {}): Promise<RuleView> {
      const body = { name: `A ${rule_type}`, rule_type, config, ...more };
      const answer = await call('POST', '/rules', body);
      if (answer.statusCode !== 201) throw new Error(answer.body);
      return answer.json<RuleView>();
    },

    async send(event_type: string, count = 1, data: object = {}, source = 'shop'): Promise<void> {
      const answer = await tenant.post(Array(count).fill({ source, event_type, data }));
      if (answer.statusCode !== 201) throw new Error(answer.body);
    },

    /** A moment later, all rules are checked by hand. */
    async check(): Promise<Evaluation> {
      clock.time += 1000;
      return (await call('POST', '/evaluations')).json<Evaluation>();
    },
  };
}

/** The shop, without the rules of the test before. */
export async function shop() {
  const { appliance, shop } = await begin();
  const vedette = verbs(shop, appliance.clock);
  for (const { id } of await vedette.rules()) await vedette.call('DELETE', `/rules/${id}`);
  return vedette;
}

/** A tenant that nothing was sent to, where the clock stands. */
export async function standingTenant() {
  const { appliance } = await begin();
  return verbs(await freshTenant(appliance), appliance.clock);
}

export type StandingTenant = Awaited<ReturnType<typeof standingTenant>>;
