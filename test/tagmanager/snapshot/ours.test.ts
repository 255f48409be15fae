import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Definition } from '../../../server/tagmanager/api/schema.ts';
import { onlyOurs, oursIn } from '../../../server/tagmanager/snapshot/ours.ts';
import { templateFor } from '../../../server/tagmanager/template.ts';
import {
  ALL_EVENTS,
  anObject,
  condition,
  flag,
  installed,
  objects,
  ourTag,
  ourTemplate,
  URL,
} from './objects.ts';

const FILE = templateFor(URL);
const standard = { template: templateFor('https://any.example'), addresses: [URL] };

const judged = (templateData: string, more: Definition = {}) =>
  oursIn(objects({ template: [ourTemplate({ templateData, ...more })] }), standard).templates[0];

const sections = (file = FILE) => file.split(/^(?=___[A-Z_]+___$)/m);

/** The file with one of its JSON sections rewritten. */
function rewritten(section: string, change: (value: never) => unknown): string {
  return sections()
    .map((text) => {
      if (!text.startsWith(`___${section}___`)) return text;
      const [marker = '', ...rest] = text.split('\n\n');
      return `${marker}\n\n${JSON.stringify(change(JSON.parse(rest.join('\n\n')) as never))}\n\n`;
    })
    .join('');
}

interface Info {
  displayName: string;
  brand?: { displayName: string };
}

describe('our template', () => {
  it('is known as it is handed out', () => {
    expect(judged(FILE)).toEqual({
      id: '80',
      name: 'Vedette',
      origin: 'local',
      state: 'current',
      sends_to: URL,
    });
  });

  it.each([
    ['with a byte order mark', `\uFEFF${FILE}`],
    ['with the line ends of Windows', FILE.replaceAll('\n', '\r\n')],
    ['with blanks behind the markers', FILE.replace(/^(___\w+___)$/gm, '$1  ')],
    ['in another order of its sections', sections().reverse().join('\n')],
    ['without its notes and tests', FILE.replace(/___TESTS___[\s\S]*/, '')],
    [
      'with another name in its information',
      rewritten('INFO', (info: Info) => ({ ...info, displayName: 'Measuring', version: 7 })),
    ],
    [
      'without a brand, and with what the tag manager adds',
      rewritten('INFO', ({ displayName }: Info) => ({ displayName, __wm: 'VGVtcGxhdGU=' })),
    ],
    [
      'with its fields written anew',
      rewritten('TEMPLATE_PARAMETERS', (fields: Definition[]) =>
        fields.map((field) => ({
          alwaysInSummary: false,
          notSetText: '',
          ...Object.fromEntries(Object.entries(field).reverse()),
        })),
      ),
    ],
    [
      'with its permissions in another order, and noted as not edited',
      rewritten('WEB_PERMISSIONS', (all: Definition[]) =>
        all.map((one) => ({ ...one, clientAnnotations: { isEditedByUser: false } })).reverse(),
      ),
    ],
  ])('is known %s', (_how, file) => {
    expect(judged(file)?.state).toBe('current');
  });

  it('is known under whatever name the person gave it', () => {
    expect(judged(FILE, { name: 'Measuring' })).toMatchObject({ name: 'Measuring' });
  });

  it.each([
    ['code', FILE.replace('const MAX_URL = 8000', 'const MAX_URL = 9000')],
    ['a field', FILE.replace('"name": "captureItems"', '"name": "captureAllItems"')],
    ['a default', FILE.replace('"defaultValue": true', '"defaultValue": false')],
    ['a permission', FILE.replace('"string": "ecommerce"', '"string": "user"')],
    [
      'what the permission lets through',
      FILE.replace(`"string": "${URL}/api`, '"string": "https://other.example/api'),
    ],
    ['the permissions, which are missing', FILE.replace('___WEB_PERMISSIONS___', '___OTHER___')],
  ])('is outdated when it differs in %s', (_what, file) => {
    expect(file).not.toBe(FILE);
    expect(judged(file)).toMatchObject({ state: 'outdated', sends_to: URL });
  });

  it('is elsewhere when it sends to an address that is none of ours', () => {
    const file = templateFor('https://old.example');
    expect(judged(file)).toMatchObject({ state: 'elsewhere', sends_to: 'https://old.example' });
  });

  it('is here under each of our addresses, however they are spelt', () => {
    const addresses = ['https://Events.shop.example', 'http://127.0.0.1:8737'];
    for (const url of ['https://events.shop.example', 'http://localhost:8737']) {
      const found = oursIn(objects({ template: [ourTemplate({}, url)] }), {
        ...standard,
        addresses,
      });
      expect(found.templates[0]?.state, url).toBe('current');
    }
  });

  it('is told by its code when its address is worked out there', () => {
    const file = FILE.replace(
      `'${URL}/api/v1/events/collect'`,
      "data.url + '/api/v1/events/collect'",
    );
    expect(judged(file)).toMatchObject({ state: 'outdated', sends_to: null });
  });

  it.each([
    ['nothing', ''],
    ['no template', 'hello'],
    ['damaged', FILE.replace('___SANDBOXED_JS_FOR_WEB_TEMPLATE___', '___CODE___')],
    [
      'a stranger’s that mentions us in its description, its notes and its comments',
      FILE.replaceAll("'[Vedette]", "'[Other]")
        .replaceAll('"displayName": "Vedette"', '"displayName": "Works with Vedette"')
        .replace(`'${URL}/api/v1/events/collect'`, "'https://other.example/collect'")
        .replace('// Common', `// '[Vedette]' '${URL}/api/v1/events/collect' Common`),
    ],
    [
      'a stranger’s with the same path',
      FILE.replaceAll("'[Vedette]", "'[Other]").replaceAll('"Vedette"', '"Other"'),
    ],
    ['a stranger’s of our name', FILE.replaceAll('/api/v1/events/collect', '/hit')],
  ])('is not: %s', (_what, file) => {
    expect(judged(file)).toBeUndefined();
  });

  it('comes from the gallery too', () => {
    const galleryReference = { host: 'github.com', owner: 'x', repository: 'vedette-template' };
    expect(judged(FILE, { galleryReference })?.origin).toBe('gallery');
    expect(judged('', { galleryReference })).toMatchObject({ origin: 'gallery', state: 'current' });
    expect(judged('', { galleryReference: { repository: 'about-vedette' } })).toBeUndefined();
    expect(judged('hello', { galleryReference })).toBeUndefined();
  });

  it('is looked for in any text without falling over', () => {
    const pieces = [
      ...['___INFO___\n', '___SANDBOXED_JS_FOR_WEB_TEMPLATE___\n', '___WEB_PERMISSIONS___\n'],
      ...["'", '"', '/*', '*/', '//', '\\', '\n', '\r', '[Vedette]', '{', '}', '[', ']', 'null'],
      ...["'https://a.example/api/v1/events/collect'", '{"displayName":"Vedette"}', '$1', '$&'],
    ];
    const text = fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.string()))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, (templateData) => {
        judged(templateData);
      }),
    );
  });
});

describe('our tags', () => {
  const found = (tag: Definition, trigger: Definition[] = [ALL_EVENTS]) =>
    oursIn({ ...installed(), tag: [tag], trigger }, standard).tags[0];

  it('are those of our template', () => {
    expect(found(ourTag())).toEqual({
      id: '70',
      name: 'Vedette',
      template_id: '80',
      paused: false,
      fires_on: ['All events'],
      blocked_by: [],
      active: true,
      all_events: true,
    });
    expect(found(ourTag({ type: 'cvt_42_81' }))).toBeUndefined();
    expect(found(ourTag({ type: 'cvt_43_80' }))).toBeUndefined();
    expect(found(ourTag({ type: 'html' }))).toBeUndefined();
  });

  it('are of the template’s id in the gallery too', () => {
    const galleryReference = { galleryTemplateId: 'K7DGR', repository: 'vedette-template' };
    const template = [ourTemplate({ galleryReference })];
    for (const type of ['cvt_K7DGR', 'cvt_42_80']) {
      const { tags } = oursIn({ ...installed(), template, tag: [ourTag({ type })] }, standard);
      expect(tags, type).toMatchObject([{ template_id: '80', active: true }]);
    }
  });

  it('are not active while they are paused, or without a trigger', () => {
    expect(found(ourTag({ paused: true }))).toMatchObject({ paused: true, active: false });
    expect(found(ourTag({ firingTriggerId: [] }))).toMatchObject({ fires_on: [], active: false });
    expect(found(ourTag({ firingTriggerId: undefined }))).toMatchObject({ active: false });
  });

  it('name the triggers that every container has', () => {
    const firingTriggerId = ['2147479553', '2147479572', '2147479573', '5'];
    expect(found(ourTag({ firingTriggerId }))).toMatchObject({
      fires_on: [
        'All Pages',
        'Consent Initialization - All Pages',
        'Initialization - All Pages',
        'Trigger 5',
      ],
      active: true,
      all_events: false,
    });
  });

  it('are kept from firing by an exception for all that they fire on, and by no other', () => {
    const internal = anObject('trigger', '91', { name: 'Internal', type: 'pageview' });
    const triggers = [ALL_EVENTS, internal];
    expect(found(ourTag({ blockingTriggerId: ['91'] }), triggers)).toMatchObject({
      blocked_by: ['Internal'],
      active: true,
      all_events: true,
    });
    for (const tag of [
      ourTag({ blockingTriggerId: ['90'] }),
      ourTag({ firingTriggerId: ['91'], blockingTriggerId: ['90'] }),
      ourTag({ firingTriggerId: ['91'], blockingTriggerId: ['91'] }),
    ]) {
      expect(found(tag, triggers)).toMatchObject({ active: false, all_events: false });
    }
  });

  const everyEvent = (given: Definition) =>
    found(ourTag(), [{ ...ALL_EVENTS, ...given }])?.all_events;
  const filter = (...more: Definition[]) => [condition('matchRegex', '{{_event}}', '.*', ...more)];

  it('see every event on a custom event of any name', () => {
    expect(everyEvent({})).toBe(true);
    expect(everyEvent({ customEventFilter: [condition('matchRegex', '{{_event}}', '.+')] })).toBe(
      true,
    );
    expect(everyEvent({ filter: [] })).toBe(true);
  });

  it.each<[string, Definition]>([
    ['some page alone', { filter: [condition('contains', '{{Page Path}}', '/checkout')] }],
    ['some names', { customEventFilter: [condition('matchRegex', '{{_event}}', 'gtm.*')] }],
    ['one name', { customEventFilter: [condition('equals', '{{_event}}', '.*')] }],
    ['none', { customEventFilter: filter(flag('negate', true)) }],
    ['two conditions', { customEventFilter: [...filter(), ...filter()] }],
    ['no condition', { customEventFilter: [] }],
    ['another variable', { customEventFilter: [condition('matchRegex', '{{Event}}', '.*')] }],
    ['pages', { type: 'pageview' }],
  ])('do not see every event on %s', (_what, given) => {
    expect(everyEvent(given)).toBe(false);
  });

  it('are found again in as little as is kept of a version', () => {
    const all = installed();
    all.tag.push(anObject('tag', '71', { type: 'html' }));
    all.trigger.push(anObject('trigger', '92'));
    all.template.push(anObject('template', '81', { templateData: 'other' }));
    const ours = oursIn(all, standard);
    const kept = onlyOurs(all, ours);
    expect(kept).toEqual(installed());
    expect(oursIn(kept, standard)).toEqual(ours);
  });
});
