import { createAlerts } from '../../server/alerts/alerts.ts';
import { openMonitor } from '../../server/evaluator/monitor.ts';
import type { Uptime } from '../../server/evaluator/uptime.ts';
import type { Events } from '../../server/events/events.ts';
import type { Database } from '../../server/platform/database.ts';
import { noFaults as faults } from '../../server/platform/faults.ts';
import { silentLog as log } from '../../server/platform/log.ts';
import type { Cipher } from '../../server/platform/secrets.ts';
import type { Sql } from '../../server/platform/sql.ts';
import { QUARTER, quarterOf } from '../../server/rules/quarter.ts';
import type { RuleStore } from '../../server/rules/store.ts';
import { createProfiles } from '../../server/tenants/profiles.ts';
import type { TenantStore } from '../../server/tenants/store.ts';
import { createWebhooks } from '../../server/webhooks/webhooks.ts';
import { planDeeds } from './deeds.ts';
import { foreseeing } from './foreseeing.ts';
import { inPortions } from './portions.ts';
import { heard, isIn } from './story.ts';
import type { Story } from './story.ts';

export interface PlayParts {
  story: Story;
  tenantId: string;
  database: Database;
  events: Events;
  rules: RuleStore;
  tenants: TenantStore;
  cipher: Cipher;
  clock: { moment: number; now(): number };
  webhookUrl: string | undefined;
  progress: (share: number) => void;
}

/** Cycles that are played in one transaction. */
const AT_ONCE = 192;
const SETTLED_MS = 1_000;
/** A little more than the first pauses between attempts of a delivery. */
const PAUSES_MS = [0, 6_000, 70_000];

/**
 * Plays what the appliance would have done over these events: the real cycles, with a clock that
 * jumps from quarter to quarter, the deeds of people in between, and webhooks that are really sent.
 */
export async function play(parts: PlayParts): Promise<void> {
  const { story, tenantId, events, rules, tenants, cipher, clock, webhookUrl, progress } = parts;
  const { database, transaction } = inLongTransactions(parts.database);
  const { answer, foresee } = foreseeing(parts);
  const webhooks = createWebhooks({
    ...{ database, tenants, cipher, clock, faults, log, version: '0.1.0' },
    random: () => 0.5,
  });
  let isDue = false;
  const outbox = { ...webhooks.outbox, wake: () => void (isDue = true) };
  const { store: alerts, changes } = createAlerts({ database, outbox });
  const { store, history, write } = inPortions(database);
  const flusher = { ...events.flusher, flush: () => Promise.resolve() };
  const uptime: Uptime = {
    tick: () => Promise.resolve(),
    isOn: () => true,
    listening: () => heard(story, clock.now()),
    close: () => Promise.resolve(),
  };
  const profiles = createProfiles({ tenants, cipher });
  const deeds = planDeeds({
    ...{ story, tenantId, rules, changes, deliveries: webhooks.deliveries },
    point:
      webhookUrl === undefined
        ? undefined
        : (folder) => {
            const webhook = { url: `${webhookUrl}/${folder}`, allow_private: true };
            return profiles.change(tenantId, { webhook }, 'session');
          },
  });

  async function live(until: number): Promise<void> {
    while (deeds[0] && deeds[0].at <= until) {
      const deed = deeds.shift();
      clock.moment = deed?.at ?? until;
      await deed?.do();
      await deliver();
    }
    clock.moment = until;
  }

  async function deliver(): Promise<void> {
    if (!isDue) return;
    isDue = false;
    for (const pause of PAUSES_MS) {
      clock.moment += pause;
      await webhooks.deliverer.deliverDue();
    }
  }

  const first = quarterOf(story.start);
  await transaction(() => live(first));
  const { evaluator } = await transaction(() =>
    openMonitor({
      ...{ rules, tenants, events: { ...events, answer, flusher } },
      ...{ alerts, outbox, database, clock, faults, log, uptime, store, history },
    }),
  );
  const moments = cycleMoments(story);
  for (let done = 0; done < moments.length; done += AT_ONCE) {
    const portion = moments.slice(done, done + AT_ONCE);
    await foresee(portion.map(quarterOf));
    await transaction(async () => {
      for (const moment of portion) {
        await live(moment);
        await evaluator.runDue();
        await deliver();
      }
      await write();
    });
    progress((done + portion.length) / moments.length);
  }
  await transaction(async () => {
    await live(story.now);
    await evaluator.prune(story.now);
    await webhooks.deliverer.close();
  });
}

/** A moment after each quarter; what falls into a gap is made up for at its end. */
function cycleMoments({ start, now, gaps }: Story): number[] {
  const moments: number[] = [];
  for (let at = quarterOf(start); at + SETTLED_MS <= now; at += QUARTER) {
    const moment = at + SETTLED_MS + (at % 7) * 11;
    const gap = gaps.find((one) => isIn(one, moment));
    moments.push(gap ? gap.to + 2_000 : moment);
  }
  return [...new Set(moments)];
}

/** Thousands of commits take long; so many of them become one. */
function inLongTransactions(real: Database) {
  let current: Sql | undefined;
  function now<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    if (current === undefined) throw new Error('There is no transaction to be within');
    return work(current);
  }
  const database: Database = {
    ...{ ...real, write: now, read: now },
    checkpoint: () => Promise.resolve(false),
  };
  const transaction = <T>(work: () => Promise<T>): Promise<T> =>
    real.write(async (sql) => {
      current = sql;
      return work();
    });
  return { database, transaction };
}
