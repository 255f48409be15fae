import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrations } from '../../server/appliance.ts';
import { createHistoryStore } from '../../server/evaluator/history-store.ts';
import type { RuleHistory, RuleStates } from '../../server/evaluator/schema.ts';
import { openDatabase } from '../../server/platform/database.ts';
import { noFaults as faults } from '../../server/platform/faults.ts';
import { silentLog as log } from '../../server/platform/log.ts';
import { MINUTE, monitoredTenant, QUARTER, START } from '../helpers/monitored.ts';
import type { Watched } from '../helpers/monitored.ts';
import { freshTenant } from '../helpers/tenant.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const DAY = 24 * 60 * MINUTE;
const TOO_MANY = {
  event_type: 'error',
  operator: '>',
  value: 2,
  window_minutes: 15,
  severity: 'critical',
};

const at = (moment: number) => new Date(moment).toISOString();
const history = async (vedette: Watched, query = '') =>
  (await vedette.call('GET', `/rules/history${query}`)).json<RuleHistory[]>();

describe('GET /api/v1/rules/history', () => {
  it('has what each cycle found about a rule, oldest first', async () => {
    await using vedette = await monitoredTenant();
    const { id } = await vedette.rule('threshold', { ...TOO_MANY, consecutive: 2 });
    await vedette.nextQuarter();
    for (let i = 0; i < 2; i++) {
      await vedette.send('error', 3 + i);
      await vedette.nextQuarter();
    }
    const quiet = { state: 'quiet', expected: null, alert: false };
    expect(await history(vedette)).toEqual([
      {
        rule_id: id,
        points: [
          { timestamp: at(vedette.start + QUARTER), ...quiet, value: 0 },
          { timestamp: at(vedette.start + 2 * QUARTER), ...quiet, state: 'fires', value: 3 },
          {
            timestamp: at(vedette.start + 3 * QUARTER),
            ...quiet,
            state: 'fires',
            value: 4,
            alert: true,
          },
        ],
      },
    ]);
  });

  it('has what was expected, what was skipped, and cycles that were asked for', async () => {
    await using vedette = await monitoredTenant();
    await vedette.rule('volume', {
      ...{ event_type: 'view', threshold_percent: 50, severity: 'info', min_baseline_events: 4 },
      ...{ current_window_minutes: 15, comparison_window_hours: 0.25 },
    });
    await vedette.pass(MINUTE);
    await vedette.send('view', 3);
    await vedette.evaluate();
    await vedette.nextQuarter();
    const [found] = await history(vedette);
    expect(found?.points).toMatchObject([
      { timestamp: at(vedette.start + MINUTE + 1), state: 'skipped', value: 3, expected: null },
      { timestamp: at(vedette.start + QUARTER), state: 'skipped' },
    ]);
  });

  it('of one rule is of no other, and of a rule that is gone or unknown empty', async () => {
    await using vedette = await monitoredTenant();
    const kept = await vedette.rule('threshold', TOO_MANY);
    const gone = await vedette.rule('threshold', TOO_MANY);
    await vedette.evaluate();
    const ids = async (query = '') =>
      (await history(vedette, query)).map(({ rule_id: one }) => one).sort();
    expect(await ids()).toEqual([kept.id, gone.id].sort());
    expect(await ids(`?rule_id=${kept.id.toUpperCase()}`)).toEqual([kept.id]);
    await vedette.call('DELETE', `/rules/${gone.id}`);
    expect(await ids()).toEqual([kept.id]);
    expect(await ids(`?rule_id=${gone.id}`)).toEqual([]);
    expect(await ids(`?rule_id=${randomUUID()}`)).toEqual([]);
  });

  it('goes back a day unless told otherwise', async () => {
    await using vedette = await monitoredTenant();
    await vedette.rule('threshold', TOO_MANY);
    await vedette.nextQuarter();
    vedette.clock.time = vedette.start + QUARTER + DAY;
    await vedette.evaluate();
    const times = async (query: string) =>
      (await history(vedette, query)).flatMap(({ points }) => points.length);
    const [rule] = await history(vedette);
    expect(await times('')).toEqual([2]);
    expect(await times('?hours=1')).toEqual([1]);
    vedette.clock.time += 1;
    expect(await times('')).toEqual([1]);
    expect(await times(`?hours=168&rule_id=${rule?.rule_id}`)).toEqual([2]);
  });

  it('is of the own tenant only', async () => {
    await using vedette = await monitoredTenant();
    const { id } = await vedette.rule('threshold', TOO_MANY);
    await vedette.evaluate();
    const stranger = { 'x-api-key': (await freshTenant(vedette)).key };
    const theirs = await vedette.get(`/rules/history?rule_id=${id}`, stranger);
    expect(theirs.json()).toEqual([]);
  });

  it('of all rules is of a day at most, and says so', async () => {
    const { get } = await freshTenant();
    const answer = await get('/rules/history?hours=25');
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('must be at most 24, or name one rule in rule_id');
    const one = await get(`/rules/history?hours=25&rule_id=${randomUUID()}`);
    expect(one.statusCode).toBe(200);
  });

  it('refuses what is no range and no rule', async () => {
    const { get } = await freshTenant();
    for (const query of ['hours=0', 'hours=169', 'hours=1.5', 'rule_id=x', 'days=1']) {
      expect((await get(`/rules/history?${query}`)).statusCode, query).toBe(400);
    }
  });
});

describe('GET /api/v1/rules/history/states', () => {
  it('has a letter for each quarter of an hour, the gravest where there were several', async () => {
    await using vedette = await monitoredTenant();
    const { id } = await vedette.rule('threshold', TOO_MANY);
    await vedette.rule('threshold', { ...TOO_MANY, event_type: 'x' }, { is_active: false });
    await vedette.nextQuarter();
    await vedette.send('error', 3);
    await vedette.nextQuarter();
    await vedette.nextQuarter();
    const states = async () =>
      (await vedette.call('GET', '/rules/history/states?hours=1')).json<RuleStates>();
    expect(await states()).toEqual({
      from: at(vedette.start),
      rules: [{ rule_id: id, states: '-qfq' }],
    });
    await vedette.send('error', 3);
    await vedette.evaluate();
    expect((await states()).rules).toEqual([{ rule_id: id, states: '-qff' }]);
    vedette.clock.time += QUARTER;
    expect((await states()).rules).toEqual([{ rule_id: id, states: 'qff-' }]);
  });

  it('is of the own tenant only, and refuses more than a day', async () => {
    await using vedette = await monitoredTenant();
    await vedette.rule('threshold', TOO_MANY);
    await vedette.evaluate();
    const stranger = { 'x-api-key': (await freshTenant(vedette)).key };
    const theirs = await vedette.get('/rules/history/states', stranger);
    expect(theirs.json()).toMatchObject({ rules: [] });
    expect((await vedette.call('GET', '/rules/history/states?hours=25')).statusCode).toBe(400);
  });
});

describe('the store of what cycles found', () => {
  async function openStore() {
    const clock = { now: () => START };
    const database = await openDatabase({ dir: tempDir(), migrations, clock, faults, log });
    onTestFinished(() => database.close());
    const store = createHistoryStore(database);
    const add = (at: number, ruleIds: readonly string[]) =>
      database.write((sql) =>
        store.add(
          sql,
          ruleIds.map((ruleId) => ({
            ...{ tenantId: 'tenant', ruleId, at, alert: false },
            verdict: { state: 'quiet', value: 1e300, expected: 0.1, message: null },
          })),
        ),
      );
    const times = async (ruleId: string) => {
      const text = await store.of('tenant', [ruleId], { from: 0, to: START + DAY });
      const [found] = JSON.parse(text) as RuleHistory[];
      return found?.points.map(({ timestamp }) => Date.parse(timestamp)) ?? [];
    };
    return { store, add, times };
  }

  it('keeps it for 30 days', async () => {
    const { add, times, store } = await openStore();
    const rule = randomUUID();
    for (const days of [31, 30, 1]) await add(START - days * DAY, [rule]);
    await store.forget(START);
    expect(await times(rule)).toEqual([START - 30 * DAY, START - DAY]);
  });

  it('takes a cycle of a thousand rules, and keeps numbers as they were', async () => {
    const { add, store } = await openStore();
    const ids = Array.from({ length: 1000 }, () => randomUUID());
    await add(START, ids);
    const all = JSON.parse(
      await store.of('tenant', ids, { from: 0, to: START + 1 }),
    ) as RuleHistory[];
    expect(all.map(({ rule_id: id }) => id).sort()).toEqual([...ids].sort());
    expect(all[0]?.points).toEqual([
      { timestamp: at(START), state: 'quiet', value: 1e300, expected: 0.1, alert: false },
    ]);
  });
});
