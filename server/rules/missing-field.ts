import type { Question } from '../events/questions.ts';
import type { View } from '../platform/settings-file.ts';
import type { Moment } from './moment.ts';
import type { Judgement, MissingFieldConfig } from './schema.ts';
import { fires, MINUTE, minutesText, quiet, skipped } from './verdict.ts';

type Config = View<MissingFieldConfig>;

const AT_LEAST = 15 * MINUTE;

/** How many events there were, then for each field how many of them lack it. */
export function missingFieldQuestions(tenant: string, config: Config, moment: Moment): Question[] {
  const about = { tenant, event_type: config.event_type, ...windowOf(moment) };
  return [
    { ...about, measure: { of: 'count' } },
    ...config.required_fields.map((path) => ({
      ...about,
      measure: { of: 'lacking' as const, path },
    })),
  ];
}

export function judgeMissingField(
  { event_type: type, required_fields: fields }: Config,
  moment: Moment,
  [events, ...counts]: readonly (number | null)[],
): Judgement {
  if (!events) return skipped(`no ${type} events to look at`);
  const missing = fields
    .map((field, index) => ({ field, count: counts[index] ?? 0 }))
    .filter(({ count }) => count > 0);
  if (missing.length === 0) return quiet(0);
  const { from, to } = windowOf(moment);
  const each = missing.map(({ field, count }) => `${field} in ${count}`).join(', ');
  const message = `Missing fields: ${each} of ${events} ${type} events in the last ${minutesText(to - from)}`;
  const most = Math.max(...missing.map(({ count }) => count));
  const lacking = { fields: missing.map(({ field }) => field), minutes: (to - from) / MINUTE };
  return { ...fires(most, message), lacking };
}

/** What came since the last time, so that no event is passed over when a cycle was late. */
function windowOf({ at, since }: Moment) {
  return { from: Math.min(at - AT_LEAST, since ?? at), to: at };
}
