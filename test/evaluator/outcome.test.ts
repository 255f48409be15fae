import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAlertStore } from '../../server/alerts/store.ts';
import { migrations } from '../../server/appliance.ts';
import { createCycle } from '../../server/evaluator/cycle.ts';
import type { CycleParts } from '../../server/evaluator/cycle.ts';
import { createHistoryStore } from '../../server/evaluator/history-store.ts';
import { openStates } from '../../server/evaluator/states.ts';
import { createEvaluatorStore } from '../../server/evaluator/store.ts';
import type { AnswerQuestions } from '../../server/events/questions.ts';
import { openDatabase } from '../../server/platform/database.ts';
import { noFaults as faults } from '../../server/platform/faults.ts';
import { silentLog as log } from '../../server/platform/log.ts';
import { createLocalTime } from '../../server/rules/local-time.ts';
import { storedRule } from '../../server/rules/schema.ts';
import type { Rule, RuleStore } from '../../server/rules/store.ts';
import type { AlertMessage } from '../../server/webhooks/outbox.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const NOW = Date.parse('2026-03-02T10:00:00Z');
const TENANT = randomUUID();

function threshold(event_type: string, more: object = {}): Rule {
  const time = new Date(NOW).toISOString();
  return storedRule.parse({
    ...{ id: randomUUID(), tenant_id: TENANT, name: `On ${event_type}`, rule_type: 'threshold' },
    config: { event_type, operator: '>', value: 1, window_minutes: 15, severity: 'info', ...more },
    ...{ is_active: true, tags: [], category: null },
    ...{ created_at: time, updated_at: time, revised_at: time },
  });
}

/** A cycle over a real database, with rules and answers that the test makes up. */
async function cycleOver(
  rules: Rule[],
  answer: AnswerQuestions,
  add: (messages: readonly AlertMessage[]) => void = () => undefined,
) {
  const clock = { now: () => NOW };
  const migrated = { dir: tempDir(), migrations, clock, faults, log };
  const database = await openDatabase(migrated);
  onTestFinished(() => database.close());
  const store = createEvaluatorStore(database);
  const history = createHistoryStore(database);
  const alerts = createAlertStore(database);
  const all = { now: rules };
  const fake = {
    active: () => all.now,
    all: () => all.now,
    present: () => (rule: Rule) => all.now.includes(rule),
  } as unknown as RuleStore;
  const states = await openStates({ store, rules: fake });
  const listening = [{ from: 0, to: NOW }];
  const parts: CycleParts = {
    ...{ rules: fake, states, answer, store, history, alerts, database, clock, faults, log },
    uptime: {
      tick: async () => undefined,
      listening: () => listening,
    },
    listeners: { made: () => undefined },
    localTime: createLocalTime('UTC'),
    keptDays: () => ({ events: 90, counts: 400 }),
    tenantIds: () => [TENANT],
    flusher: { flush: async () => undefined },
    outbox: {
      wants: () => ({ id: 'a webhook', repeatAfterMinutes: 0 }),
      add: async (_sql, messages) => add(messages),
      wake: () => undefined,
    },
  };
  const run = createCycle(parts);
  return {
    all,
    states,
    run: () => run({ at: NOW, trigger: 'schedule' }),
    alerts: () => alerts.list(TENANT, { skip: 0, limit: 100 }),
    evaluations: () => store.list(TENANT, { skip: 0, limit: 100 }),
  };
}

const always =
  (count: number): AnswerQuestions =>
  async (questions) =>
    questions.map(() => count);

describe('what a cycle leaves', () => {
  it('is all of it or nothing, and the next one does what was left undone', async () => {
    const rule = threshold('error', { consecutive: 2 });
    let full = false;
    const cycle = await cycleOver([rule], always(5), () => {
      if (full) throw new Error('It cannot be queued');
    });
    await cycle.run();
    full = true;
    await expect(cycle.run()).rejects.toThrow('It cannot be queued');
    expect(await cycle.alerts()).toEqual([]);
    expect(await cycle.evaluations()).toHaveLength(1);
    expect(cycle.states.get(rule)?.streak).toBe(1);

    full = false;
    await cycle.run();
    expect(await cycle.alerts()).toHaveLength(1);
    expect(cycle.states.get(rule)?.streak).toBe(2);
  });

  it('is nothing about a rule that was deleted or paused while it was judged', async () => {
    const [kept, gone] = [threshold('kept'), threshold('gone')];
    const cycle = await cycleOver([kept, gone], async (questions) => {
      cycle.all.now = [kept];
      return questions.map(() => 5);
    });
    expect(await cycle.run()).toMatchObject([{ rules: 1, alerts: 1 }]);
    expect(await cycle.alerts()).toMatchObject([{ rule_id: kept.id }]);
  });

  it('queues a message for each alert, with the alert as it is listed', async () => {
    const queued: AlertMessage[] = [];
    const cycle = await cycleOver([threshold('a'), threshold('b')], always(5), (messages) => {
      queued.push(...messages);
    });
    await cycle.run();
    const alerts = await cycle.alerts();
    expect(queued.map(({ type, tenantId }) => [type, tenantId])).toEqual([
      ['alert.created', TENANT],
      ['alert.created', TENANT],
    ]);
    const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
    expect(queued.map(({ alert }) => alert).sort(byId)).toEqual([...alerts].sort(byId));
  });

  it('forgets what it knew of rules that were deleted', async () => {
    const rule = threshold('error');
    const cycle = await cycleOver([rule], always(0));
    await cycle.run();
    cycle.all.now = [];
    expect(cycle.states.gone()).toEqual([rule.id]);
    await cycle.run();
    expect(cycle.states.gone()).toEqual([]);
  });
});

describe('a rule that cannot be judged', () => {
  it('is skipped with its reason, and all others are judged', async () => {
    const broken = threshold('broken');
    Object.assign(broken.config, { operator: '!!' });
    const cycle = await cycleOver([threshold('a'), broken, threshold('b')], always(5));
    const reason = 'could not be judged: The operator !! is not known';
    expect(await cycle.run()).toMatchObject([
      { rules: 2, fired: 2, alerts: 2, skipped: [{ rule_id: broken.id, reason }] },
    ]);
  });

  it('is so when its measure makes no question', async () => {
    const broken = threshold('broken');
    Object.assign(broken.config, { field: 'median:value' });
    const cycle = await cycleOver([broken, threshold('a')], always(5));
    const [evaluation] = await cycle.run();
    expect(evaluation).toMatchObject({ rules: 1, fired: 1 });
    expect(evaluation?.skipped[0]?.reason).toContain('median:value is not known');
  });

  it('is so when the query for it failed', async () => {
    const cycle = await cycleOver([threshold('a'), threshold('b')], async (questions) =>
      questions.map(({ event_type: type }) => (type === 'a' ? new Error('Out of memory') : 5)),
    );
    const reason = 'could not be judged: Out of memory';
    expect(await cycle.run()).toMatchObject([{ rules: 1, alerts: 1, skipped: [{ reason }] }]);
  });
});
