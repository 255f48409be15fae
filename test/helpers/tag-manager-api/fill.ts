import type { tagmanager_v2 } from '@googleapis/tagmanager';
import type { ObjectVerbs } from './objects.ts';
import type { Body } from './references.ts';
import type { Place, World } from './world.ts';

type Tag = tagmanager_v2.Schema$Tag;
type Trigger = tagmanager_v2.Schema$Trigger;
type Variable = tagmanager_v2.Schema$Variable;
type Parameter = tagmanager_v2.Schema$Parameter;

export interface Amounts {
  tags: number;
  triggers: number;
  variables: number;
  folders: number;
}

const BUILT_INS: Record<string, string> = {
  ...{ pageUrl: 'Page URL', pageHostname: 'Page Hostname', pagePath: 'Page Path' },
  ...{ referrer: 'Referrer', event: 'Event', clickElement: 'Click Element' },
  ...{ clickClasses: 'Click Classes', clickId: 'Click ID', clickUrl: 'Click URL' },
  ...{ clickText: 'Click Text', formId: 'Form ID' },
};

const ALL_PAGES = '2147479553';
const AREAS = ['Shop', 'Checkout', 'Account', 'Search', 'Blog', 'Newsletter', 'Help', 'Stores'];
const EVENTS = ['view_item', 'add_to_cart', 'begin_checkout', 'purchase', 'login', 'search'];
const CONSENT = ['ad_storage', 'analytics_storage'];

/** The same objects each time, of the kinds that a shop's container has, standing on one another. */
export function fill(
  { world, objects }: { world: World; objects: ObjectVerbs },
  place: Place,
  { tags = 12, triggers = 8, variables = 10, folders = 3 }: Partial<Amounts>,
): void {
  const { content } = world.workspaceOf(place);
  const { accountId, containerId } = place;
  for (const [type, name] of Object.entries(BUILT_INS)) {
    content.builtInVariable.set(type, { accountId, containerId, type, name });
  }
  const folderIds = times(folders, (i) => {
    const made = objects.insert(place, 'folder', { name: `${of(AREAS, i)} ${i + 1}` });
    return made.folderId ?? '';
  });
  const names = times(variables, (i) => {
    const variable = variableOf(i, folderIds);
    objects.insert(place, 'variable', variable as Body);
    return variable.name ?? '';
  });
  const triggerIds: string[] = [];
  times(triggers, (i) => {
    const trigger = triggerOf(i, { folderIds, names, triggerIds });
    triggerIds.push(objects.insert(place, 'trigger', trigger as Body).triggerId ?? '');
  });
  const tagNames: string[] = [];
  times(tags, (i) => {
    const tag = tagOf(i, { folderIds, names, triggerIds, tagNames });
    objects.insert(place, 'tag', tag as Body);
    tagNames.push(tag.name ?? '');
  });
}

interface Made {
  folderIds: string[];
  names: string[];
  triggerIds: string[];
}

function variableOf(i: number, folderIds: string[]): Variable {
  const area = of(AREAS, i);
  const about = inFolder(folderIds, i);
  if (i % 5 === 3) {
    const javascript = `function() {\n  var items = window.dataLayer || [];\n  return items.length > ${i};\n}`;
    const parameter = [template('javascript', javascript)];
    return { name: `JS - ${area} ${i + 1}`, type: 'jsm', parameter, ...about };
  }
  if (i % 5 === 4) {
    const parameter = [template('value', `G-${String(i).padStart(8, '0')}`)];
    return { name: `Const - ${area} ${i + 1}`, type: 'c', parameter, ...about };
  }
  const key = `ecommerce.${area.toLowerCase()}.field${i + 1}`;
  const parameter = [
    { type: 'integer', key: 'dataLayerVersion', value: '2' },
    { type: 'boolean', key: 'setDefaultValue', value: 'false' },
    template('name', key),
  ];
  return { name: `DLV - ${key}`, type: 'v', parameter, ...about };
}

function triggerOf(i: number, { folderIds, names, triggerIds }: Made): Trigger {
  const area = of(AREAS, i);
  const about = inFolder(folderIds, i);
  const path = condition('contains', '{{Page Path}}', `/${area.toLowerCase()}/${i + 1}`);
  switch (i % 6) {
    case 0: {
      const event = `${of(EVENTS, i)}_${i + 1}`;
      const customEventFilter = [condition('equals', '{{_event}}', event)];
      const filter = names.length > 0 ? [condition('equals', `{{${of(names, i)}}}`, 'true')] : [];
      const name = `CE - ${event}`;
      return {
        name,
        type: 'customEvent',
        customEventFilter,
        ...(filter[0] && { filter }),
        ...about,
      };
    }
    case 1:
      return { name: `PV - ${area} ${i + 1}`, type: 'pageview', filter: [path], ...about };
    case 2: {
      const filter = [
        condition('cssSelector', '{{Click Element}}', `.buy-${i + 1}, .buy-${i + 1} *`),
      ];
      return { name: `Click - ${area} ${i + 1}`, type: 'click', filter, ...about };
    }
    case 3: {
      const waits = { type: 'boolean', value: 'true' };
      return {
        ...{ name: `Link - ${area} ${i + 1}`, type: 'linkClick', ...about },
        ...{ waitForTags: waits, checkValidation: { type: 'boolean', value: 'false' } },
        waitForTagsTimeout: template(undefined, '2000'),
        filter: [condition('matchRegex', '{{Click URL}}', `^https://out${i + 1}\\.`)],
      };
    }
    case 4: {
      const members = triggerIds.slice(-2);
      const list = members.map((value) => ({ type: 'triggerReference', value }));
      const parameter = [{ type: 'list', key: 'triggerIds', list }];
      return { name: `Group - ${area} ${i + 1}`, type: 'triggerGroup', parameter, ...about };
    }
    default: {
      const name = `DOM - not ${area} ${i + 1}`;
      return { name, type: 'domReady', filter: [negated(path)], ...about };
    }
  }
}

function tagOf(i: number, made: Made & { tagNames: string[] }): Tag {
  const { folderIds, names, triggerIds, tagNames } = made;
  const first = triggerIds.length === 0 ? ALL_PAGES : of(triggerIds, i);
  const shared = {
    ...{ firingTriggerId: i % 9 === 8 ? [first, ALL_PAGES] : [first], ...inFolder(folderIds, i) },
    tagFiringOption: 'oncePerEvent',
    ...(i % 7 === 6 && triggerIds.length > 1 && { blockingTriggerId: [of(triggerIds, i + 1)] }),
    ...(i % 13 === 12 && { paused: true }),
    ...(i % 11 === 10 && { notes: `Asked for by ${of(AREAS, i)}, see ticket ${1000 + i}` }),
    monitoringMetadata: { type: 'map' },
  };
  const value = names.length > 0 ? `{{${of(names, i)}}}` : 'none';
  if (i % 4 === 3) {
    const before = tagNames.at(-1);
    return {
      ...{ name: `HTML - ${of(AREAS, i)} ${i + 1}`, type: 'html', ...shared },
      parameter: [template('html', snippet(i, value)), flag('supportDocumentWrite', false)],
      ...(i % 16 === 15 && before !== undefined && { setupTag: [{ tagName: before }] }),
      consentSettings: { consentStatus: 'needed', consentType: consent() },
    };
  }
  if (i % 8 === 2) {
    const parameter = [
      template('url', `https://pixel${i}.example/p?v=${value}`),
      flag('useCacheBuster', true),
    ];
    return { name: `Pixel - ${of(AREAS, i)} ${i + 1}`, type: 'img', ...shared, parameter };
  }
  const event = of(EVENTS, i);
  const list = ['currency', 'value'].map((key) => ({
    ...{ type: 'map', map: [template('parameter', key), template('parameterValue', value)] },
  }));
  return {
    ...{ name: `GA4 - ${event} ${i + 1}`, type: 'gaawe', ...shared },
    consentSettings: { consentStatus: 'notSet' },
    parameter: [
      ...[flag('sendEcommerceData', i % 2 === 0), template('eventName', event)],
      ...[template('measurementIdOverride', 'G-00000001')],
      { type: 'list', key: 'eventSettingsTable', list },
    ],
  };
}

function snippet(i: number, value: string): string {
  const lines = times(12, (line) => `  var step${line} = '${value}' + ${i * line};`);
  return `<script>\n(function () {\n${lines.join('\n')}\n})();\n</script>`;
}

function consent(): Parameter {
  return { type: 'list', list: CONSENT.map((value) => template(undefined, value)) };
}

function condition(type: string, left: string, right: string): tagmanager_v2.Schema$Condition {
  return { type, parameter: [template('arg0', left), template('arg1', right)] };
}

function negated({ type, parameter = [] }: tagmanager_v2.Schema$Condition) {
  return { type: type ?? '', parameter: [...parameter, flag('negate', true)] };
}

function template(key: string | undefined, value: string): Parameter {
  return { type: 'template', ...(key !== undefined && { key }), value };
}

function flag(key: string, value: boolean): Parameter {
  return { type: 'boolean', key, value: String(value) };
}

/** Two of three objects are in a folder. */
function inFolder(folderIds: string[], i: number): { parentFolderId?: string } {
  return folderIds.length === 0 || i % 3 === 0 ? {} : { parentFolderId: of(folderIds, i) };
}

function of<T>(all: readonly T[], i: number): T {
  return all[i % all.length] as T;
}

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}
