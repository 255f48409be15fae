import { createAlertListeners } from '../alerts/listeners.ts';
import type { AlertListeners } from '../alerts/listeners.ts';
import type { Events } from '../events/events.ts';
import type { Database } from '../platform/database.ts';
import type { Clock } from '../platform/clock.ts';
import type { Faults } from '../platform/faults.ts';
import type { Logger } from '../platform/log.ts';
import { createLocalTime } from '../rules/local-time.ts';
import { createPreview } from '../rules/preview.ts';
import type { RuleStore } from '../rules/store.ts';
import type { TenantStore } from '../tenants/store.ts';
import type { Outbox } from '../webhooks/outbox.ts';
import { createCollector } from './collector.ts';
import type { CycleParts } from './cycle.ts';
import { createEvaluator } from './evaluator.ts';
import { createHistory } from './history.ts';
import { createHistoryStore } from './history-store.ts';
import type { HistoryStore } from './history-store.ts';
import { openStates } from './states.ts';
import { createEvaluatorStore } from './store.ts';
import type { EvaluatorStore } from './store.ts';
import { openUptime } from './uptime.ts';
import type { Uptime } from './uptime.ts';

export interface MonitorOptions {
  rules: RuleStore;
  tenants: TenantStore;
  events: Pick<Events, 'answer' | 'flusher' | 'listens' | 'rollups'>;
  alerts: CycleParts['alerts'];
  outbox: Outbox;
  /** Who else hears of the alerts that a cycle makes. */
  listeners?: AlertListeners;
  database: Database;
  clock: Clock;
  faults: Faults;
  log: Logger;
  /** Whose wall clock "the same time last week" goes by. */
  zone?: string;
  /** For a past that is played and not waited for: when it listened, and where it is written. */
  uptime?: Uptime;
  store?: EvaluatorStore;
  history?: HistoryStore;
}

/** What watches the events: the cycles, the uptime they need, and what a draft would have done. */
export async function openMonitor(options: MonitorOptions) {
  const { rules, tenants, events, alerts, outbox, database, clock, faults, log } = options;
  const { zone = Intl.DateTimeFormat().resolvedOptions().timeZone } = options;
  const { answer, flusher, listens } = events;
  const localTime = createLocalTime(zone);
  const { store = createEvaluatorStore(database), history = createHistoryStore(database) } =
    options;
  const { listeners = createAlertListeners(log) } = options;
  const uptime = options.uptime ?? (await openUptime({ store, clock, listens, log }));
  const states = await openStates({ store, rules });
  const keptDays = (tenantId: string) => {
    const tenant = tenants.find(tenantId);
    return { events: tenant?.retention_days ?? 0, counts: tenant?.rollup_retention_days ?? 0 };
  };
  const evaluator = await createEvaluator({
    ...{ rules, states, answer, uptime, localTime, keptDays, store, alerts, outbox },
    tenantIds: () => tenants.list().map(({ id }) => id),
    ...{ history, listeners, database, flusher, clock, faults, log },
  });
  const preview = createPreview({
    ...{ answer, localTime, flusher, listening: uptime.listening },
    keptDays,
  });
  return {
    ...{ evaluator, preview, states, store },
    history: createHistory({ store: history, rules }),
    collector: createCollector({ uptime, events }),
    ...{ listening: uptime.listening, localTime },
  };
}

export type Monitor = Awaited<ReturnType<typeof openMonitor>>;
