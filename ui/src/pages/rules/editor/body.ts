import type {
  MissingFieldConfig,
  RuleType,
  ThresholdConfig,
  VolumeConfig,
} from '$server/rules/schema.ts';
import { blank } from './form.ts';
import type { Form, Typed } from './form.ts';
import { hoursOf, minutesOf } from './length.ts';

const MOST_HOURS = 90 * 24;

/** What is sent to make a rule or to change one. */
export interface RuleBody {
  name: string;
  rule_type: RuleType;
  config: Record<string, unknown>;
  is_active: boolean;
  tags: string[];
  category: string | null;
}

export function bodyOf(form: Form, proposed = ''): RuleBody {
  return {
    name: form.name.trim() || proposed,
    rule_type: form.type,
    config: configOf(form),
    is_active: form.isActive,
    tags: [...form.tags],
    category: form.category.trim() || null,
  };
}

export function configOf(form: Form): Record<string, unknown> {
  return {
    ...(form.unknown?.type === form.type && form.unknown.config),
    event_type: form.eventType,
    ...ofType(form),
    severity: form.severity,
    consecutive: form.consecutive,
  };
}

function ofType(form: Form): Partial<ThresholdConfig | MissingFieldConfig | VolumeConfig> | object {
  switch (form.type) {
    case 'threshold':
      return {
        ...(form.source !== '' && { source: form.source }),
        field: form.measure === 'count' ? 'count' : `${form.measure}:${form.path}`,
        operator: form.operator,
        value: form.value,
        window_minutes: minutesOf(form.window),
      };
    case 'missing_field':
      return { required_fields: [...form.fields] };
    case 'volume':
      return {
        threshold_percent: signed(form),
        current_window_minutes: minutesOf(form.current),
        comparison_window_hours: comparedHours(form),
        min_baseline_events: form.minimum,
        baseline: form.baseline,
        beyond_chance: form.beyondChance,
      };
    default:
      throw new Error(`The type ${String(form.type)} is not known`);
  }
}

/** The usual of the week does not look at it, so nothing that stands there may be in the way. */
function comparedHours({ baseline, comparison }: Form): number | null {
  const hours = hoursOf(comparison);
  if (baseline !== 'seasonal' || (hours !== null && hours > 0 && hours <= MOST_HOURS)) return hours;
  return hoursOf(blank().comparison);
}

function signed({ direction, percent }: Form): Typed {
  if (percent === null || percent === undefined) return null;
  return direction === 'drop' ? -percent : percent;
}
