import { valueOf } from './read.ts';
import type { Condition, Parameter } from './read.ts';
import { labelOf } from './label-words.ts';
import type { Names } from './type-words.ts';
import { BUILT_IN_TRIGGERS } from './triggers.ts';

export const triggerName = (id: string, names: Names): string =>
  names('trigger', id) ?? BUILT_IN_TRIGGERS.get(id) ?? `Trigger ${id}`;

export const yesOrNo = (value: string): string =>
  value === 'true' ? 'Yes' : value === 'false' ? 'No' : value;

/** A list has a line for each of its items. */
export function parameterWords(parameter: Parameter, names: Names): string {
  const { type, value, list, map } = parameter;
  switch (type) {
    case 'list':
      return list.map((item) => itemWords(item, names)).join('\n');
    case 'map':
      return map.map((entry) => entryWords(entry, names)).join('\n');
    case 'boolean':
      return yesOrNo(value);
    case 'trigger_reference':
    case 'triggerReference':
      return triggerName(value, names);
    default:
      return value;
  }
}

/** The columns of tables that pair a name with a value, whatever they are called. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['parameter', 'parameterValue'],
  ['fieldName', 'value'],
  ['name', 'value'],
  ['key', 'value'],
  ['index', 'dimension'],
  ['index', 'metric'],
];

function itemWords(item: Parameter, names: Names): string {
  if (item.type !== 'map') return parameterWords(item, names).replaceAll('\n', '; ');
  for (const [left, right] of PAIRS) {
    const [name, value] = [left, right].map((key) => item.map.find((one) => one.key === key));
    if (item.map.length === 2 && name && value) {
      return `${parameterWords(name, names)}: ${parameterWords(value, names)}`;
    }
  }
  return item.map.map((entry) => entryWords(entry, names)).join(', ');
}

function entryWords(entry: Parameter, names: Names): string {
  const words = parameterWords(entry, names);
  return `${labelOf(entry.key)}: ${entry.list.length > 0 ? words.replaceAll('\n', '; ') : words}`;
}

/** As it is, and as it is not. */
const OPERATORS: Record<string, readonly [string, string]> = {
  equals: ['equals', 'does not equal'],
  contains: ['contains', 'does not contain'],
  startsWith: ['starts with', 'does not start with'],
  endsWith: ['ends with', 'does not end with'],
  matchRegex: ['matches the regex', 'does not match the regex'],
  greater: ['is greater than', 'is not greater than'],
  greaterOrEquals: ['is at least', 'is not at least'],
  less: ['is less than', 'is not less than'],
  lessOrEquals: ['is at most', 'is not at most'],
  cssSelector: ['matches the CSS selector', 'does not match the CSS selector'],
  urlMatches: ['matches the URL', 'does not match the URL'],
};

/** 'Page Path contains /checkout' */
export function conditionWords({ type, parameter }: Condition): string {
  const left = valueOf(parameter, 'arg0');
  const [is, isNot] = (Object.hasOwn(OPERATORS, type) ? OPERATORS[type] : undefined) ?? [
    type,
    `not ${type}`,
  ];
  const isNegated = valueOf(parameter, 'negate') === 'true';
  const words = [variableWords(left), isNegated ? isNot : is, valueOf(parameter, 'arg1')];
  if (valueOf(parameter, 'ignore_case') === 'true') words.push('(in capitals or not)');
  return words.join(' ');
}

function variableWords(text: string): string {
  const [, name] = /^\{\{(.+)\}\}$/.exec(text) ?? [];
  return name === '_event' ? 'Event' : (name ?? text);
}
