import type { Preview, RuleView } from '$server/rules/schema.ts';
import type { Series, Stretch, Threshold } from '../components/chart/parts.ts';
import { boundWords, isThreshold, isVolume, measureWords } from './rule-words.ts';

type Point = Pick<Preview['points'][number], 'timestamp' | 'state' | 'value' | 'expected'>;
type Drawn = Pick<RuleView, 'rule_type' | 'config'>;

/** From one cycle to the next. */
export const QUARTER = 15 * 60_000;

/** What a rule measured over time, what it was held against, and when it fired. */
export function ruleChart(points: readonly Point[], { rule_type: type, config }: Drawn) {
  const times = points.map(({ timestamp }) => Date.parse(timestamp));
  // What could not be judged was not measured either: nobody may have listened.
  const values = points.map(({ state, value }) => (state === 'skipped' ? null : value));
  const label =
    type === 'missing_field'
      ? 'Events that lack a field'
      : measureWords(isThreshold(config) ? config.field : undefined);
  const series: Series[] = [{ label, values }];
  let threshold: Threshold | undefined;
  if (isThreshold(config)) {
    threshold = { value: config.value, label: `Fires ${boundWords(config)}` };
  }
  if (isVolume(config)) {
    const { threshold_percent: percent, severity } = config;
    const expected = points.map((point) => (point.state === 'skipped' ? null : point.expected));
    const bounds = expected.map((one) => (one === null ? null : one * (1 + percent / 100)));
    series.push(
      { label: 'Expected', values: expected, as: 'dashed', colour: 'soft' },
      {
        ...{ label: percent < 0 ? 'Fires below' : 'Fires above', values: bounds },
        ...{ as: 'dashed', colour: severity },
      },
    );
  }
  return { times, series, threshold, shaded: firingStretches(points) };
}

/** A cycle judges what came before it, so what is shaded ends with it. */
export function firingStretches(points: readonly Pick<Point, 'timestamp' | 'state'>[]): Stretch[] {
  const all: Stretch[] = [];
  for (const { timestamp, state } of points) {
    if (state !== 'fires') continue;
    const to = Date.parse(timestamp);
    const last = all.at(-1);
    if (last && to - QUARTER <= last.to) last.to = to;
    else all.push({ from: to - QUARTER, to });
  }
  return all;
}

/** Spans as the API has them, for a chart. */
export const stretchesOf = (spans: readonly { from: string; to: string }[] = []): Stretch[] =>
  spans.map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) }));
