import { questionsOf } from '../../../server/rules/evaluate.ts';
import { createLocalTime } from '../../../server/rules/local-time.ts';
import type { NewRule } from '../../../server/rules/schema.ts';
import { HOUR, QUARTER, ZONE } from './calendar.ts';
import type { Incident } from './incidents.ts';
import type { Raised } from './shop.ts';
import type { Span } from './play.ts';
import { RULES } from './rules.ts';

/**
 * Why an alert was made. caught: a fault or the sale is going on. afterglow: it is over, but a window
 * that the rule looks at or compares with still has some of it. outage: it would not be there had
 * the collector run on. chance: it would be there without any incident, or none explains it.
 */
export type Why =
  { why: 'caught' | 'afterglow'; incident: Incident } | { why: 'outage' } | { why: 'chance' };

export type Attributed = Raised & Why;

export interface Runs {
  played: readonly Raised[];
  withoutOutages: readonly Raised[];
  withoutIncidents: readonly Raised[];
}

const localTime = createLocalTime(ZONE);
export const keyOf = ({ rule, at }: Raised) => `${rule} ${at}`;
export const keysOf = (raised: readonly Raised[]) => new Set(raised.map(keyOf));

/** The same month without some of its incidents says what those incidents are the cause of. */
export function createAttribution(
  { withoutOutages, withoutIncidents }: Omit<Runs, 'played'>,
  incidents: readonly Incident[],
) {
  const quiet = keysOf(withoutIncidents);
  const untroubled = keysOf(withoutOutages);
  const seen = incidents.filter(({ kind }) => kind === 'fault' || kind === 'sale');
  const within = (window: Span | undefined, type: string) =>
    seen.findLast(
      ({ from, to, touches }) =>
        window &&
        window.from < to &&
        from < window.to &&
        (touches === undefined || touches.some((one) => one === type)),
    );

  return (alert: Raised): Attributed => {
    const key = keyOf(alert);
    if (quiet.has(key)) return { ...alert, why: 'chance' };
    if (!untroubled.has(key)) return { ...alert, why: 'outage' };
    const rule = ruleOf(alert);
    const type = rule.config.event_type;
    // The recent window comes first, so it is what explains an alert when it can.
    const incident = windowsOf(rule, alert.at)
      .map((window) => within(window, type))
      .find((one) => one !== undefined);
    if (incident === undefined) return { ...alert, why: 'chance' };
    return { ...alert, why: alert.at <= incident.to + QUARTER ? 'caught' : 'afterglow', incident };
  };
}

function ruleOf({ rule: name }: Raised): NewRule {
  const rule = RULES.find((one) => one.name === name);
  if (rule === undefined) throw new Error(`There is no rule ${name}`);
  return rule;
}

/** What the rule looked at in that cycle: the recent window, then what it compares it with. */
const windowsOf = (rule: NewRule, moment: number): Span[] =>
  questionsOf({ ...rule, tenant_id: '' }, { at: moment, listening: [], localTime });

/** Alerts of one rule with no hour between them are one and the same trouble. */
export function episodesOf(alerts: readonly Raised[]): number {
  const last = new Map<string, number>();
  return alerts.filter(({ rule, at }) => {
    const before = last.get(rule) ?? -Infinity;
    last.set(rule, at);
    return at - before > HOUR;
  }).length;
}
