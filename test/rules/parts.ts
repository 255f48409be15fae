import { judge, questionsOf } from '../../server/rules/evaluate.ts';
import type { Judged } from '../../server/rules/evaluate.ts';
import { createLocalTime } from '../../server/rules/local-time.ts';
import type { Moment } from '../../server/rules/moment.ts';
import type { Answer } from '../../server/events/questions.ts';
import { missingFieldConfig, thresholdConfig, volumeConfig } from '../../server/rules/schema.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;
export const NOON = Date.UTC(2026, 0, 31, 12);

type Given = Record<string, unknown>;

export const threshold = (given: Given = {}): Judged => ({
  tenant_id: 'tenant',
  rule_type: 'threshold',
  config: thresholdConfig.parse({
    ...{ event_type: 'purchase', operator: '>', value: 10, window_minutes: 60 },
    severity: 'warning',
    ...given,
  }),
});

export const missingField = (given: Given = {}): Judged => ({
  tenant_id: 'tenant',
  rule_type: 'missing_field',
  config: missingFieldConfig.parse({
    ...{ event_type: 'purchase', required_fields: ['order_id'], severity: 'warning' },
    ...given,
  }),
});

export const volume = (given: Given = {}): Judged => ({
  tenant_id: 'tenant',
  rule_type: 'volume',
  config: volumeConfig.parse({
    ...{ event_type: 'purchase', threshold_percent: -50, severity: 'warning' },
    ...{ current_window_minutes: 60, comparison_window_hours: 24 },
    ...given,
  }),
});

/** Noon, with somebody listening all the time, and a wall clock that shows UTC. */
export const moment = (given: Partial<Moment> = {}): Moment => ({
  at: NOON,
  listening: [{ from: 0, to: NOON + DAY }],
  localTime: createLocalTime('UTC'),
  ...given,
});

/** A moment at which nobody had listened between these times, told in minutes before noon. */
export const offline = (...gaps: readonly (readonly [from: number, to: number])[]): Moment => {
  const edges = gaps.flatMap(([from, to]) => [NOON - from * MINUTE, NOON - to * MINUTE]);
  const [starts, ends] = [[0], []] as [number[], number[]];
  edges.forEach((edge, i) => (i % 2 === 0 ? ends : starts).push(edge));
  ends.push(NOON + DAY);
  const spans = starts.map((from, i) => ({ from, to: ends[i] ?? from }));
  return moment({ listening: spans.filter(({ from, to }) => to > from) });
};

export const verdict = (rule: Judged, answers: readonly Answer[], at: Moment = moment()) =>
  judge(rule, at, answers);

export const windows = (rule: Judged, at: Moment = moment()) =>
  questionsOf(rule, at).map(({ from, to }) => [(from - at.at) / MINUTE, (to - at.at) / MINUTE]);
