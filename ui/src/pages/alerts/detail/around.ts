import type { Alert } from '$server/alerts/schema.ts';
import type { Preview, RuleView } from '$server/rules/schema.ts';
import { boundWords, isThreshold, isVolume, measureWords } from '../../../lib/rule-words.ts';
import { measured, minutes, moment, plural, roughly } from '../../../lib/words.ts';
import { judgedAt } from './facts.ts';

type Point = Pick<Preview['points'][number], 'value' | 'expected'> & { at: number };

/** 3 purchase events in 1 h at 14:15; the rule fires below 10 */
export function aroundTitle(
  alert: Alert,
  rule: RuleView | undefined,
  points: readonly Point[],
): string {
  const at = judgedAt(alert);
  const then = points.findLast((point) => point.at <= at);
  const value = alert.value ?? then?.value;
  const when = `at ${moment(at)}`;
  if (value == null || !rule) return `${alert.event_type}: nothing measured ${when}`;
  const { window_minutes: looked } = alert;
  const events = plural(value, `${alert.event_type} event`);
  if (alert.rule_type === 'missing_field') return `${events} lacked a field ${when}`;
  const { config } = rule;
  if (isVolume(config)) {
    // As the message of the alert says it, or the two would seem to be about different things.
    const usual = then?.expected == null ? '' : `, ${roughly(then.expected)} expected`;
    return `${events} in ${minutes(looked ?? config.current_window_minutes)} ${when}${usual}`;
  }
  if (!isThreshold(config)) return `${events} ${when}`;
  const { field = 'count', window_minutes: window } = config;
  const what = field === 'count' ? events : `${measureWords(field)} ${measured(value)}`;
  return `${what} in ${minutes(looked ?? window)} ${when}; the rule fires ${boundWords(config)}`;
}
