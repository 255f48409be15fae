import type {
  Operator,
  RuleType,
  RuleView,
  Severity,
  ThresholdConfig,
  VolumeConfig,
} from '$server/rules/schema.ts';
import { isMissingField, isThreshold, isVolume, measureParts } from '../../../lib/rule-words.ts';
import { ofHours, ofMinutes } from './length.ts';
import type { Length } from './length.ts';

export type Measure = 'count' | 'unique' | 'sum' | 'avg' | 'min' | 'max';
export type Baseline = VolumeConfig['baseline'];

/** A number as it stands in its input: nothing, where that is empty. */
export type Typed = number | null | undefined;

/**
 * What the editor holds, for all types at once, so that nothing is lost while one looks at
 * another type.
 */
export interface Form {
  type: RuleType;
  /** Empty, where the proposed one holds. */
  name: string;
  tags: string[];
  category: string;
  isActive: boolean;
  eventType: string;
  severity: Severity;
  consecutive: Typed;

  source: string;
  measure: Measure;
  path: string;
  operator: Operator;
  value: Typed;
  window: Length;

  fields: string[];

  direction: 'drop' | 'rise';
  percent: Typed;
  current: Length;
  baseline: Baseline;
  comparison: Length;
  minimum: Typed;
  beyondChance: boolean;

  /** Keys of the config that this editor does not know; they stay with it as they are. */
  unknown: { type: RuleType; config: Record<string, unknown> } | null;
}

export const MEASURES: readonly Measure[] = ['count', 'unique', 'sum', 'avg', 'min', 'max'];
/** In characters; the server refuses more. */
export const MAX_NAME = 200;
const RULE_TYPES: readonly RuleType[] = ['threshold', 'missing_field', 'volume'];
const SEVERITIES: readonly Severity[] = ['critical', 'warning', 'info'];

/**
 * A fresh rule. A change of volume is held against the same weekdays, beyond chance: against the
 * hours before, every night is a drop.
 */
export const blank = (): Form => ({
  type: 'threshold',
  name: '',
  tags: [],
  category: '',
  isActive: true,
  eventType: '',
  severity: 'warning',
  consecutive: 1,
  source: '',
  measure: 'count',
  path: '',
  operator: '<',
  value: 1,
  window: { amount: 1, unit: 'hours' },
  fields: [],
  direction: 'drop',
  percent: 50,
  current: { amount: 1, unit: 'hours' },
  baseline: 'seasonal',
  comparison: { amount: 7, unit: 'days' },
  minimum: 10,
  beyondChance: true,
  unknown: null,
});

/** A link may say what the rule is to be about. */
export function fromQuery(query: URLSearchParams): Form {
  const form = blank();
  const of = (name: string) => query.get(name) ?? '';
  form.eventType = of('event_type');
  form.source = of('source');
  form.name = of('name');
  // `fields` is how older links name them, which could not name any with a comma.
  const fields = [...query.getAll('field'), ...of('fields').split(',')];
  form.fields = [...new Set(fields.filter(Boolean))];
  const type = RULE_TYPES.find((one) => one === of('rule_type'));
  form.type = type ?? (form.fields.length > 0 ? 'missing_field' : form.type);
  form.severity = SEVERITIES.find((one) => one === of('severity')) ?? form.severity;
  const minutes = Number(of('window_minutes'));
  if (minutes > 0 && Number.isFinite(minutes)) {
    form.window = ofMinutes(minutes);
    form.current = ofMinutes(minutes);
  }
  return form;
}

type Shown = Pick<RuleView, 'name' | 'rule_type' | 'config' | 'is_active' | 'tags' | 'category'>;

export function formOf(rule: Shown): Form {
  const { config } = rule;
  return {
    ...blank(),
    type: rule.rule_type,
    name: rule.name,
    tags: [...rule.tags],
    category: rule.category ?? '',
    isActive: rule.is_active,
    eventType: config.event_type,
    severity: config.severity,
    consecutive: config.consecutive ?? 1,
    ...(isThreshold(config) && thresholdForm(config)),
    ...(isMissingField(config) && { fields: [...config.required_fields] }),
    ...(isVolume(config) && volumeForm(config)),
    unknown: unknownOf(rule),
  };
}

/** A new rule like this one, to be named by whoever makes it. */
export function copyOf(rule: Shown): Form {
  const name = `Copy of ${rule.name}`;
  return { ...formOf(rule), name: name.length > MAX_NAME ? rule.name : name };
}

function thresholdForm(config: ThresholdConfig): Partial<Form> {
  const { of, path } = measureParts(config.field ?? 'count');
  return {
    source: config.source ?? '',
    measure: of as Measure,
    path,
    operator: config.operator,
    value: config.value,
    window: ofMinutes(config.window_minutes),
  };
}

function volumeForm(config: VolumeConfig): Partial<Form> {
  const percent = config.threshold_percent;
  return {
    direction: percent < 0 ? 'drop' : 'rise',
    percent: Math.abs(percent),
    current: ofMinutes(config.current_window_minutes),
    baseline: config.baseline ?? 'average',
    comparison: ofHours(config.comparison_window_hours),
    minimum: config.min_baseline_events ?? 10,
    beyondChance: config.beyond_chance ?? false,
  };
}

const KNOWN: Record<RuleType, readonly string[]> = {
  threshold: ['source', 'field', 'operator', 'value', 'window_minutes'],
  missing_field: ['required_fields'],
  volume: [
    'threshold_percent',
    'current_window_minutes',
    'comparison_window_hours',
    'min_baseline_events',
    'baseline',
    'beyond_chance',
  ],
};
const OF_ALL: readonly string[] = ['event_type', 'severity', 'consecutive'];

function unknownOf({ rule_type: type, config }: Shown): Form['unknown'] {
  const others = Object.entries(config).filter(
    ([key]) => !OF_ALL.includes(key) && !KNOWN[type].includes(key),
  );
  return others.length === 0 ? null : { type, config: Object.fromEntries(others) };
}
