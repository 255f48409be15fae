import type { Definition } from '../api/schema.ts';
import { conditionsIn, valueOf } from './read.ts';

/** They are in every container, and in no list. */
export const BUILT_IN_TRIGGERS: ReadonlyMap<string, string> = new Map([
  ['2147479553', 'All Pages'],
  ['2147479572', 'Consent Initialization - All Pages'],
  ['2147479573', 'Initialization - All Pages'],
]);

/** Where tags name their triggers; and, in containers of apps, the variables that some switch. */
export const TRIGGER_FIELDS = [
  ...['firingTriggerId', 'blockingTriggerId'],
  ...['enablingTriggerId', 'disablingTriggerId'],
];

const ANYTHING = new Set(['.*', '.+', '^.*', '.*$', '^.*$', '^.+$', '(.*)']);

/** Whether it fires on every event of the container, whatever its name. */
export function isAllEvents(trigger: Definition): boolean {
  if (trigger['type'] !== 'customEvent') return false;
  if (conditionsIn(trigger, 'filter').length > 0) return false;
  if (conditionsIn(trigger, 'autoEventFilter').length > 0) return false;
  const [condition, ...others] = conditionsIn(trigger, 'customEventFilter');
  if (condition === undefined || others.length > 0) return false;
  const { type, parameter } = condition;
  return (
    type === 'matchRegex' &&
    valueOf(parameter, 'arg0') === '{{_event}}' &&
    ANYTHING.has(valueOf(parameter, 'arg1')) &&
    valueOf(parameter, 'negate') !== 'true'
  );
}
