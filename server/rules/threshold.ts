import type { Measure, Question } from '../events/questions.ts';
import type { View } from '../platform/settings-file.ts';
import type { Moment } from './moment.ts';
import type { Operator, ThresholdConfig, Verdict } from './schema.ts';
import { fires, forgotten, heardIn, offlineIn, quiet, skipped, windowBefore } from './verdict.ts';

type Config = View<ThresholdConfig>;

export function thresholdQuestions(tenant: string, config: Config, moment: Moment): Question[] {
  const { event_type, source, field } = config;
  const asked = { tenant, event_type, source, ...windowOf(config, moment) };
  const measure = measureOf(field);
  const isTotal = measure.of === 'sum' || measure.of === 'unique';
  return [{ ...asked, measure }, ...(isTotal ? [{ ...asked, measure: COUNT }] : [])];
}

/**
 * All of nothing is 0: without purchases there was no turnover. But where there were purchases and
 * none had a value, their turnover is not 0; it is not known.
 */
function measuredOf(field: string, answer: number | null, events: number | null): number | null {
  const isNothing = answer === null || (answer === 0 && field.startsWith('unique:'));
  if (isNothing) return events === 0 ? 0 : null;
  return withoutDust(field, answer);
}

export function judgeThreshold(
  config: Config,
  moment: Moment,
  [answer = null, events = null]: readonly (number | null)[],
): Verdict {
  const measured = measuredOf(config.field, answer, events);
  const { field, operator, value, window_minutes: minutes } = config;
  const window = windowOf(config, moment);
  const isTooLittle = TOO_LITTLE.has(operator);
  // What is left of a count can only be too small.
  const gone = forgotten(window, field === 'count' ? moment.countedSince : moment.keptSince);
  if (gone !== undefined && (isTooLittle || field !== 'count')) return skipped(gone);
  if (isTooLittle) {
    const offline = offlineIn(window, moment);
    if (offline !== undefined) return skipped(offline, measured ?? undefined);
  }
  if (measured === null) {
    const what = field.startsWith('unique:') ? 'value' : 'number';
    return skipped(`no ${config.event_type} event had a ${what} for ${field}`);
  }
  if (!holds(measured, operator, value)) {
    // Where nothing was heard at all, nothing has ended either.
    const isUnheard = measured === 0 && heardIn(window, moment) === 0;
    return isUnheard ? skipped(offlineIn(window, moment) ?? '', 0) : quiet(measured);
  }
  return fires(
    measured,
    `Threshold exceeded: ${measured} ${operator} ${value} in ${minutes} min window`,
  );
}

/** Adding up leaves more digits than there were: 0.1 and 0.2 must not be more than 0.3. */
function withoutDust(field: string, value: number): number {
  const rounded = /^(sum|avg):/.test(field) ? Number(value.toPrecision(15)) : value;
  return Number.isFinite(rounded) ? rounded : value;
}

/** These hold when nothing was received, which is also what a collector sees that is off. */
const TOO_LITTLE: ReadonlySet<Operator> = new Set(['<', '<=', '==']);

function holds(measured: number, operator: Operator, value: number): boolean {
  switch (operator) {
    case '>':
      return measured > value;
    case '<':
      return measured < value;
    case '>=':
      return measured >= value;
    case '<=':
      return measured <= value;
    case '==':
      return measured === value;
    default:
      throw new Error(`The operator ${String(operator)} is not known`);
  }
}

const COUNT: Measure = { of: 'count' };

const windowOf = ({ window_minutes: minutes }: Config, { at }: Moment) => windowBefore(at, minutes);

function measureOf(field: string): Measure {
  if (field === 'count') return COUNT;
  const colon = field.indexOf(':');
  const [of, path] = [field.slice(0, colon), field.slice(colon + 1)];
  switch (of) {
    case 'unique':
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
      return { of, path };
    default:
      throw new Error(`The field ${field} is not known`);
  }
}
