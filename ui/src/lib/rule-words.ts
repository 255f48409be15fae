import type {
  MissingFieldConfig,
  Operator,
  RuleType,
  RuleView,
  ThresholdConfig,
  VolumeConfig,
} from '$server/rules/schema.ts';
import { measured, minutes } from './words.ts';

export type RuleConfig = RuleView['config'];

/** What a rule is about, whether it is stored already or still being written. */
interface Described {
  rule_type: RuleType;
  config: RuleConfig;
}

export const isThreshold = (config: RuleConfig): config is ThresholdConfig => 'operator' in config;
export const isMissingField = (config: RuleConfig): config is MissingFieldConfig =>
  'required_fields' in config;
export const isVolume = (config: RuleConfig): config is VolumeConfig =>
  'threshold_percent' in config;

/** Each type as a person would call it. */
export const TYPE_WORDS: Record<RuleType, string> = {
  threshold: 'Threshold',
  missing_field: 'Missing fields',
  volume: 'Change of volume',
};

/** How a count is held against a number. */
export const COUNT_WORDS: Record<Operator, string> = {
  '<': 'fewer than',
  '<=': 'at most',
  '==': 'exactly',
  '>=': 'at least',
  '>': 'more than',
};

/** How any other measure is held against a number. */
export const VALUE_WORDS: Record<Operator, string> = { ...COUNT_WORDS, '<': 'less than' };

const BOUND: Record<Operator, (value: string) => string> = {
  '<': (value) => `below ${value}`,
  '<=': (value) => `at ${value} or less`,
  '==': (value) => `at ${value}`,
  '>=': (value) => `at ${value} or more`,
  '>': (value) => `above ${value}`,
};

/** below 10: where a threshold fires */
export const boundWords = ({ operator, value }: Pick<ThresholdConfig, 'operator' | 'value'>) =>
  BOUND[operator](measured(value));

const MEASURE_WORDS: Record<string, string> = {
  unique: 'different values of',
  sum: 'sum of',
  avg: 'average',
  min: 'smallest',
  max: 'largest',
};

/** count, or the kind of measure and the path that it is taken of. */
export function measureParts(field: string): { of: string; path: string } {
  const colon = field.indexOf(':');
  return colon < 0
    ? { of: field, path: '' }
    : { of: field.slice(0, colon), path: field.slice(colon + 1) };
}

/** Events, sum of value: what is measured, as a label. */
export function measureWords(field = 'count'): string {
  const { of, path } = measureParts(field);
  return of === 'count' ? 'Events' : `${MEASURE_WORDS[of] ?? of} ${path}`;
}

/** purchase: fewer than 1 in 1 h */
export function describeRule({ config }: Described): string {
  const words = [`${config.event_type}: ${whatOf(config)}`];
  if ((config.consecutive ?? 1) > 1) words.push(`${config.consecutive} times in a row`);
  return words.join(', ');
}

function whatOf(config: RuleConfig): string {
  if (isThreshold(config)) return thresholdWords(config);
  if (isMissingField(config)) return `without ${oneOf(config.required_fields)}`;
  return volumeWords(config);
}

function thresholdWords(config: ThresholdConfig): string {
  const { of } = measureParts(config.field ?? 'count');
  const within = `in ${minutes(config.window_minutes)}`;
  const from = config.source === undefined ? '' : ` from ${config.source}`;
  const { operator, value } = config;
  if (of === 'count') {
    if (operator === '==' && value === 0) return `none ${within}${from}`;
    return `${COUNT_WORDS[operator]} ${measured(value)} ${within}${from}`;
  }
  const what = measureWords(config.field);
  const words = of === 'unique' ? COUNT_WORDS : VALUE_WORDS;
  return `${what} ${words[operator]} ${measured(value)} ${within}${from}`;
}

function volumeWords(config: VolumeConfig): string {
  const percent = config.threshold_percent;
  const change = `${percent < 0 ? 'down' : 'up'} ${measured(Math.abs(percent))}% or more`;
  return `${change} in ${minutes(config.current_window_minutes)} against ${baselineWords(config)}`;
}

/** What the present is held against: the same time on the four weekdays before. */
function baselineWords(config: VolumeConfig): string {
  const length = minutes(config.comparison_window_hours * 60);
  if (config.baseline === 'previous') return `the same time ${length} before`;
  if (config.baseline === 'seasonal') return 'the usual at this time of the week';
  return `the ${length} before`;
}

function oneOf(fields: readonly string[]): string {
  const [first = '', second] = fields;
  if (fields.length === 1) return first;
  if (fields.length === 2) return `${first} or ${second}`;
  if (fields.length === 3) return `${first}, ${second} or ${fields[2]}`;
  return `${first}, ${second} or ${fields.length - 2} other fields`;
}
