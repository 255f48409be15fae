import { plural } from '../../../lib/words.ts';
import { MAX_NAME } from './form.ts';
import type { Form, Typed } from './form.ts';
import { hoursOf, minutesOf } from './length.ts';

interface Fault {
  path: string;
  message: string;
}

const DAY = 1440;
const MOST_COUNTED = 30 * DAY;
/** Values are read from the events themselves, not from counts. */
const MOST_MEASURED = 7 * DAY;
const MOST_COMPARED = 90 * 24;
const MOST_CHECKS = 100;
const MOST_RISE = 1_000_000;

type Found = [key: string, is: boolean, message: string];

/**
 * What the server would refuse and can be told without asking it, worded and placed as its own
 * faults are. What is empty still lacks, which is something else.
 */
export function wrong(form: Form): Fault[] {
  const found = [...ofType(form), ...ofChecks(form.consecutive)];
  const faults = found.flatMap(([key, is, message]) =>
    is ? [{ path: `config.${key}`, message }] : [],
  );
  const over = form.name.trim().length - MAX_NAME;
  if (over > 0) faults.push({ path: 'name', message: `has ${plural(over, 'character')} too many` });
  return faults;
}

function ofType(form: Form): Found[] {
  if (form.type === 'threshold') {
    const isCount = form.measure === 'count';
    return ofLength('window_minutes', minutesOf(form.window), {
      most: isCount ? MOST_COUNTED : MOST_MEASURED,
      words: isCount ? '30 days' : '7 days for what is not a count',
    });
  }
  return form.type === 'volume' ? ofVolume(form) : [];
}

function ofVolume(form: Form): Found[] {
  const [current, hours] = [minutesOf(form.current), hoursOf(form.comparison)];
  return [
    ...ofPercent(form),
    ...ofLength('current_window_minutes', current, { most: MOST_MEASURED, words: '7 days' }),
    ...(form.baseline === 'seasonal' ? [] : ofComparison(form, current, hours)),
    ['min_baseline_events', isBelow(form.minimum, 0), 'must be 0 or more'],
  ];
}

function ofComparison(form: Form, current: number | null, hours: number | null): Found[] {
  const key = 'comparison_window_hours';
  const isShort =
    form.baseline === 'previous' && current !== null && hours !== null && hours * 60 < current;
  return [
    ...ofLength(key, hours, { most: MOST_COMPARED, words: '90 days' }),
    [key, isShort, 'must be at least as long as the window'],
  ];
}

function ofPercent({ direction, percent }: Form): Found[] {
  const key = 'threshold_percent';
  const isDrop = direction === 'drop';
  const most = isDrop ? 100 : MOST_RISE;
  const words = isDrop ? 'must be at most 100: no more can drop' : 'must be at most 1,000,000';
  return [
    [key, isBelow(percent, 0) || percent === 0, 'must be more than 0'],
    [key, isAbove(percent, most), words],
  ];
}

function ofLength(
  key: string,
  value: number | null,
  { most, words }: { most: number; words: string },
): Found[] {
  return [
    [key, value !== null && value <= 0, 'must be more than 0'],
    [key, isAbove(value, most), `must be at most ${words}`],
  ];
}

function ofChecks(checks: Typed): Found[] {
  const isOut = isBelow(checks, 1) || isAbove(checks, MOST_CHECKS);
  const isPart = checks !== null && checks !== undefined && !Number.isInteger(checks);
  return [['consecutive', isOut || isPart, `must be a whole number from 1 to ${MOST_CHECKS}`]];
}

const isBelow = (value: Typed, least: number) => (value ?? least) < least;
const isAbove = (value: Typed, most: number) => (value ?? most) > most;
