import type { Definition, Kind } from '../../../server/tagmanager/api/schema.ts';
import { templateFor } from '../../../server/tagmanager/template.ts';

/* Objects as the tag manager's API answers with them. */

export const CONTAINER = '42';
export const URL = 'https://events.shop.example';

export type Objects = Record<Kind, Definition[]>;

export const objects = (given: Partial<Objects> = {}): Objects => ({
  template: [],
  variable: [],
  trigger: [],
  tag: [],
  ...given,
});

export function anObject(kind: Kind, id: string, given: Definition = {}): Definition {
  const path = `accounts/1/containers/${CONTAINER}/workspaces/7/${kind}s/${id}`;
  return {
    path,
    accountId: '1',
    containerId: CONTAINER,
    workspaceId: '7',
    [`${kind}Id`]: id,
    name: `${kind} ${id}`,
    fingerprint: `1700000000${id}`,
    tagManagerUrl: `https://tagmanager.google.com/#/container/${path}?apiLink=${kind}`,
    ...given,
  };
}

export const text = (key: string, value: string) => ({ type: 'template', key, value });
export const flag = (key: string, value: boolean) => ({ type: 'boolean', key, value: `${value}` });

export const condition = (type: string, left: string, right: string, ...more: Definition[]) => ({
  type,
  parameter: [text('arg0', left), text('arg1', right), ...more],
});

export const EVERY_EVENT = {
  name: 'All events',
  type: 'customEvent',
  customEventFilter: [condition('matchRegex', '{{_event}}', '.*')],
};

export const ALL_EVENTS = anObject('trigger', '90', EVERY_EVENT);

export const ourTemplate = (given: Definition = {}, url = URL): Definition =>
  anObject('template', '80', { name: 'Vedette', templateData: templateFor(url), ...given });

export const OUR_TAG = {
  name: 'Vedette',
  parameter: [text('apiKey', 'vk_123'), text('triggerMode', 'all')],
  tagFiringOption: 'oncePerEvent',
  monitoringMetadata: { type: 'map' },
  consentSettings: { consentStatus: 'notSet' },
};

export const ourTag = (given: Definition = {}): Definition =>
  anObject('tag', '70', {
    ...OUR_TAG,
    ...{ type: `cvt_${CONTAINER}_80`, firingTriggerId: ['90'] },
    ...given,
  });

/** Our template, its tag on all events. */
export const installed = (): Objects =>
  objects({ template: [ourTemplate()], trigger: [ALL_EVENTS], tag: [ourTag()] });

export interface Sizes {
  tags: number;
  triggers: number;
  variables: number;
}

const ids = (count: number, from: number) =>
  Array.from({ length: count }, (_, i) => ({ i, id: String(from + i) }));

const SCRIPT = `<script>\n  (function () {\n    window.push({${'a:{b:{}},'.repeat(60)}});\n  })();\n</script>\n`;

/** A container as they grow over the years, with ours in it. */
export function bigContainer({ tags, triggers, variables }: Sizes): Objects {
  const ours = installed();
  const variable = ids(variables, 20_000).map(({ i, id }) =>
    anObject('variable', id, {
      name: `DLV - field ${i}`,
      type: i % 3 === 0 ? 'jsm' : 'v',
      parameter:
        i % 3 === 0
          ? [text('javascript', `function () { return {{DLV - field ${i + 1}}} || {a:{}}; }`)]
          : [{ type: 'integer', key: 'dataLayerVersion', value: '2' }, text('name', `f.${i}`)],
    }),
  );
  const trigger = ids(triggers, 10_000).map(({ i, id }) =>
    anObject('trigger', id, {
      name: `Click on ${i}`,
      type: i % 2 === 0 ? 'click' : 'pageview',
      filter: [condition('contains', `{{DLV - field ${i % variables}}}`, `/part-${i}`)],
    }),
  );
  const tag = ids(tags, 1_000).map(({ i, id }) =>
    anObject('tag', id, {
      name: `GA4 - event ${i}`,
      type: i % 4 === 0 ? 'html' : 'gaawe',
      parameter:
        i % 4 === 0
          ? [text('html', `${SCRIPT}{{DLV - field ${i % variables}}}`)]
          : [
              text('eventName', `event_${i}`),
              {
                type: 'list',
                key: 'eventSettingsTable',
                list: ids(8, 0).map(({ i: n }) => ({
                  type: 'map',
                  map: [
                    text('parameter', `p${n}`),
                    text('parameterValue', `{{DLV - field ${(i + n) % variables}}}`),
                  ],
                })),
              },
            ],
      firingTriggerId: [String(10_000 + (i % triggers))],
      tagFiringOption: 'oncePerEvent',
    }),
  );
  return {
    template: ours.template,
    variable,
    trigger: [...ours.trigger, ...trigger],
    tag: [...ours.tag, ...tag],
  };
}
