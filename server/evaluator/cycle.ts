import { randomUUID } from 'node:crypto';
import type { AlertListeners, AlertNews } from '../alerts/listeners.ts';
import type { Alert } from '../alerts/schema.ts';
import type { NewAlert } from '../alerts/store.ts';
import type { AnswerQuestions } from '../events/questions.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Faults } from '../platform/faults.ts';
import type { Logger } from '../platform/log.ts';
import { inTurns } from '../platform/turns.ts';
import type { Sql } from '../platform/sql.ts';
import { verdictsOn } from '../rules/evaluate.ts';
import type { LocalTime } from '../rules/local-time.ts';
import type { KeptDays } from '../rules/moment.ts';
import type { Judgement, RuleState } from '../rules/schema.ts';
import { beginsAlerts, nextState, raisesAlert } from '../rules/state.ts';
import type { Rule, RuleStore } from '../rules/store.ts';
import { verdictOf } from '../rules/verdict.ts';
import type { AlertMessage, Outbox, WantedBy } from '../webhooks/outbox.ts';
import type { Evaluation, Trigger } from './schema.ts';
import type { States } from './states.ts';
import type { HistoryStore } from './history-store.ts';
import type { EvaluationRow, EvaluatorStore } from './store.ts';
import type { Uptime } from './uptime.ts';

const DAY = 86_400_000;

export interface CycleParts {
  rules: RuleStore;
  states: States;
  answer: AnswerQuestions;
  uptime: Pick<Uptime, 'tick' | 'listening'>;
  localTime: LocalTime;
  keptDays: KeptDays;
  /** All of them, also those without a rule. */
  tenantIds: () => string[];
  store: EvaluatorStore;
  history: Pick<HistoryStore, 'add'>;
  /** After the fact, those in this process who want to hear of new alerts. */
  listeners: Pick<AlertListeners, 'made'>;
  alerts: { insert(sql: Sql, alerts: readonly NewAlert[]): Promise<void> };
  outbox: Outbox;
  database: Database;
  flusher: { flush(): Promise<void> };
  clock: Clock;
  faults: Faults;
  log: Logger;
}

export interface CycleInput {
  /** All windows end here. */
  at: number;
  trigger: Trigger;
  /** Only the rules of this tenant; of all when not given. */
  tenantId?: string;
}

interface Outcome {
  rule: Rule;
  state: RuleState;
  alert: (NewAlert & AlertNews) | undefined;
}

/**
 * One pass over all active rules: ask everything at once, judge each rule by itself, and write
 * down what came of it in one transaction, so that a crash leaves all of it or nothing.
 */
export function createCycle(parts: CycleParts) {
  const { rules, states, answer, uptime, localTime, store, alerts, outbox, database } = parts;
  const { history, listeners, keptDays, tenantIds, flusher, clock, faults, log } = parts;
  const noted = (error: unknown) => log.error({ err: error }, 'A checkpoint failed');

  return async function runCycle({ at, trigger, tenantId }: CycleInput): Promise<Evaluation[]> {
    const startedAt = clock.now();
    const begun = performance.now();
    await flusher.flush();
    await uptime.tick();
    const listening = uptime.listening(at);
    const subjects = rules
      .active()
      .filter((rule) => tenantId === undefined || rule.tenant_id === tenantId)
      .map((rule) => {
        const since = states.get(rule)?.evaluatedAt;
        const { events, counts } = keptDays(rule.tenant_id);
        const kept = { keptSince: at - events * DAY, countedSince: at - counts * DAY };
        return { rule, moment: { at, since, ...kept, listening, localTime } };
      });
    const verdicts = await verdictsOn(subjects, answer);
    faults('cycle-judged');

    const concludedAll = await inTurns(subjects, ({ rule }, i) =>
      concluded(rule, verdicts[i] as Judgement, at, startedAt),
    );
    // A rule that was changed, paused or deleted meanwhile is not what was judged.
    const isPresent = rules.present();
    const outcomes = concludedAll.filter(({ rule }) => isPresent(rule));
    // Also where there was nothing to judge: that it looked is to be seen.
    const tenants = tenantId === undefined ? tenantIds() : [tenantId];
    const durationMs = Math.round(performance.now() - begun);
    const evaluations = tenants.map((tenant): EvaluationRow => {
      const own = outcomes.filter(({ rule }) => rule.tenant_id === tenant);
      return { tenantId: tenant, evaluation: summary(own, { at, trigger, startedAt, durationMs }) };
    });
    await save(outcomes, evaluations, startedAt);
    return evaluations.map(({ evaluation }) => evaluation);
  };

  function concluded(rule: Rule, judgement: Judgement, at: number, now: number): Outcome {
    const state = nextState(states.get(rule), verdictOf(judgement), {
      of: rule.revised_at,
      evaluatedAt: at,
    });
    if (!raisesAlert(state, rule.config)) return { rule, state, alert: undefined };
    const { severity } = rule.config;
    const webhook = outbox.wants(rule.tenant_id, severity);
    const pushed = webhook !== undefined && isDue(state, at, webhook);
    if (pushed) state.pushed = { at, to: webhook.id };
    const alert = alertOf(rule, judgement, now);
    const begins = beginsAlerts(state, rule.config);
    return { rule, state, alert: { tenantId: rule.tenant_id, alert, pushed, begins } };
  }

  async function save(
    outcomes: readonly Outcome[],
    evaluations: readonly EvaluationRow[],
    now: number,
  ): Promise<void> {
    const made = outcomes.flatMap(({ alert }) => alert ?? []);
    const messages = made
      .filter(({ pushed }) => pushed)
      .map(({ tenantId, alert }): AlertMessage => ({ tenantId, type: 'alert.created', alert }));
    const rows = outcomes.map(({ rule, state }) => ({
      tenantId: rule.tenant_id,
      ruleId: rule.id,
      state,
    }));
    const found = outcomes.map(({ rule, state: { evaluatedAt, verdict }, alert }) => ({
      ...{ tenantId: rule.tenant_id, ruleId: rule.id, at: evaluatedAt, verdict },
      alert: alert !== undefined,
    }));
    const gone = states.gone();
    await database.write(async (sql) => {
      await alerts.insert(sql, made);
      await outbox.add(sql, messages, now);
      await store.saveStates(sql, rows, gone);
      await store.addEvaluations(sql, evaluations);
      await history.add(sql, found);
    });
    faults('cycle-committed');
    states.remember(rows, gone);
    if (messages.length > 0) outbox.wake();
    listeners.made(made.map(({ tenantId, alert, begins }) => ({ tenantId, alert, begins })));
    // A fault of the database may cost what no checkpoint holds, and alerts are in no journal.
    if (made.length > 0) void database.checkpoint().catch(noted);
  }
}

function isDue({ pushed }: RuleState, at: number, webhook: WantedBy): boolean {
  if (pushed?.to !== webhook.id) return true;
  // A clock that was ahead must not silence it until it is there again.
  return pushed.at > at || at - pushed.at >= webhook.repeatAfterMinutes * 60_000;
}

/** It keeps a copy of what the rule was, since the rule may go. */
function alertOf(rule: Rule, judgement: Judgement, now: number): Alert {
  const { config } = rule;
  return {
    id: randomUUID(),
    rule_id: rule.id,
    severity: config.severity,
    message: judgement.message ?? '',
    is_resolved: false,
    is_acknowledged: false,
    created_at: new Date(now).toISOString(),
    rule_name: rule.name,
    rule_type: rule.rule_type,
    event_type: config.event_type,
    source: 'source' in config ? (config.source ?? null) : null,
    tags: [...rule.tags],
    category: rule.category,
    value: judgement.value,
    missing_fields: [...(judgement.lacking?.fields ?? [])],
    window_minutes: judgement.lacking?.minutes ?? windowOf(config),
    acknowledged_at: null,
    acknowledge_note: null,
    resolved_at: null,
    resolve_note: null,
  };
}

function windowOf(config: Rule['config']): number | null {
  if ('window_minutes' in config) return config.window_minutes;
  return 'current_window_minutes' in config ? config.current_window_minutes : null;
}

function summary(
  outcomes: readonly Outcome[],
  run: { at: number; trigger: Trigger; startedAt: number; durationMs: number },
): Evaluation {
  const skipped = outcomes.filter(({ state }) => state.verdict.state === 'skipped');
  return {
    id: randomUUID(),
    trigger: run.trigger,
    evaluated_at: new Date(run.at).toISOString(),
    started_at: new Date(run.startedAt).toISOString(),
    duration_ms: run.durationMs,
    rules: outcomes.length - skipped.length,
    fired: outcomes.filter(({ state }) => state.verdict.state === 'fires').length,
    alerts: outcomes.filter(({ alert }) => alert !== undefined).length,
    skipped: skipped.map(({ rule, state }) => ({
      rule_id: rule.id,
      rule_name: rule.name,
      reason: state.verdict.message ?? '',
    })),
  };
}
