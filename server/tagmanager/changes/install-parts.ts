import type { Definition } from '../api/schema.ts';
import { isObject } from './bodies.ts';

/** A parameter of a tag, a trigger or a condition, as the API has it. */
const text = (key: string, value: string) => ({ type: 'template', key, value });
const yesOrNo = (key: string, value: boolean) => ({ type: 'boolean', key, value: String(value) });

const EVERY_EVENT = '.*';

export function allEventsTrigger(name: string): Definition {
  const parameter = [text('arg0', '{{_event}}'), text('arg1', EVERY_EVENT)];
  return { name, type: 'customEvent', customEventFilter: [{ type: 'matchRegex', parameter }] };
}

/** With the fields of the template, as it has them by default. */
export function ourTag(name: string, type: string, key: string, trigger: string): Definition {
  return {
    name,
    type,
    parameter: [
      text('apiKey', key),
      text('triggerMode', 'all'),
      yesOrNo('captureDataLayer', false),
      yesOrNo('captureItems', true),
      yesOrNo('debugLogging', false),
    ],
    firingTriggerId: [trigger],
    tagFiringOption: 'oncePerEvent',
  };
}

export function keyIn(tag: Definition): string {
  return parameterOf(tag, 'apiKey') ?? '';
}

export function withKey(tag: Definition, key: string): Definition {
  const others = listIn(tag, 'parameter').filter(
    (one) => !(isObject(one) && one['key'] === 'apiKey'),
  );
  return { ...tag, parameter: [text('apiKey', key), ...others] };
}

export function triggersOf(tag: Definition): string[] {
  return listIn(tag, 'firingTriggerId').filter((id) => typeof id === 'string');
}

function parameterOf(object: Definition, key: string): string | undefined {
  const found = listIn(object, 'parameter').find((one) => isObject(one) && one['key'] === key);
  const value = isObject(found) ? found['value'] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function listIn(object: Definition, field: string): unknown[] {
  const list = object[field];
  return Array.isArray(list) ? (list as unknown[]) : [];
}
