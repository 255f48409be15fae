import type { Alert } from '$server/alerts/schema.ts';
import type { TimeRange } from '$server/http/schema.ts';
import type { RuleView } from '$server/rules/schema.ts';
import { QUARTER } from '$lib/rule-chart.ts';
import { isMissingField, isThreshold, isVolume } from '$lib/rule-words.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A time as the API takes it. */
export const iso = (at: number): string => new Date(at).toISOString();

/** When the windows ended that it was judged by: cycles run a moment after the quarter. */
export function judgedAt(alert: Alert): number {
  const made = Date.parse(alert.created_at);
  const quarter = Math.floor(made / QUARTER) * QUARTER;
  return made - quarter < MINUTE ? quarter : made;
}

/**
 * The events that it was judged by; of old alerts it is not known, so as the rule is now. A check
 * by hand may come just after the quarter, so all up to the making of the alert belong to it.
 */
export function windowOf(alert: Alert, rule: RuleView | undefined): { from: number; to: number } {
  const minutes = alert.window_minutes ?? minutesOf(alert, rule);
  return { from: judgedAt(alert) - minutes * MINUTE, to: Date.parse(alert.created_at) };
}

function minutesOf({ rule_type: type }: Alert, rule: RuleView | undefined): number {
  if (rule && isThreshold(rule.config)) return rule.config.window_minutes;
  if (rule && isVolume(rule.config)) return rule.config.current_window_minutes;
  return type === 'missing_field' ? QUARTER / MINUTE : HOUR / MINUTE;
}

/** The fields that were missing; of old alerts it is not known which, so all that are required. */
export function lackingIn(alert: Alert, rule: RuleView | undefined): readonly string[] {
  if (alert.rule_type !== 'missing_field' || alert.missing_fields.length > 0) {
    return alert.missing_fields;
  }
  return rule && isMissingField(rule.config) ? rule.config.required_fields : [];
}

/** What must be asked for to see back to a time, if it can be seen at all. */
export function rangeBackTo(at: number, now: number): TimeRange | undefined {
  const age = now - at;
  if (age < DAY) return '24h';
  if (age < 7 * DAY) return '7d';
  return age < 30 * DAY ? '30d' : undefined;
}

export const statusOf = (alert: Alert): 'open' | 'acknowledged' | 'resolved' =>
  alert.is_resolved ? 'resolved' : alert.is_acknowledged ? 'acknowledged' : 'open';
