import type { TimeRange } from '$server/http/schema.ts';
import { between, moment } from '../../lib/words.ts';

/** Which events are looked at, as the address says it. */
export interface Filter {
  event_type: string;
  source: string;
  text: string;
  /** Only events whose data lacks this path. */
  missing: string;
  /** How far back from now; empty: as far as there is. */
  range: string;
  /** Exact times, which go before the range. */
  since: string;
  until: string;
}

export const EMPTY: Filter = {
  event_type: '',
  source: '',
  text: '',
  missing: '',
  range: '',
  since: '',
  until: '',
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const SPANS: Record<string, { span: number; words: string }> = {
  '15m': { span: 15 * MINUTE, words: 'Last 15 minutes' },
  '1h': { span: HOUR, words: 'Last hour' },
  '24h': { span: DAY, words: 'Last 24 hours' },
  '7d': { span: 7 * DAY, words: 'Last 7 days' },
  '30d': { span: 30 * DAY, words: 'Last 30 days' },
};

/** What activity can be asked for. */
export const CHARTS: { range: TimeRange; span: number; words: string }[] = [
  { range: '1h', span: HOUR, words: 'in the last hour' },
  { range: '24h', span: DAY, words: 'in the last 24 hours' },
  { range: '7d', span: 7 * DAY, words: 'in the last 7 days' },
  { range: '30d', span: 30 * DAY, words: 'in the last 30 days' },
];

export function filterOf(query: URLSearchParams): Filter {
  const time = (name: string) => {
    const value = query.get(name) ?? '';
    return Number.isNaN(Date.parse(value)) ? '' : new Date(value).toISOString();
  };
  const range = query.get('range') ?? '';
  return {
    // As the page of types calls it.
    event_type: query.get('event_type') ?? query.get('type') ?? '',
    source: query.get('source') ?? '',
    text: query.get('text') ?? '',
    missing: query.get('missing') ?? '',
    range: Object.hasOwn(SPANS, range) ? range : '',
    since: time('since'),
    until: time('until'),
  };
}

/** What the list is asked with; a range counts back from now. */
export function queryOf({ range, ...filter }: Filter, now: number): Omit<Filter, 'range'> {
  const span = SPANS[range]?.span;
  if (span === undefined || filter.since || filter.until) return filter;
  return { ...filter, since: new Date(now - span).toISOString() };
}

/** The same selection with an end; a range counts back from now, so its begin must be settled. */
export function addressBefore(until: number, query: URLSearchParams, since: string): string {
  const changed = new URLSearchParams(query);
  changed.delete('event');
  if (since) changed.set('since', since);
  changed.set('until', new Date(until).toISOString());
  return `/events?${changed.toString()}`;
}

/** Events that come in now can only be among those looked at while the time is open at the end. */
export const isOpen = ({ until, missing }: Filter): boolean => until === '' && missing === '';

export const isFiltered = (filter: Filter): boolean =>
  Object.values(filter).some((value) => value !== '');

/** What activity is asked with, to count the time looked at; a day where all times are. */
export function activityOf(
  { range, since, until }: Filter,
  now: number,
): { time_range?: TimeRange; since?: string; until?: string } {
  if (since || until) {
    const from = since || new Date((until ? Date.parse(until) : now) - DAY).toISOString();
    return { since: from, ...(until && { until }) };
  }
  const span = SPANS[range]?.span ?? DAY;
  const chart = CHARTS.find((one) => one.span === span);
  return chart ? { time_range: chart.range } : { since: new Date(now - span).toISOString() };
}

/** The shortest range that goes back so far; the longest where none does. */
export function rangeBackTo(at: number, now: number): TimeRange {
  return CHARTS.find(({ span }) => span >= now - at)?.range ?? '30d';
}

/** What the bars of a chart cover, which may be a little more than what was asked for. */
export function coveredWords(
  times: readonly number[],
  until: string | undefined,
  now: number,
): string {
  const [first = 0, second = first + MINUTE] = times;
  const end = (times.at(-1) ?? first) + second - first;
  if (!until || Date.parse(until) > now) return `since ${moment(first, now)}`;
  return `between ${between(first, end, now)}`;
}

/** The whole bars of a chart that a drag touches, by the times at which they begin. */
export function pickedOf(times: readonly number[], from: number, to: number) {
  const [first = 0, second = first + MINUTE] = times;
  const step = second - first;
  return {
    since: first + Math.floor((from - first) / step) * step,
    until: first + Math.ceil((to - first) / step) * step,
  };
}

/** As the browser's own field for times has it: local, to the minute. */
export function localTime(iso: string): string {
  if (!iso) return '';
  const at = new Date(iso);
  // Setting the minutes instead would go astray around a change of the clocks.
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE).toISOString().slice(0, 16);
}
