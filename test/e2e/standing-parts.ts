import type { Evaluation } from '../../server/evaluator/schema.ts';
import type { RuleView } from '../../server/rules/schema.ts';
import { signedIn } from '../helpers/browser.ts';
import { MINUTE, monitored, QUARTER, verbs } from '../helpers/monitored.ts';
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

/** What tests do with a tenant of that appliance. */
function verbsOf(tenant: TestTenant, { clock, wake }: Monitored) {
  const does = verbs({ ...tenant, wake }, clock, tenant.key);
  return {
    ...{ ...tenant, ...does, clock },
    open: (path: string, options = {}) => signedIn(tenant, path, options),
    rules: async () => (await does.call('GET', '/rules')).json<RuleView[]>(),
    one: async (id: string) => (await does.call('GET', `/rules/${id}`)).json<RuleView>(),

    /** A moment later, all rules are checked by hand. */
    async check(): Promise<Evaluation> {
      clock.time += 1000;
      return does.evaluate();
    },
  };
}

/** The shop, without the rules of the test before. */
export async function shop() {
  const { appliance, shop } = await begin();
  const vedette = verbsOf(shop, appliance);
  for (const { id } of await vedette.rules()) await vedette.call('DELETE', `/rules/${id}`);
  return vedette;
}

/** A tenant that nothing was sent to, where the clock stands. */
export async function standingTenant() {
  const { appliance } = await begin();
  return verbsOf(await freshTenant(appliance), appliance);
}

export type StandingTenant = Awaited<ReturnType<typeof standingTenant>>;
