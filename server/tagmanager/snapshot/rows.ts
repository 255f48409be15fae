import type { Definition, Kind } from '../api/schema.ts';
import { labelOf } from './label-words.ts';
import {
  conditionsIn,
  isRecord,
  listOf,
  parameterOf,
  recordsIn,
  textIn,
  textOf,
  textsIn,
} from './read.ts';
import { sectionsOf, parsed } from './tpl.ts';
import { typeNameOf } from './type-words.ts';
import type { Names } from './type-words.ts';
import { conditionWords, parameterWords, triggerName, yesOrNo } from './value-words.ts';

/** One setting of an object: in words for people, and as it is for those who compare. */
export interface Row {
  /** The same for the same setting, however it is called. */
  key: string;
  name: string;
  value: string;
  raw: unknown;
}

/** What says where an object lies, and not what it is. */
export const IGNORED: ReadonlySet<string> = new Set([
  ...['accountId', 'containerId', 'workspaceId', 'fingerprint', 'path', 'tagManagerUrl'],
  ...['tagId', 'triggerId', 'variableId', 'templateId'],
]);

type Writer = (object: Definition, names: Names) => Omit<Row, 'key' | 'raw'>;

const asTriggers =
  (name: string, property: string): Writer =>
  (object, names) => ({
    name,
    value: textsIn(object, property)
      .map((id) => triggerName(id, names))
      .join('\n'),
  });

const asConditions =
  (name: string, property: string): Writer =>
  (object) => ({ name, value: conditionsIn(object, property).map(conditionWords).join('\n') });

const asFlag =
  (name: string, property: string): Writer =>
  (object) => ({ name, value: yesOrNo(textIn(object, property)) });

const asText =
  (name: string, property: string): Writer =>
  (object) => ({ name, value: textIn(object, property) });

const asMoment =
  (name: string, property: string): Writer =>
  (object) => {
    const text = textIn(object, property);
    const time = new Date(Number(text));
    return { name, value: Number.isNaN(time.getTime()) ? text : time.toISOString() };
  };

const asNeighbour =
  (name: string, property: string, flag: string, words: string): Writer =>
  (object) => ({
    name,
    value: recordsIn(object, property)
      .map((one) => `${textIn(one, 'tagName')}${one[flag] === true ? ` (${words})` : ''}`)
      .join('\n'),
  });

const FIRING: Record<string, string> = {
  oncePerEvent: 'Once per event',
  oncePerLoad: 'Once per page',
  unlimited: 'Every time',
};

/** In the order in which they are shown; what is not among them comes after. */
const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ['name', asText('Name', 'name')],
  ['type', () => ({ name: 'Type', value: '' })],
  ['paused', asFlag('Paused', 'paused')],
  ['firingTriggerId', asTriggers('Fires on', 'firingTriggerId')],
  ['blockingTriggerId', asTriggers('Does not fire on', 'blockingTriggerId')],
  ['customEventFilter', asConditions('Event', 'customEventFilter')],
  ['autoEventFilter', asConditions('Listens where', 'autoEventFilter')],
  ['filter', asConditions('Fires when', 'filter')],
  ['parameter', () => ({ name: 'Parameters', value: '' })],
  ['enablingTriggerId', asTriggers('Switched on by', 'enablingTriggerId')],
  ['disablingTriggerId', asTriggers('Switched off by', 'disablingTriggerId')],
  ['formatValue', (object) => ({ name: 'Format', value: formatWords(object['formatValue']) })],
  [
    'priority',
    (object, names) => ({ name: 'Priority', value: anyWords(object['priority'], names) }),
  ],
  [
    'tagFiringOption',
    (object) => {
      const option = textIn(object, 'tagFiringOption');
      return { name: 'Fires', value: (Object.hasOwn(FIRING, option) && FIRING[option]) || option };
    },
  ],
  ['liveOnly', asFlag('Only when published', 'liveOnly')],
  ['scheduleStartMs', asMoment('From', 'scheduleStartMs')],
  ['scheduleEndMs', asMoment('Until', 'scheduleEndMs')],
  [
    'setupTag',
    asNeighbour('Fires first', 'setupTag', 'stopOnSetupFailure', 'and only if that succeeds'),
  ],
  [
    'teardownTag',
    asNeighbour('Fires after it', 'teardownTag', 'stopTeardownOnFailure', 'only if this succeeds'),
  ],
  [
    'consentSettings',
    (object) => ({ name: 'Consent', value: consentWords(object['consentSettings']) }),
  ],
  ['parentFolderId', asText('Folder', 'parentFolderId')],
  ['notes', asText('Notes', 'notes')],
]);

/** Every setting of an object that says something, each once. */
export function rowsOf(kind: Kind, object: Definition, names: Names): Row[] {
  const known = [...WRITERS.keys()].filter((property) => Object.hasOwn(object, property));
  const others = Object.keys(object).filter((key) => !WRITERS.has(key) && !IGNORED.has(key));
  return [...known, ...others.sort()]
    .filter((property) => !saysNothing(object[property]))
    .flatMap((property) => rowsFor(property, kind, object, names));
}

function rowsFor(property: string, kind: Kind, object: Definition, names: Names): Row[] {
  const raw = object[property];
  if (property === 'type') {
    return [{ key: property, name: 'Type', value: typeNameOf(kind, object, names), raw }];
  }
  if (property === 'parameter' && Array.isArray(raw)) return parameterRows(object, names);
  if (property === 'templateData') return sectionRows(textOf(raw));
  const writer = WRITERS.get(property);
  const words = writer?.(object, names) ?? { name: labelOf(property), value: anyWords(raw, names) };
  // In words that only we know, something else may be hidden: then it is shown as it is.
  return [{ key: property, ...words, value: words.value || plain(raw), raw }];
}

function parameterRows(object: Definition, names: Names): Row[] {
  const type = textIn(object, 'type');
  const seen = new Map<string, number>();
  return listOf(object['parameter']).map((raw) => {
    const parameter = parameterOf(raw);
    const count = (seen.get(parameter.key) ?? 0) + 1;
    seen.set(parameter.key, count);
    return {
      key: `parameter.${parameter.key}.${count}`,
      name: labelOf(parameter.key, type),
      value: parameterWords(parameter, names),
      raw,
    };
  });
}

const SECTIONS: Record<string, string> = {
  TERMS_OF_SERVICE: 'Terms of service',
  INFO: 'Info',
  TEMPLATE_PARAMETERS: 'Fields',
  SANDBOXED_JS_FOR_WEB_TEMPLATE: 'Code',
  SANDBOXED_JS_FOR_SERVER: 'Code',
  WEB_PERMISSIONS: 'Permissions',
  SERVER_PERMISSIONS: 'Permissions',
  TESTS: 'Tests',
  NOTES: 'Notes of the template',
};

function sectionRows(templateData: string): Row[] {
  const sections = [...sectionsOf(templateData)];
  if (sections.length === 0) {
    return [{ key: 'templateData', name: 'Code', value: templateData, raw: templateData }];
  }
  return sections
    .filter(([, text]) => text !== '')
    .map(([section, text]) => {
      const json = /^[[{]/.test(text) ? parsed(text) : undefined;
      return {
        key: `templateData.${section}`,
        name: SECTIONS[section] ?? labelOf(section.toLowerCase()),
        // A line for each thing in it, so that a difference shows what differs.
        value: json === undefined ? text : JSON.stringify(json, null, 2),
        raw: json ?? text,
      };
    });
}

function consentWords(value: unknown): string {
  if (!isRecord(value)) return '';
  const status = textIn(value, 'consentStatus');
  if (status === 'notNeeded') return 'None needed';
  if (status !== 'needed') return '';
  const types = parameterOf(value['consentType']).list.map((one) => one.value);
  return ['Needed:', ...types].join('\n');
}

function formatWords(value: unknown): string {
  if (!isRecord(value)) return '';
  return Object.entries(value)
    .map(([key, each]) => `${labelOf(key)}: ${anyWords(each, () => undefined)}`)
    .join('\n');
}

function anyWords(value: unknown, names: Names): string {
  if (isRecord(value) && typeof value['type'] === 'string') {
    const words = parameterWords(parameterOf(value), names);
    if (words !== '') return words;
  }
  return plain(value);
}

function plain(value: unknown): string {
  if (typeof value === 'boolean') return yesOrNo(String(value));
  return textOf(value) || JSON.stringify(value, null, 2);
}

/** The API leaves out what is not set, or says so: that is no difference. */
function saysNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (!isRecord(value)) return false;
  return Object.entries(value).every(
    ([key, each]) => key === 'type' || each === 'notSet' || saysNothing(each),
  );
}
