import type { Alerts } from '../../server/alerts/alerts.ts';
import type { Rule, RuleStore } from '../../server/rules/store.ts';
import type { Deliveries } from '../../server/webhooks/deliveries.ts';
import { PAUSED, RULES } from './rules.ts';
import { DAYS, HOUR, localTime, MINUTE } from './story.ts';
import type { Story } from './story.ts';

export interface Deed {
  at: number;
  do: () => Promise<unknown>;
}

interface Parts {
  story: Story;
  tenantId: string;
  rules: RuleStore;
  changes: Alerts['changes'];
  deliveries: Deliveries;
  /** Sets the address of the webhook: by mistake a wrong one at first. Undefined for no webhook. */
  point: ((folder: string) => Promise<unknown>) | undefined;
}

const LOOK_EVERY = 22 * MINUTE;

/** What people did in those days, in order of time. */
export function planDeeds(parts: Parts): Deed[] {
  const { story, tenantId, rules, changes, deliveries, point } = parts;
  const { now, lostIds, doubled, bareCarts, payments, crashes, versionAt } = story;
  const deeds: Deed[] = [];
  const then = (at: number, work: (at: number) => Promise<unknown>) =>
    deeds.push({ at, do: () => work(at) });

  async function tell(at: number, to: 'acknowledge' | 'resolve', name: string, note: string) {
    const rule = rules.list(tenantId, {}).find((one) => one.name === name) as Rule;
    return changes.all(tenantId, { rule_id: rule.id }, { to, note, now: at });
  }

  const told = (at: number, ...what: [to: 'acknowledge' | 'resolve', name: string, note: string]) =>
    then(at, () => tell(at, ...what));

  /** Somebody has a look now and then, and answers for what has fired by then; only once. */
  function seen({ from, to }: Story['doubled'], name: string, note: string): void {
    let isSeen = false;
    for (let at = from + LOOK_EVERY; at < to; at += LOOK_EVERY) {
      then(at, async () => {
        if (isSeen) return;
        isSeen = (await tell(at, 'acknowledge', name, note)).changed > 0;
      });
    }
  }

  for (const { daysAgo, rule } of RULES) {
    const at = localTime(now, daysAgo, 10, 24) + rule.name.length * 7_300;
    then(at, () => rules.create(tenantId, rule, at));
  }
  then(localTime(now, 19, 16, 41), (at) => rules.create(tenantId, PAUSED, at));
  if (point) {
    // A slip of the pen, found by the test and mended.
    const first = localTime(now, 28, 11, 31);
    then(first, () => point('vedete'));
    then(first + MINUTE, (at) => deliveries.test(tenantId, at));
    then(first + 3 * MINUTE, () => point('vedette'));
    then(first + 4 * MINUTE, (at) => deliveries.test(tenantId, at));
  }

  told(
    bareCarts.to + 50 * MINUTE,
    'resolve',
    'Add to cart without items',
    'The new theme of the mini cart left the items out. Rolled back by the web team.',
  );

  const noIds = 'Purchases without a transaction id';
  seen(
    lostIds,
    noIds,
    `Began with container version ${versionAt(lostIds.from)}. Asked the agency to look at the purchase tag. – Jana`,
  );
  told(
    lostIds.to + 28 * MINUTE,
    'resolve',
    noIds,
    `Version ${versionAt(lostIds.to)} is live: the variable reads ecommerce.transaction_id again. The orders of the afternoon are being imported from the backend. – Jana`,
  );

  told(
    payments.to + 75 * MINUTE,
    'resolve',
    'Payment failures',
    '3-D Secure was slow at the payment provider from ten past eight on; not ours.',
  );

  const carts = 'Add to cart above the usual day';
  seen(
    doubled,
    carts,
    `Every click counts twice since version ${versionAt(doubled.from)}; checkouts are as usual. – Mehmet`,
  );
  told(
    doubled.to + 2 * HOUR,
    'resolve',
    carts,
    `The second add-to-cart tag is gone with version ${versionAt(doubled.to)}. – Mehmet`,
  );

  told(
    crashes.to + 78 * MINUTE,
    'acknowledge',
    'App crashes',
    'All from the checkout of 5.14.2 on Android. The mobile team has a fix for 5.14.3 in review. – Lea',
  );

  // Each morning somebody looks at what is left of the day before.
  for (let day = DAYS - 1; day > 0; day--) {
    const note = 'Looked into it: a quiet hour, the tags work.';
    then(localTime(now, day, 8, 47), (at) =>
      changes.all(tenantId, { status: 'open' }, { to: 'resolve', note, now: at }),
    );
  }
  return deeds.sort((a, b) => a.at - b.at);
}
