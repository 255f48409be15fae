import type { RuleConfig } from '../../../lib/rule-words.ts';
import { describeRule } from '../../../lib/rule-words.ts';
import { measured, minutes } from '../../../lib/words.ts';
import { configOf } from './body.ts';
import { MAX_NAME } from './form.ts';
import type { Form, Typed } from './form.ts';
import { minutesOf } from './length.ts';
import type { Length } from './length.ts';

const isNothing = (value: Typed) => value === null || value === undefined;
const isNoLength = ({ amount }: Length) => isNothing(amount);

/** What still has to be said before the rule can be tried, in the order of the form. */
export function lacking(form: Form): string[] {
  const lacks: [boolean, string][] = [[form.eventType === '', 'an event type']];
  if (form.type === 'threshold') {
    lacks.push(
      [form.measure !== 'count' && form.path === '', 'the field to measure'],
      [isNothing(form.value), 'the value to compare with'],
      [isNoLength(form.window), 'the window'],
    );
  }
  if (form.type === 'missing_field') lacks.push([form.fields.length === 0, 'a required field']);
  if (form.type === 'volume') {
    lacks.push(
      [isNothing(form.percent), 'the percentage'],
      [isNoLength(form.current), 'the window'],
      [form.baseline !== 'seasonal' && isNoLength(form.comparison), 'what to compare with'],
      [isNothing(form.minimum), 'the least events in the baseline'],
    );
  }
  lacks.push([isNothing(form.consecutive), 'the checks in a row']);
  return lacks.flatMap(([is, what]) => (is ? [what] : []));
}

/** What the rule would be called if nobody called it otherwise. */
export function proposedName(form: Form): string {
  if (lacking(form).length > 0) return '';
  const name = nameOf(form);
  if (name.length <= MAX_NAME) return name;
  return `${name
    .slice(0, MAX_NAME - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`;
}

function nameOf(form: Form): string {
  const { eventType, type } = form;
  const isNone =
    (form.operator === '<' && form.value === 1) || (form.operator === '==' && form.value === 0);
  if (type === 'threshold' && form.measure === 'count' && isNone) {
    return `No ${eventType} for ${minutes(minutesOf(form.window) ?? 0)}`;
  }
  if (type === 'volume') {
    return `${eventType} ${form.direction === 'drop' ? 'drops' : 'rises'} by ${measured(form.percent ?? 0)}%`;
  }
  if (type === 'missing_field') return `${eventType} without ${form.fields.join(', ')}`;
  return sentence(form);
}

/** The rule as it is seen in lists, once nothing lacks. */
export function sentence(form: Form): string {
  return describeRule({ rule_type: form.type, config: configOf(form) as RuleConfig });
}
