import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FULL_KEY, startAppliance } from './children.ts';
import type { Bench } from './bench.ts';
import { COMMON_TYPE } from './fill.ts';
import { median, ms, quantile, spread } from './figures.ts';
import type { Figure } from './figures.ts';
import { ask } from './load.ts';
import { getRequest, postRequest } from './shop.ts';

export const RULES = 1000;

const TYPES = [
  ...[COMMON_TYPE, 'view_item', 'scroll', 'search', 'add_to_cart', 'begin_checkout', 'purchase'],
  ...['crash', 'payment_failed', 'refund', 'stock_changed', 'login', 'sign_up', 'open', 'error'],
];
const OPERATORS = ['>', '<', '>=', '<='];
const BASELINES = ['average', 'previous', 'seasonal'];
const MEASURES = ['unique:client_id', 'sum:value', 'avg:value', 'max:items.0.price'];
const WINDOWS = [5, 15, 30, 60, 120, 240, 720, 1440];

const pick = <T>(values: readonly T[], n: number) => values[n % values.length] as T;

/** Of twenty rules eleven count, five compare, three look for fields and one measures values. */
function ruleOf(n: number): { rule_type: string; config: object } {
  const common = { event_type: pick(TYPES, n), severity: 'warning', consecutive: 1 };
  const kind = n % 20;
  if (kind < 11) {
    const source = n % 3 === 0 && { source: 'gtm' };
    const threshold = { field: 'count', operator: pick(OPERATORS, n), value: 100_000 * (n % 2) };
    const config = { ...common, ...source, ...threshold, window_minutes: pick(WINDOWS, n) };
    return { rule_type: 'threshold', config };
  }
  if (kind < 16) {
    const windows = {
      current_window_minutes: pick([15, 60, 120], n),
      comparison_window_hours: pick([24, 48, 168], n),
    };
    const threshold = { threshold_percent: n % 2 ? -90 : 900, min_baseline_events: 10 };
    const config = { ...common, ...threshold, ...windows, baseline: pick(BASELINES, n) };
    return { rule_type: 'volume', config };
  }
  if (kind < 19) {
    const config = { ...common, required_fields: ['value', 'currency', 'items.0.price'] };
    return { rule_type: 'missing_field', config };
  }
  const measure = { field: pick(MEASURES, n), operator: '>', value: 1e9 };
  const config = { ...common, ...measure, window_minutes: pick([60, 180, 1440], n) };
  return { rule_type: 'threshold', config };
}

/** Puts rules into the settings of an appliance that is not running. */
export function putRules(dir: string): void {
  const read = (name: string) =>
    JSON.parse(readFileSync(path.join(dir, name), 'utf8')) as Record<'tenants' | 'rules', object[]>;
  const settings = read('settings.json');
  const [tenant] = settings.tenants as { id: string }[];
  const time = new Date().toISOString();
  settings.rules = Array.from({ length: RULES }, (_, n) => ({
    ...{ id: randomUUID(), tenant_id: tenant?.id, name: `Rule ${n}`, ...ruleOf(n) },
    ...{ is_active: true, tags: [], category: null },
    ...{ created_at: time, updated_at: time, revised_at: time },
  }));
  for (const name of ['settings.json', 'settings.last-good.json']) {
    writeFileSync(path.join(dir, name), JSON.stringify(settings));
  }
}

export const evaluateRequest = () => postRequest('/api/v1/evaluations', FULL_KEY, {});

/** A cycle over all rules, and what others notice of it. */
export async function cycle(bench: Bench): Promise<Figure[]> {
  const { dir } = await bench.filled();
  putRules(dir);
  const server = await startAppliance(dir);
  const times = { times: bench.size.times, warmUp: 2 };
  const run = { over: false };
  const pings: number[] = [];
  const others = (async () => {
    const health = getRequest('/health', FULL_KEY);
    await ask(server.port, health, { times: 1, warmUp: 50 });
    while (!run.over)
      pings.push(...(await ask(server.port, health, { times: 50, warmUp: 0 })).taken);
  })();
  const { taken, body } = await ask(server.port, evaluateRequest(), { ...times, status: 201 });
  run.over = true;
  await others;
  await server.stop();
  bench.progress('cycle');
  const { rules, skipped } = JSON.parse(body) as { rules: number; skipped: unknown[] };
  const row = 'cycle';
  return [
    {
      row,
      what: `${RULES} rules over ${bench.size.events / 1e6} million events (${rules} judged, ${skipped.length} skipped)`,
      measured: ms(median(taken)),
      spread: spread(taken, ms),
      goal: '≤ 1 s',
      met: median(taken) <= 1000,
    },
    {
      row,
      what: `another request meanwhile, longest of ${pings.length}`,
      measured: ms(Math.max(...pings)),
      spread: `p99 ${ms(quantile(pings, 0.99))}`,
      goal: '≤ 50 ms',
      met: Math.max(...pings) <= 50,
    },
  ];
}

/** What the rule editor shows while one types: 30 days of cycles for each type of rule. */
export async function preview(bench: Bench): Promise<Figure[]> {
  const { dir } = await bench.filled();
  const server = await startAppliance(dir);
  const threshold = { operator: '>', value: 1e9, window_minutes: 60, severity: 'info' };
  const volume = {
    ...{ threshold_percent: -50, current_window_minutes: 60, severity: 'info' },
    comparison_window_hours: 24,
  };
  const missing = { required_fields: ['value', 'currency'], severity: 'info' };
  const common = { event_type: COMMON_TYPE };
  const purchase = { event_type: 'purchase' };
  const drafts: [what: string, rule_type: string, config: object, held: boolean][] = [
    ['threshold, page_view', 'threshold', { ...common, ...threshold }, true],
    ['volume by average, page_view', 'volume', { ...common, ...volume }, true],
    ['volume by season, page_view', 'volume', { ...common, ...volume, baseline: 'seasonal' }, true],
    ['missing_field, purchase', 'missing_field', { ...purchase, ...missing }, true],
    ['missing_field, page_view', 'missing_field', { ...common, ...missing }, true],
    ['sum:value, purchase', 'threshold', { ...purchase, ...threshold, field: 'sum:value' }, true],
    ['sum:value, page_view', 'threshold', { ...common, ...threshold, field: 'sum:value' }, true],
    [
      'unique:client_id, purchase',
      'threshold',
      { ...purchase, ...threshold, field: 'unique:client_id' },
      true,
    ],
    [
      'unique:client_id, page_view',
      'threshold',
      { ...common, ...threshold, field: 'unique:client_id' },
      false,
    ],
  ];
  const figures: Figure[] = [];
  for (const [what, rule_type, config, isHeld] of drafts) {
    const request = postRequest('/api/v1/rules/preview', FULL_KEY, { rule_type, config });
    const times = { times: Math.ceil(bench.size.times / 3), warmUp: 1 };
    const { taken, body } = await ask(server.port, request, times);
    const { points } = JSON.parse(body) as { points: unknown[] };
    figures.push({
      row: 'preview',
      what: `${what} (${points.length} cycles)`,
      measured: ms(median(taken)),
      spread: spread(taken, ms),
      ...(isHeld && { goal: '≤ 1 s', met: median(taken) <= 1000 }),
    });
  }
  await server.stop();
  bench.progress('preview');
  return figures;
}
