import type { EventCount, EventFields } from '$server/events/schema.ts';
import { hasType } from './names.ts';
import type { NewRule, RuleView, Severity } from '$server/rules/schema.ts';
import { isVital, titled } from './type-names.ts';
import { count, minutes, plural } from './words.ts';

export interface Suggestion {
  draft: NewRule;
  /** What it was concluded from, and what the rule then does. */
  why: string;
}

interface Seen {
  /** Of the last 30 days. */
  counts: readonly EventCount[];
  /** Of as many types as are known; the others get no rule about their fields. */
  fields: readonly EventFields[];
  existing: readonly Pick<RuleView, 'rule_type' | 'config'>[];
  now?: number;
}

/** What the dashboard sends to try the way; nobody wants a rule about it. */
export const TEST_EVENT = { source: 'vedette', event_type: 'test_event' } as const;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MOST_TYPES = 4;
const MOST_FIELDS = 20;
const WINDOWS = [60, 120, 240, 480, 720, 1440];
const LONG_WINDOWS = [1440, 2880, 4320, 10_080];
/** So many are expected in the window on average, that even a night hardly has none. */
const STOPPED_FROM = 40;
/** Whole days have no night that is quieter than they are. */
const RARELY_FROM = 10;
const VOLUME_FROM = 20;
/** The same weekday is compared, so there must have been two of it. */
const VOLUME_AFTER_DAYS = 14;
const FIELDS_FROM = 20;
const ALWAYS = 0.99;

/** The first rules that make sense for what has been seen, the most vital types first. */
export function suggestRules(seen: Seen): Suggestion[] {
  const taken = new Set(seen.existing.map(subject));
  return watched(seen)
    .flatMap((type) => [stopped(type), unusual(type), incomplete(type, seen.fields)])
    .filter((found) => found !== undefined)
    .filter(({ draft }) => !taken.has(subject(draft)));
}

/** The types that rules would be suggested for, whose fields are worth asking for. */
export function typesToWatch({ counts, now }: Pick<Seen, 'counts' | 'now'>): string[] {
  return watched({ counts, ...(now !== undefined && { now }) }).map(({ name }) => name);
}

/** What cannot be suggested yet, and from when on it can; empty when nothing is left out. */
export function stillToCome(seen: Pick<Seen, 'counts' | 'fields' | 'now'>): string[] {
  const types = watched(seen);
  if (types.length === 0) return [];
  const words: string[] = [];
  if (types.every(({ days }) => days < VOLUME_AFTER_DAYS)) {
    words.push('Comparing with a usual day needs two weeks of events.');
  }
  if (types.every(({ name }) => sampled(name, seen.fields) < FIELDS_FROM)) {
    words.push(`Which fields are always there is known after ${FIELDS_FROM} events of a type.`);
  }
  return words;
}

interface Type {
  name: string;
  count: number;
  /** How long it has been coming. */
  days: number;
  perMinute: number;
  isVital: boolean;
}

function watched({ counts, now = Date.now() }: Pick<Seen, 'counts' | 'now'>): Type[] {
  const byName = Map.groupBy(counts.filter(hasType).filter(isReal), ({ event_type }) => event_type);
  const types = [...byName].map(([name, entries]): Type & { isLive: boolean } => {
    const total = entries.reduce((sum, entry) => sum + entry.count, 0);
    const first = Math.min(...entries.map(({ first_seen }) => Date.parse(first_seen)));
    const last = Math.max(...entries.map(({ last_seen }) => Date.parse(last_seen)));
    const time = Math.min(Math.max(now - first, HOUR), 30 * DAY);
    return {
      name,
      count: total,
      days: time / DAY,
      perMinute: (total / time) * 60_000,
      isVital: isVital(name),
      isLive: now - last < 7 * DAY,
    };
  });
  return types
    .filter(({ isLive, name }) => isLive && name !== '' && name.length <= 1000)
    .sort((a, b) => Number(b.isVital) - Number(a.isVital) || b.count - a.count)
    .slice(0, MOST_TYPES);
}

function stopped(type: Type): Suggestion | undefined {
  const { name, perMinute, days } = type;
  const known =
    WINDOWS.find((window) => perMinute * window >= STOPPED_FROM) ??
    LONG_WINDOWS.find((window) => perMinute * window >= RARELY_FROM);
  const isYoung = days < 1;
  // What comes less than about once a day is not missed when a week has none.
  if (known === undefined && !isYoung) return undefined;
  const window = isYoung ? 1440 : (known ?? 1440);
  const until = `Fires when there is none for ${minutes(window)}`;
  const why = isYoung
    ? `${plural(type.count, 'has', 'have')} come so far. ${until}; change that when you know how often it comes.`
    : `${plural(Math.round(perMinute * window), 'comes', 'come')} in ${minutes(window)} on average. ${until}.`;
  return {
    why,
    draft: {
      ...named(`${titled(name)} stopped`),
      rule_type: 'threshold',
      config: {
        event_type: name,
        field: 'count',
        operator: '<',
        value: 1,
        window_minutes: window,
        ...grave(type.isVital ? 'critical' : 'warning'),
      },
    },
  };
}

function unusual({ name, perMinute, days }: Type): Suggestion | undefined {
  const window = WINDOWS.find((minutes) => perMinute * minutes >= VOLUME_FROM);
  if (window === undefined || days < VOLUME_AFTER_DAYS) return undefined;
  return {
    why: `Compares ${minutes(window)} with the same hours on the same weekday of the last weeks. Fires when there are less than half as many, and more is missing than chance explains.`,
    draft: {
      ...named(`${titled(name)} against a usual day`),
      rule_type: 'volume',
      config: {
        event_type: name,
        threshold_percent: -50,
        current_window_minutes: window,
        comparison_window_hours: 168,
        min_baseline_events: 10,
        baseline: 'seasonal',
        beyond_chance: true,
        ...grave('warning'),
      },
    },
  };
}

function incomplete({ name }: Type, all: readonly EventFields[]): Suggestion | undefined {
  const known = all.find(({ event_type }) => event_type === name);
  if (!known || known.sampled < FIELDS_FROM) return undefined;
  const filled = known.fields
    .filter(({ in_list, path }) => !in_list && isNameable(path))
    .filter((field) => field.filled >= known.sampled * ALWAYS)
    .map(({ path }) => path);
  // What is inside says that its surroundings are there.
  const leaves = filled.filter((path) => !filled.some((other) => other.startsWith(`${path}.`)));
  if (leaves.length === 0) return undefined;
  const required = leaves.slice(0, MOST_FIELDS);
  const share = leaves.length === 1 ? 'This field is' : `These ${leaves.length} fields are`;
  const cut = leaves.length > MOST_FIELDS ? ` The first ${MOST_FIELDS} are asked for.` : '';
  return {
    why: `${share} filled in at least 99 of 100 of the last ${count(known.sampled)} events.${cut} Fires when one of them is missing.`,
    draft: {
      ...named(`${titled(name)} without required fields`),
      rule_type: 'missing_field',
      config: { event_type: name, required_fields: required, ...grave('warning') },
    },
  };
}

const sampled = (name: string, fields: readonly EventFields[]) =>
  fields.find(({ event_type }) => event_type === name)?.sampled ?? 0;

const isReal = ({ source, event_type }: EventCount) =>
  source !== TEST_EVENT.source || event_type !== TEST_EVENT.event_type;

/** Rules take no paths that nobody could write. */
const isNameable = (path: string) =>
  path !== '' && path.length <= 500 && path.isWellFormed() && !/\p{Cc}/u.test(path);

const grave = (severity: Severity) => ({ severity, consecutive: 1 });
const named = (name: string) => ({ name, is_active: true, tags: [], category: null });

/** Two rules about the same are one too many. */
function subject({ rule_type, config }: Pick<RuleView, 'rule_type' | 'config'>): string {
  const direction =
    'operator' in config
      ? config.operator.startsWith('>')
        ? 'many'
        : 'few'
      : 'threshold_percent' in config && config.threshold_percent > 0
        ? 'many'
        : 'few';
  return JSON.stringify([rule_type, config.event_type, direction]);
}
