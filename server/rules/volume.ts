import type { Question } from '../events/questions.ts';
import type { View } from '../platform/settings-file.ts';
import type { Moment } from './moment.ts';
import type { Span, Verdict, VolumeConfig } from './schema.ts';
import {
  fires,
  forgotten,
  heardIn,
  HOUR,
  minutesText,
  offlineIn,
  quiet,
  roughly,
  skipped,
  windowBefore,
} from './verdict.ts';

type Config = View<VolumeConfig>;

const WEEKS = 4;
/** A median of fewer weeks is one week's whim. */
const WEEKS_NEEDED = 2;
/** How far off chance alone rarely comes, in standard deviations. */
const BEYOND_CHANCE = 2.5;

/** The recent window, then the one or more that it is held against. */
export function volumeQuestions(tenant: string, config: Config, moment: Moment): Question[] {
  return [currentOf(config, moment), ...baselineOf(config, moment)].map((window) => ({
    tenant,
    event_type: config.event_type,
    ...window,
    measure: { of: 'count' },
  }));
}

export function judgeVolume(
  config: Config,
  moment: Moment,
  answers: readonly (number | null)[],
): Verdict {
  const [current, ...before] = answers.map((answer) => answer ?? 0) as [number, ...number[]];
  const { threshold_percent: threshold, min_baseline_events: needed } = config;
  const window = currentOf(config, moment);
  if (threshold < 0) {
    const offline = offlineIn(window, moment);
    if (offline !== undefined) return skipped(offline, current);
  }
  const baseline = expectation(config, moment, before);
  if ('why' in baseline) return skipped(baseline.why, current);
  const { events } = baseline;
  const heard = heardIn(window, moment);
  // A rise is not made out of the little that was heard.
  const length = threshold < 0 ? heard : window.to - window.from;
  const expected = (events * length) / baseline.heard;
  if (events < needed || expected === 0) {
    return skipped(`only ${roughly(events)} events in the baseline`, current);
  }
  const isNews =
    isFar(current, { events: events * length, per: baseline.heard }, threshold) &&
    !(config.beyond_chance && isChance(current, expected, config.baseline));
  if (isNews) return fires(current, messageOf(config, current, expected, window), expected);
  // Where nothing was heard at all, nothing has ended either.
  const isUnheard = current === 0 && heard === 0;
  return isUnheard ? skipped(offlineIn(window, moment) ?? '', 0) : quiet(current, expected);
}

/** Multiplied out, so that a change right at the threshold is not lost in a division. */
function isFar(current: number, usual: { events: number; per: number }, threshold: number) {
  const change = (current * usual.per - usual.events) * 100;
  const bound = threshold * usual.events;
  const blur = (current * usual.per + usual.events) * 100 * 8 * Number.EPSILON;
  return threshold < 0 ? change <= bound + blur : change >= bound - blur;
}

/**
 * Counts scatter by the root of what is expected. A baseline that is itself a count of one window
 * scatters as much again, the median of four less.
 */
function isChance(current: number, expected: number, baseline: Config['baseline']): boolean {
  const scatter = { average: 1, previous: 2, seasonal: 1.4 }[baseline];
  return Math.abs(current - expected) < BEYOND_CHANCE * Math.sqrt(scatter * expected);
}

function messageOf({ event_type: type }: Config, current: number, expected: number, window: Span) {
  const percent = Math.abs(((current - expected) / expected) * 100);
  const change = `${current < expected ? 'down' : 'up'} ${roughly(percent)}%`;
  const length = minutesText(window.to - window.from);
  return `${type} is ${change}: ${current} events in the last ${length}, ${roughly(expected)} expected`;
}

/** So many events in so much time that was listened to. */
interface Baseline {
  events: number;
  heard: number;
}

function expectation(
  config: Config,
  moment: Moment,
  counts: readonly number[],
): Baseline | { why: string } {
  const windows = baselineOf(config, moment);
  switch (config.baseline) {
    case 'average':
    case 'previous': {
      const [slice] = windows as [Span];
      const gone = forgotten(slice, moment.countedSince);
      if (gone !== undefined) return { why: gone };
      // By day or by night, what was not heard was not like the rest.
      const offline = offlineIn(slice, moment);
      if (offline !== undefined) return { why: `${offline}, in the baseline` };
      return { events: counts[0] ?? 0, heard: heardIn(slice, moment) };
    }
    case 'seasonal': {
      const weeks = windows
        .map((window, week) => ({ window, events: counts[week] ?? 0 }))
        .filter(({ window }) => forgotten(window, moment.countedSince) === undefined)
        .filter(({ window }) => offlineIn(window, moment) === undefined)
        .map(({ window, events }) => ({ events, heard: heardIn(window, moment) }));
      if (weeks.length < WEEKS_NEEDED) {
        return { why: `the collector listened at this time in ${weeks.length} of ${WEEKS} weeks` };
      }
      const { from, to } = currentOf(config, moment);
      const whole = weeks.map(({ events, heard }) => (events * (to - from)) / heard);
      return { events: usualOf(whole, config.threshold_percent), heard: to - from };
    }
    default:
      throw new Error(`The baseline ${String(config.baseline)} is not known`);
  }
}

function currentOf({ current_window_minutes: minutes }: Config, { at }: { at: number }): Span {
  return windowBefore(at, minutes);
}

function baselineOf(config: Config, moment: Moment): Span[] {
  const { from, to } = currentOf(config, moment);
  const length = Math.max(1, Math.round(config.comparison_window_hours * HOUR));
  switch (config.baseline) {
    case 'average':
      return [{ from: from - length, to: from }];
    case 'previous': {
      // So many days ago means at the same time of day, also when the clocks were changed since.
      const days = config.comparison_window_hours / 24;
      const end = Number.isInteger(days) ? moment.localTime.daysBefore(to, days) : to - length;
      return [{ from: end - (to - from), to: end }];
    }
    case 'seasonal':
      return Array.from({ length: WEEKS }, (_, week) => {
        const end = moment.localTime.daysBefore(to, 7 * (week + 1));
        return { from: end - (to - from), to: end };
      });
    default:
      throw new Error(`The baseline ${String(config.baseline)} is not known`);
  }
}

/**
 * The median. A week that was not heard might have been like the present, so it takes its place
 * on that side of the others.
 */
function usualOf(weeks: readonly number[], threshold: number): number {
  const fromPresent = [...weeks].sort((a, b) => (threshold < 0 ? a - b : b - a));
  const unheard = WEEKS - weeks.length;
  const middle = [1, 2].flatMap((place) => fromPresent[place - unheard] ?? []);
  return middle.reduce((sum, events) => sum + events, 0) / middle.length;
}
