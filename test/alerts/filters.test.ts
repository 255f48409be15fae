import { expect, it } from 'vitest';
import type { Alert, AlertGroup, BulkChanged } from '../../server/alerts/schema.ts';
import type { Point } from '../../server/platform/buckets.ts';
import { acknowledged, alertsApp, at, resolved, uuid } from '../helpers/alerts.ts';
import { START } from '../helpers/identity-parts.ts';

const SAMPLE: Partial<Alert>[] = [
  { message: 'open', severity: 'critical', rule_id: uuid(7), source: 'shop', tags: ['a', 'b'] },
  { message: 'seen', ...acknowledged, rule_type: 'volume', category: 'revenue', tags: ['b'] },
  { message: 'over', ...resolved, severity: 'info', source: 'gtm', created_at: at(START - 1) },
  { message: 'both', ...acknowledged, ...resolved, rule_id: uuid(7), created_at: at(START - 2) },
];

const total = (counts: readonly { count: number }[]) =>
  counts.reduce((sum, { count }) => sum + count, 0);

it.each([
  ['', ['seen', 'open', 'over', 'both']],
  [`rule_id=${uuid(7)}`, ['open', 'both']],
  ['severity=critical', ['open']],
  ['severity=info', ['over']],
  ['resolved=true', ['over', 'both']],
  ['resolved=false', ['seen', 'open']],
  ['status=open', ['open']],
  ['status=acknowledged', ['seen']],
  ['status=resolved', ['over', 'both']],
  ['status=all', ['seen', 'open', 'over', 'both']],
  ['rule_type=volume', ['seen']],
  ['source=gtm', ['over']],
  ['source=GTM', []],
  ['tag=b', ['seen', 'open']],
  ['tag=a', ['open']],
  ['tag=', []],
  ['category=revenue', ['seen']],
  [`since=${at(START)}`, ['seen', 'open']],
  [`until=${at(START)}`, ['over', 'both']],
  [`since=${at(START - 2)}&until=${at(START - 1)}`, ['both']],
  ['since=2026-03-01T11:00:00%2B01:00', ['seen', 'open']],
  [`rule_id=${uuid(7)}&resolved=true`, ['both']],
  ['status=resolved&resolved=false', []],
  ['tag=b&severity=critical&status=open&source=shop', ['open']],
  ['tag=b&severity=info', []],
  ['resolved=true&limit=1&skip=1', ['both']],
])('the filter %s lets the same alerts through to everything', async (query, messages) => {
  const { given, get, post } = await alertsApp();
  await given(...SAMPLE);
  const found = await get<Alert[]>(`?${query}`);
  expect(found.map(({ message }) => message)).toEqual(messages);

  const filter = Object.fromEntries(new URLSearchParams(query));
  // Only the list knows these.
  if ('resolved' in filter) return;
  expect(total(await get<Point[]>(`/activity?${query}`))).toBe(found.length);
  const groups = await get<AlertGroup[]>(`/grouped?${query}`);
  expect(total(groups)).toBe(found.length);
  expect(groups.map(({ rule_id }) => rule_id).sort()).toEqual(
    [...new Set(found.map(({ rule_id }) => rule_id))].sort(),
  );
  const open = found.filter(({ is_resolved }) => !is_resolved).map(({ id }) => id);
  expect(await post<BulkChanged>('/resolve', { filter })).toEqual({
    ...{ changed: open.length, ids: open },
  });
  expect(await get<Alert[]>('?resolved=false')).toHaveLength(2 - open.length);
});
