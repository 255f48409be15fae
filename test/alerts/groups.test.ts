import { describe, expect, it } from 'vitest';
import type { Alert, AlertGroup } from '../../server/alerts/schema.ts';
import { acknowledged, ALERTS, alertsApp, at, resolved, uuid } from '../helpers/alerts.ts';
import { START } from '../helpers/identity-parts.ts';

const MINUTE = 60_000;

const filled = (group: AlertGroup | undefined) =>
  group?.sparkline
    .filter(({ count }) => count > 0)
    .map(({ timestamp, count }) => [timestamp, count]);

describe('GET /api/v1/alerts/grouped', () => {
  it('has a group for each rule, named as its latest alert, the last to fire first', async () => {
    const { given, get } = await alertsApp();
    const old = { rule_id: uuid(1), created_at: at(START - 50 * MINUTE) };
    const [, , latest] = await given(
      { ...old, rule_name: 'Old name', tags: ['old'], severity: 'info' },
      { rule_id: uuid(2), created_at: at(START - 20 * MINUTE) },
      {
        ...{ rule_id: uuid(1), rule_name: 'New name', tags: ['new'], severity: 'critical' },
        ...{ source: 'shop', category: 'revenue', created_at: at(START - MINUTE) },
      },
    );
    const groups = await get<AlertGroup[]>('/grouped');
    expect(groups.map(({ rule_id }) => rule_id)).toEqual([uuid(1), uuid(2)]);
    const { sparkline, ...group } = groups[0] as AlertGroup;
    expect(group).toEqual({
      rule_id: uuid(1),
      rule_name: 'New name',
      rule_type: 'threshold',
      severity: 'critical',
      source: 'shop',
      tags: ['new'],
      category: 'revenue',
      status: 'open',
      count: 2,
      first_seen: at(START - 50 * MINUTE),
      last_seen: at(START - MINUTE),
      latest,
    });
    expect(sparkline).toHaveLength(96);
  });

  it('takes the higher id for the latest of one moment', async () => {
    const { given, get } = await alertsApp();
    const [, second] = await given({}, {});
    expect((await get<AlertGroup[]>('/grouped'))[0]?.latest).toEqual(second);
  });

  it.each<[string, Partial<Alert>[], string, string]>([
    ['', [resolved, {}, acknowledged], 'open', 'one that is open'],
    ['', [resolved, acknowledged], 'acknowledged', 'one that is not resolved'],
    ['', [resolved, { ...acknowledged, ...resolved }], 'resolved', 'none left'],
    ['?status=resolved', [resolved, {}, acknowledged], 'resolved', 'only those in the filter'],
    ['?status=acknowledged', [resolved, {}, acknowledged], 'acknowledged', 'the filter again'],
  ])('%s has the status of the most pressing: %s', async (query, alerts, status) => {
    const { given, get } = await alertsApp();
    await given(...alerts);
    expect(await get<AlertGroup[]>(`/grouped${query}`)).toMatchObject([{ status }]);
  });

  it('has as many groups as are asked for, the last to fire first', async () => {
    const { given, get } = await alertsApp();
    await given(...[1, 2, 3].map((n) => ({ rule_id: uuid(n), created_at: at(START - 9 + n) })));
    const groups = await get<AlertGroup[]>('/grouped?limit=2');
    expect(groups.map(({ rule_id }) => rule_id)).toEqual([3, 2].map(uuid));
    expect(await get('/grouped?limit=1000')).toHaveLength(3);
  });

  it('counts in count, latest and sparkline what the filter lets through, and no more', async () => {
    const { given, get } = await alertsApp();
    const [first] = await given(
      { severity: 'critical', created_at: at(START - 30 * MINUTE) },
      { severity: 'info', created_at: at(START - 30 * MINUTE) },
      { severity: 'info' },
    );
    const [group] = await get<AlertGroup[]>('/grouped?severity=critical');
    expect(group).toMatchObject({ count: 1, latest: first, last_seen: first?.created_at });
    expect(filled(group)).toEqual([[at(START - 30 * MINUTE), 1]]);
  });

  it('draws alerts of the time range only, and still counts the others', async () => {
    const { given, get } = await alertsApp();
    await given(
      {},
      { created_at: at(START - 1) },
      { created_at: at(START - 59 * MINUTE) },
      { created_at: at(START - 59 * MINUTE - 1) },
    );
    const [group] = await get<AlertGroup[]>('/grouped?time_range=1h');
    expect(group?.count).toBe(4);
    expect(group?.sparkline).toHaveLength(60);
    expect(filled(group)).toEqual([
      [at(START - 59 * MINUTE), 1],
      [at(START - MINUTE), 1],
      [at(START), 1],
    ]);
  });

  it('draws a line of nothing for a rule that fired long ago', async () => {
    const { given, get } = await alertsApp();
    await given({ created_at: at(START - 100 * 24 * 60 * MINUTE) });
    const [group] = await get<AlertGroup[]>('/grouped?time_range=7d');
    expect(group?.sparkline).toHaveLength(168);
    expect(filled(group)).toEqual([]);
  });

  it.each(['limit=0', 'limit=1001', 'time_range=2h', 'resolved=true', 'skip=1', 'status=x'])(
    'refuses %s',
    async (query) => {
      const { byKey } = await alertsApp();
      const answer = await byKey('GET', `${ALERTS}/grouped?${query}`);
      expect(answer.statusCode).toBe(400);
    },
  );
});
