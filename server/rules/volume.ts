import type { Question } from '../events/questions.ts';
import type { View } from '../platform/settings-file.ts';
import type { Moment } from './moment.ts';
import { gapsIn, lengthOf } from './listening.ts';
import type { Span, Verdict, VolumeConfig } from './schema.ts';
import {
  fires,
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
/** A baseline of which less was listened to says nothing about the rest. */
const HEARD_SHARE_NEEDED = 0.25;

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
  const { events, heard, length } = baseline;
  const expected = (events * length) / heard;
  if (events < needed || expected === 0) {
    return skipped(`only ${roughly(events)} events in the baseline`, current);
  }
  // Multiplied out, so that a change right at the threshold is not lost in a division.
  const change = (current * heard - events * length) * 100;
  const bound = threshold * events * length;
  const isFar = threshold < 0 ? change <= bound : change >= bound;
  if (!isFar) return quiet(current, expected);
  return fires(current, messageOf(config, current, expected, window), expected);
}

function messageOf({ event_type: type }: Config, current: number, expected: number, window: Span) {
  const percent = Math.abs(((current - expected) / expected) * 100);
  const change = `${current < expected ? 'down' : 'up'} ${roughly(percent)}%`;
  const length = minutesText(window.to - window.from);
  return `${type} is ${change}: ${current} events in the last ${length}, ${roughly(expected)} expected`;
}

/** So many events while it was listened so long, and how long the recent window is. */
interface Baseline {
  events: number;
  heard: number;
  length: number;
}

function expectation(
  config: Config,
  moment: Moment,
  counts: readonly number[],
): Baseline | { why: string } {
  const windows = baselineOf(config, moment);
  /** Windows of one length are held against each other as they are. */
  const alike = { heard: 1, length: 1 };
  switch (config.baseline) {
    case 'average':
      return average(config, moment, windows[0] as Span, counts[0] ?? 0);
    case 'previous': {
      const offline = offlineIn(windows[0] as Span, moment);
      if (offline !== undefined) return { why: `${offline}, in the baseline` };
      const [events = 0] = counts;
      return { events, ...alike };
    }
    case 'seasonal': {
      const heard = counts.filter((_, week) => !offlineIn(windows[week] as Span, moment));
      if (heard.length < WEEKS_NEEDED) {
        return { why: `the collector listened at this time in ${heard.length} of ${WEEKS} weeks` };
      }
      return { events: median(heard), ...alike };
    }
    default:
      throw new Error(`The baseline ${String(config.baseline)} is not known`);
  }
}

/** Per time that was listened to: a night with the collector off is not a night without events. */
function average(
  config: Config,
  moment: Moment,
  slice: Span,
  events: number,
): Baseline | { why: string } {
  const length = slice.to - slice.from;
  const heard = length - lengthOf(gapsIn(moment.listening, slice));
  if (heard < length * HEARD_SHARE_NEEDED) {
    return { why: `${offlineIn(slice, moment) ?? 'collector was offline'}, in the baseline` };
  }
  const { from, to } = currentOf(config, moment);
  return { events, heard, length: to - from };
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
    case 'previous':
      return [{ from: from - length, to: to - length }];
    case 'seasonal':
      return Array.from({ length: WEEKS }, (_, week) => {
        const end = moment.localTime.weeksBefore(to, week + 1);
        return { from: end - (to - from), to: end };
      });
    default:
      throw new Error(`The baseline ${String(config.baseline)} is not known`);
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}
