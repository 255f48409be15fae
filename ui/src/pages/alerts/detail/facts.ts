import type { Alert } from '../../../../../server/alerts/schema.ts';
import type { TimeRange } from '../../../../../server/http/schema.ts';
import type { RuleView } from '../../../../../server/rules/schema.ts';
import { isThreshold, isVolume } from '../../../lib/rule-words.ts';

export const MINUTE = 60_000;
export const QUARTER = 15 * MINUTE;
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

/** The events that it was judged by; the rule's present window, as far as there is one. */
export function windowOf(alert: Alert, rule: RuleView | undefined): { from: number; to: number } {
  const to = judgedAt(alert);
  return { from: to - (minutesIn(alert.message) ?? minutesOf(rule) ?? 60) * MINUTE, to };
}

function minutesOf(rule: RuleView | undefined): number | undefined {
  if (rule && isThreshold(rule.config)) return rule.config.window_minutes;
  return rule && isVolume(rule.config) ? rule.config.current_window_minutes : undefined;
}

/** Messages say last what they looked at: `in 60 min window`, `in the last 15 min`. */
function minutesIn(message: string): number | undefined {
  const found = [...message.matchAll(/ in (?:the last )?([\d.]+) min\b/g)].at(-1);
  return found ? Number(found[1]) : undefined;
}

/** The fields that an alert says were missing. */
export function lackingIn(alert: Alert): string[] {
  if (alert.rule_type !== 'missing_field') return [];
  const list = /^Missing fields: (.*) of [\d.]+ /s.exec(alert.message)?.[1] ?? '';
  return [...list.matchAll(/(.+?) in \d+(?:, |$)/gs)].map(([, field]) => field ?? '');
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
