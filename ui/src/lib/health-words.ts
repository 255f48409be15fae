import type { AlertSummary } from '$server/alerts/schema.ts';
import type { RuleHistory } from '$server/evaluator/schema.ts';
import type { Usual } from '$server/events/schema.ts';
import type { RuleView } from '$server/rules/schema.ts';
import { clock, count, moment, plural, weekdayName } from './words.ts';

interface Known {
  rules: readonly RuleView[];
  open: AlertSummary['open'];
  lastHour: Usual['last_hour'];
  /** Whether anything ever arrived. */
  hasEvents: boolean;
  isListening: boolean;
  /** What the last day's cycles found about each rule, as far as it is known. */
  histories: readonly RuleHistory[];
  now: number;
}

export interface HealthWords {
  mark: 'critical' | 'warning' | 'info' | 'healthy' | 'waiting';
  /** The state in one sentence, or two. */
  sentence: string;
  /** What stands behind it. */
  more: string;
}

const GRAVITY = { critical: 0, warning: 1, info: 2 } as const;

/** Whether tracking is healthy, in words, for somebody with a coffee in their hand. */
export function healthWords(known: Known): HealthWords {
  const { rules, open, hasEvents, isListening, now } = known;
  const active = rules.filter((rule) => rule.is_active);
  const firing = firingRules(rules);
  const total = open.critical + open.warning + open.info;
  const hour = hourWords(known);

  if (!isListening) {
    return {
      mark: 'critical',
      sentence: 'Vedette is not taking events.',
      more: 'What is sent now is refused, and the sender is told so. See About for the cause.',
    };
  }
  const [first, ...others] = firing;
  if (first) {
    const points = known.histories.find(({ rule_id }) => rule_id === first.id)?.points ?? [];
    const rest = others.length;
    return {
      mark: first.config.severity,
      sentence: `${first.name}, firing${sinceWords(points, now)}.${
        rest > 0 ? ` ${plural(rest, 'more rule')} ${areOne(rest)} firing.` : ''
      }`,
      more: hour,
    };
  }
  if (!hasEvents) {
    return {
      mark: 'waiting',
      sentence: 'Nothing has arrived yet.',
      more: 'As soon as something sends events, this page shows how it is.',
    };
  }
  if (active.length === 0) {
    return { mark: 'info', sentence: 'Events arrive, but no rule watches them.', more: hour };
  }
  if (active.every((rule) => rule.last_verdict === null)) {
    return {
      mark: 'waiting',
      sentence: `${plural(active.length, 'rule')} will be checked at ${clock(nextQuarter(now))}.`,
      more: hour,
    };
  }
  const unjudged = active.filter((rule) => rule.last_verdict?.state === 'skipped');
  if (total > 0) {
    return {
      mark: open.critical > 0 ? 'critical' : open.warning > 0 ? 'warning' : 'info',
      sentence: `No rule is firing now. ${plural(total, 'alert')} ${areOne(total)} still open.`,
      more: hour,
    };
  }
  // What nobody could judge is not healthy, and not ill either.
  if (!active.some((rule) => rule.last_verdict?.state === 'quiet')) {
    return {
      mark: 'waiting',
      sentence: 'No rule could be judged yet.',
      more: `${unjudged[0]?.name}: ${unjudged[0]?.last_verdict?.message}. ${hour}`,
    };
  }
  const part = `${count(unjudged.length)} of ${plural(active.length, 'rule')} could not be judged.`;
  return {
    mark: 'healthy',
    sentence: 'Tracking is healthy.',
    more: unjudged.length > 0 ? `${hour} ${part}` : hour,
  };
}

/** The rules that fire now, the gravest first. */
export function firingRules(rules: readonly RuleView[]): RuleView[] {
  return rules
    .filter((rule) => rule.is_active && rule.last_verdict?.state === 'fires')
    .sort((a, b) => GRAVITY[a.config.severity] - GRAVITY[b.config.severity]);
}

/** Since when it has fired without a break; what could not be judged is none. */
function sinceWords(points: RuleHistory['points'], now: number): string {
  const judged = points.filter(({ state }) => state !== 'skipped');
  const quiet = judged.findLastIndex(({ state }) => state === 'quiet');
  const first = judged[quiet + 1];
  if (!first) return '';
  return quiet < 0 && now - Date.parse(first.timestamp) > LONG
    ? ' for a day or longer'
    : ` since ${moment(Date.parse(first.timestamp), now)}`;
}

/** 1,284 events in the last hour, as on a usual Friday. */
function hourWords({ lastHour, hasEvents, now }: Known): string {
  if (!hasEvents) return '';
  const { count: events, low, high, usual, weeks } = lastHour;
  const said = `${plural(events, 'event')} in the last hour`;
  if (usual === null || low === null || high === null) return `${said}.`;
  const basis = weeks > 0 ? `on a usual ${weekdayName(now)}` : 'in the days before';
  if (events < low * 0.9) return `${said}, fewer than ${basis} (${range(low, high)}).`;
  if (events > high * 1.1) return `${said}, more than ${basis} (${range(low, high)}).`;
  return events < low || events > high
    ? `${said}, about as many as ${basis}.`
    : `${said}, as ${basis}.`;
}

const areOne = (number: number) => (number === 1 ? 'is' : 'are');

const range = (low: number, high: number) =>
  low === high ? `about ${count(low)}` : `${count(low)} to ${count(high)}`;

/** Nearly all that the history holds. */
const LONG = 23 * 3_600_000;
const QUARTER = 15 * 60_000;
const nextQuarter = (now: number) => (Math.floor(now / QUARTER) + 1) * QUARTER;
