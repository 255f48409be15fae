import { createAlerts } from '../../../server/alerts/alerts.ts';
import type { Alert } from '../../../server/alerts/schema.ts';
import { alertTables } from '../../../server/alerts/tables.ts';
import { openMonitor } from '../../../server/evaluator/monitor.ts';
import { createEvaluatorStore } from '../../../server/evaluator/store.ts';
import { evaluatorTables } from '../../../server/evaluator/tables.ts';
import { openEvents } from '../../../server/events/events.ts';
import { sealed } from '../../../server/events/intake.ts';
import { eventTables } from '../../../server/events/tables.ts';
import type { Clock } from '../../../server/platform/clock.ts';
import { openDatabase } from '../../../server/platform/database.ts';
import { noFaults as faults } from '../../../server/platform/faults.ts';
import { silentLog as log } from '../../../server/platform/log.ts';
import { openSettingsFile } from '../../../server/platform/settings-file.ts';
import { previewDraft } from '../../../server/rules/schema.ts';
import type { Verdict } from '../../../server/rules/schema.ts';
import { createRuleStore } from '../../../server/rules/store.ts';
import { initialSettings, settingsFileSchema } from '../../../server/settings/file-schema.ts';
import { newTenant } from '../../../server/tenants/schema.ts';
import { createTenantStore, tenantRecord } from '../../../server/tenants/store.ts';
import type { Outbox } from '../../../server/webhooks/outbox.ts';
import { QUARTER, ZONE } from './calendar.ts';
import { RULES } from './rules.ts';
import type { ShopEvent } from './traffic.ts';

/** As the webhook of a tenant is at first; notes about little things go to nobody. */
const REPEAT_AFTER_MINUTES = 240;
const PUSHED_SEVERITIES: readonly string[] = ['critical', 'warning'];

const ALL = { skip: 0, limit: 1_000_000 };

/** An alert as the cycle that made it: all its windows end at that quarter. */
export interface Raised {
  rule: string;
  at: number;
  message: string;
}

/** One cycle of the past in the backtest of a rule. */
export interface Point extends Raised {
  state: Verdict['state'];
  alert: boolean;
}

/** The parts from intake to alerts as the appliance puts them together, over one directory. */
export async function openShop(dir: string, clock: Clock) {
  const migrations = [...eventTables, ...alertTables, ...evaluatorTables];
  const database = await openDatabase({ dir, migrations, clock, faults, log });
  const file = await openSettingsFile({
    ...{ dir, schema: settingsFileSchema, initial: initialSettings, log, clock },
  });
  const tenants = createTenantStore({ file });
  const rules = createRuleStore({ file });
  const events = await openEvents({ dataDir: dir, database, clock, faults, log });
  const pushes: Raised[] = [];
  const outbox: Outbox = {
    wants: (_tenant, severity) =>
      PUSHED_SEVERITIES.includes(severity)
        ? { id: 'a webhook', repeatAfterMinutes: REPEAT_AFTER_MINUTES }
        : undefined,
    async add(_sql, messages) {
      pushes.push(...messages.map(({ alert }) => raised(alert)));
    },
    wake: () => undefined,
  };
  const alerts = createAlerts({ database, outbox });
  const monitor = await openMonitor({
    ...{ rules, tenants, events, alerts: alerts.store, outbox },
    ...{ database, clock, faults, log, zone: ZONE },
  });
  if (tenants.list().length === 0) {
    const tenant = tenantRecord(newTenant.parse({ name: 'Shop' }), clock.now());
    await file.update((draft) => draft.tenants.push(tenant));
  }
  const tenantId = tenants.list()[0]?.id ?? '';

  return {
    ...{ tick: monitor.evaluator.tick, flush: events.flusher.flush, pushes },

    /** By pixel what the tag manager sends, by POST what the server does. */
    send(sent: readonly ShopEvent[]): Promise<unknown> {
      const [pixels, posts] = ['gtm', 'backend'].map((source) =>
        sent.filter((event) => event.source === source),
      ) as [ShopEvent[], ShopEvent[]];
      const payload = {
        source: 'gtm',
        events: pixels.map(({ event_type: type, data }) => ({ type, data })),
      };
      return Promise.all([
        events.intake.pixel(tenantId, sealed(JSON.stringify(payload))),
        events.intake.batch(tenantId, sealed(JSON.stringify(posts))),
      ]);
    },

    async setUpRules(): Promise<void> {
      for (const rule of RULES) await rules.create(tenantId, rule, clock.now());
    },

    /** The time before the rules, of which no tick was played. */
    listened: (from: number, to: number) => createEvaluatorStore(database).keepSpan({ from, to }),

    /** Everything that was found, oldest first. */
    async raised(): Promise<Raised[]> {
      const made = await alerts.store.list(tenantId, { ...ALL, status: 'all' });
      return made.reverse().map(raised);
    },

    evaluations: () => monitor.store.list(tenantId, ALL),

    /** What the rules would have found in the days up to now, as the program backtests. */
    async backtest(days: number): Promise<Point[]> {
      const found: Point[] = [];
      for (const { name: rule, rule_type, config } of RULES) {
        const draft = previewDraft.parse({ rule_type, config, days });
        const { points } = await monitor.preview(tenantId, draft, clock.now());
        for (const { timestamp, state, alert, message } of points) {
          found.push({ rule, at: Date.parse(timestamp), message: message ?? '', state, alert });
        }
      }
      return found;
    },

    async close(): Promise<void> {
      await monitor.evaluator.close();
      await events.close();
      await database.close();
    },
  };
}

function raised({ rule_name: rule, created_at: time, message }: Alert): Raised {
  return { rule, at: Math.floor(Date.parse(time) / QUARTER) * QUARTER, message };
}
