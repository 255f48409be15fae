import type { Preview } from '$server/rules/schema.ts';
import { QUARTER } from '../../../lib/rule-chart.ts';
import { count, day, clock, duration, measured, plural, roughly } from '../../../lib/words.ts';
import type { Form } from './form.ts';

type Point = Preview['points'][number];

const CRIES = 5;

export interface Firing {
  from: number;
  to: number;
  alerts: number;
  message: string;
}

/** Cycles in a row that would have made alerts, the latest first. */
export function firings(points: readonly Point[]): Firing[] {
  const all: Firing[] = [];
  let isOn = false;
  for (const point of points) {
    const at = Date.parse(point.timestamp);
    const last = all.at(-1);
    // What could not be judged neither ends a firing nor goes on with it.
    if (point.state === 'quiet') isOn = false;
    if (!point.alert) continue;
    if (isOn && last) {
      last.to = at;
      last.alerts += 1;
    } else {
      all.push({ from: at, to: at, alerts: 1, message: point.message ?? '' });
      isOn = true;
    }
  }
  return all.reverse();
}

/** From the first alert to the end of the cycle of the last. */
export const lasted = ({ from, to }: Firing): string => duration(to - from + QUARTER);

const when = (at: number) => `${day(at)} ${clock(at)}`;

/** The chart's title: what would have been, in a sentence. */
export function finding({ points, from, to }: Preview, form: Form): string {
  const span = spanOf(from, to);
  const [last, ...others] = firings(points);
  if (points.length === 0) return 'There is nothing to look back at yet';
  if (points.every(({ state }) => state === 'skipped')) {
    return `Could not have been judged in ${span}`;
  }
  if (last) {
    const times = others.length === 0 ? 'once' : `${count(others.length + 1)} times`;
    const end = others.length === 0 ? `on ${when(last.from)}` : `last on ${when(last.from)}`;
    return `Would have fired ${times} in ${span}, ${end}`;
  }
  return `Would not have fired in ${span}${closest(points, form)}`;
}

/** How near it came: where it need not have come much nearer to fire. */
function closest(points: readonly Point[], form: Form): string {
  if (form.type === 'missing_field') return '';
  let best: Point | undefined;
  for (const point of points) {
    if (point.state !== 'quiet' || point.value === null) continue;
    if (!best || distance(point, form) < distance(best, form)) best = point;
  }
  if (!best || best.value === null) return '';
  const usual = best.expected === null ? '' : ` (${roughly(best.expected)} expected)`;
  return `; closest: ${measured(best.value)}${usual} on ${when(Date.parse(best.timestamp))}`;
}

function distance({ value, expected }: Point, form: Form): number {
  const found = value ?? 0;
  if (form.type === 'volume') {
    const share = found / (expected || 1);
    return form.direction === 'drop' ? share : -share;
  }
  if (form.operator === '==') return Math.abs(found - (form.value ?? 0));
  return form.operator.startsWith('<') ? found : -found;
}

function spanOf(from: string, to: string): string {
  const length = Date.parse(to) - Date.parse(from);
  const days = Math.round(length / 86_400_000);
  return days >= 1 ? plural(days, 'day') : duration(length);
}

/** 17 alerts in all, 1.2 a day */
export const frequency = ({ fired, fired_a_day: daily }: Preview): string =>
  `${plural(fired, 'alert')}, ${measured(daily)} a day`;

/** Why nobody would look at its alerts for long; nothing, where they are few. */
export function warning({ points, fired, fired_a_day: daily }: Preview): string | undefined {
  if (daily <= CRIES) return undefined;
  const [longest] = firings(points).sort((a, b) => b.alerts - a.alerts);
  if (longest && longest.alerts > fired / 2) {
    return `It would have gone on firing for ${lasted(longest)}, with ${plural(longest.alerts, 'alert')}.`;
  }
  return `This would cry wolf: about ${count(daily)} alerts a day. A stricter value, a longer window or more checks in a row make it quieter.`;
}

/** How many cycles could not be judged, and the commonest reason. */
export function unjudged({ points, skipped }: Preview): string | undefined {
  if (skipped === 0) return undefined;
  const reasons = new Map<string, { times: number; text: string }>();
  for (const { state, message } of points) {
    if (state !== 'skipped' || !message) continue;
    // The same reason has other numbers in each cycle.
    const key = message.replace(/\d+/g, '#');
    const known = reasons.get(key);
    if (known) known.times += 1;
    else reasons.set(key, { times: 1, text: message });
  }
  const [first] = [...reasons.values()].sort((a, b) => b.times - a.times);
  const share = `${count(skipped)} of ${plural(points.length, 'check')} could not be judged`;
  return first ? `${share}, mostly: ${first.text}` : share;
}
