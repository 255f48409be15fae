import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kinds } from '../../../server/tagmanager/api/schema.ts';
import type { Definition, Kind } from '../../../server/tagmanager/api/schema.ts';
import { changesBetween } from '../../../server/tagmanager/snapshot/compare.ts';
import { differenceOf } from '../../../server/tagmanager/snapshot/difference.ts';
import { fieldsOf } from '../../../server/tagmanager/snapshot/fields.ts';
import { templateFor } from '../../../server/tagmanager/template.ts';
import { anObject, condition, flag, objects, ourTag, ourTemplate, text, URL } from './objects.ts';

const NAMES: Record<string, string> = {
  'trigger:5': 'Checkout',
  'trigger:6': 'Internal',
  'trigger:7': 'Checkout',
  'template:80': 'Vedette',
  'template:K7DGR': 'Chat',
};
const names = (kind: Kind, id: string) => NAMES[`${kind}:${id}`];
const fields = (kind: Kind, given: Definition) =>
  Object.fromEntries(
    fieldsOf(kind, anObject(kind, '1', given), names).map(({ name, value }) => [name, value]),
  );
const list = (key: string, ...items: Definition[]) => ({ type: 'list', key, list: items });
const map = (...entries: Definition[]) => ({ type: 'map', map: entries });

describe('the settings of an object in words', () => {
  it('of a tag', () => {
    const tag = {
      name: 'Purchase',
      type: 'gaawe',
      paused: true,
      parameter: [
        text('eventName', 'purchase'),
        flag('sendEcommerceData', true),
        text('measurementIdOverride', 'G-1'),
        list(
          'eventSettingsTable',
          map(text('parameter', 'value'), text('parameterValue', '{{Value}}')),
          map(text('parameter', 'currency'), text('parameterValue', 'EUR')),
        ),
        list('names', text('', 'a'), text('', 'b')),
        text('conversionCookiePrefix', '_x'),
      ],
      firingTriggerId: ['5', '2147479553'],
      blockingTriggerId: ['6', '99'],
      tagFiringOption: 'oncePerLoad',
      priority: { type: 'integer', value: '10' },
      setupTag: [{ tagName: 'Consent', stopOnSetupFailure: true }],
      teardownTag: [{ tagName: 'Clean up' }],
      consentSettings: {
        consentStatus: 'needed',
        consentType: list('', text('', 'ad_storage'), text('', 'analytics_storage')),
      },
      monitoringMetadata: { type: 'map' },
      scheduleStartMs: '1772359200000',
      parentFolderId: '3',
      notes: 'By Ann',
    };
    expect(fields('tag', tag)).toEqual({
      Name: 'Purchase',
      Type: 'GA4 event',
      Paused: 'Yes',
      'Fires on': 'Checkout\nAll Pages',
      'Does not fire on': 'Internal\nTrigger 99',
      'Event name': 'purchase',
      'Sends e-commerce data': 'Yes',
      'Measurement ID': 'G-1',
      'Event parameters': 'value: {{Value}}\ncurrency: EUR',
      Names: 'a\nb',
      'Conversion cookie prefix': '_x',
      Priority: '10',
      Fires: 'Once per page',
      From: '2026-03-01T10:00:00.000Z',
      'Fires first': 'Consent (and only if that succeeds)',
      'Fires after it': 'Clean up',
      Consent: 'Needed:\nad_storage\nanalytics_storage',
      Folder: '3',
      Notes: 'By Ann',
    });
  });

  it('of a trigger', () => {
    const trigger = {
      type: 'linkClick',
      filter: [
        condition('contains', '{{Page Path}}', '/checkout'),
        condition('matchRegex', '{{Click URL}}', '^tel:', flag('negate', true)),
        condition('equals', '{{Click Text}}', 'buy', flag('ignore_case', true)),
        condition('resembles', '{{Click Text}}', 'buy'),
      ],
      waitForTags: { type: 'boolean', value: 'false' },
      waitForTagsTimeout: { type: 'template', value: '2000' },
      uniqueTriggerId: { type: 'template' },
    };
    expect(fields('trigger', trigger)).toEqual({
      Name: 'trigger 1',
      Type: 'Click on a link',
      'Fires when':
        'Page Path contains /checkout\nClick URL does not match the regex ^tel:\nClick Text equals buy (in capitals or not)\nClick Text resembles buy',
      'Waits for tags': 'No',
      'Waits for tags at most (ms)': '2000',
    });
    const custom = {
      type: 'customEvent',
      customEventFilter: [condition('matchRegex', '{{_event}}', '.*')],
    };
    expect(fields('trigger', custom)['Event']).toBe('Event matches the regex .*');
    const group = {
      type: 'triggerGroup',
      parameter: [
        list(
          'triggerIds',
          { type: 'triggerReference', value: '5' },
          { type: 'trigger_reference', value: '6' },
        ),
      ],
    };
    expect(fields('trigger', group)['Triggers of the group']).toBe('Checkout\nInternal');
  });

  it('of a variable', () => {
    const variable = {
      type: 'smm',
      parameter: [
        text('input', '{{Page Path}}'),
        list(
          'map',
          map(text('key', '/a'), text('value', '1')),
          map(text('key', '/b'), text('value', '2')),
        ),
        flag('setDefaultValue', false),
      ],
      formatValue: {
        caseConversionType: 'lowercase',
        convertNullToValue: { type: 'template', value: 'none' },
      },
    };
    expect(fields('variable', variable)).toEqual({
      Name: 'variable 1',
      Type: 'Lookup table',
      Input: '{{Page Path}}',
      Table: '/a: 1\n/b: 2',
      'Has a default value': 'No',
      Format: 'Case conversion type: lowercase\nConvert null to value: none',
    });
    expect(
      fields('variable', { type: 'v', parameter: [text('name', 'ecommerce.value')] }),
    ).toMatchObject({
      Type: 'Data layer variable',
      'Data layer variable': 'ecommerce.value',
    });
  });

  it('of a template, by its sections', () => {
    const found = fields('template', { templateData: templateFor(URL) });
    expect(Object.keys(found)).toEqual([
      ...['Name', 'Terms of service', 'Info', 'Fields', 'Code', 'Permissions', 'Tests'],
      'Notes of the template',
    ]);
    expect(found['Code']).toMatch(/^const JSON = require/);
  });

  it('names types made of a template by that, and shows unknown ones as they are', () => {
    const type = (given: string) => fields('tag', { type: given })['Type'];
    expect(type('cvt_42_80')).toBe('Vedette');
    expect(type('cvt_K7DGR')).toBe('Chat');
    expect(type('cvt_42_81')).toBe('cvt_42_81');
    expect(type('brandnew')).toBe('brandnew');
    expect(type('constructor')).toBe('constructor');
  });

  it('shows what nobody here knows of too', () => {
    expect(
      fields('tag', { shinyNewThing: { type: 'list', list: [text('', 'a')] }, depth: 3 }),
    ).toMatchObject({
      'Shiny new thing': 'a',
      Depth: '3',
    });
  });
});

describe('the difference of two versions', () => {
  const between = (before: Definition | null, after: Definition | null) =>
    differenceOf('tag', before, after, names);

  it('is told by setting', () => {
    expect(
      between(ourTag(), ourTag({ paused: true, firingTriggerId: ['5'], name: 'New' })),
    ).toEqual([
      { field: 'Name', before: 'Vedette', after: 'New' },
      { field: 'Fires on', before: 'Trigger 90', after: 'Checkout' },
      { field: 'Paused', before: null, after: 'Yes' },
    ]);
  });

  it('has everything of what is new or gone', () => {
    const all = fieldsOf('tag', ourTag(), names);
    expect(between(null, ourTag())).toEqual(
      all.map(({ name, value }) => ({ field: name, before: null, after: value })),
    );
    expect(between(ourTag(), null)).toEqual(
      all.map(({ name, value }) => ({ field: name, before: value, after: null })),
    );
    expect(between(null, null)).toEqual([]);
  });

  it('is shown as it is where words do not tell it', () => {
    expect(between(ourTag({ firingTriggerId: ['5'] }), ourTag({ firingTriggerId: ['7'] }))).toEqual(
      [{ field: 'Fires on', before: '[\n  "5"\n]', after: '[\n  "7"\n]' }],
    );
  });

  it('is told for a template by section, whatever its line ends and the order of its JSON', () => {
    const file = templateFor(URL);
    const template = (templateData: string) => ourTemplate({ templateData });
    const changed = (templateData: string) =>
      differenceOf('template', template(file), template(templateData), names);
    expect(changed(file.replaceAll('\n', '\r\n'))).toEqual([]);
    expect(
      changed(
        file
          .replace('"type": "TAG",\n', '')
          .replace('"version": 1,', '"version": 1,\n"type": "TAG",'),
      ),
    ).toEqual([]);
    expect(
      changed(file.replace('const MAX_URL = 8000', 'const MAX_URL = 9000')).map(
        ({ field }) => field,
      ),
    ).toEqual(['Code']);
    expect(changed(file.replace('"Vedette"', '"Other"')).map(({ field }) => field)).toEqual([
      'Info',
    ]);
  });

  const value = fc.jsonValue({ maxDepth: 3 });
  const property = fc.constantFrom(
    ...['name', 'type', 'paused', 'parameter', 'firingTriggerId', 'filter', 'consentSettings'],
    ...['priority', 'setupTag', 'formatValue', 'notes', 'galleryReference', 'anythingElse'],
  );
  const anything = fc.dictionary(property, value) as fc.Arbitrary<Definition>;
  const anyKind = fc.constantFrom(...kinds);

  it('is none between an object and itself, wherever it lies', () => {
    fc.assert(
      fc.property(anyKind, anything, (kind, object) => {
        const moved = {
          ...structuredClone(object),
          ...{ accountId: '9', containerId: '9', workspaceId: '9', [`${kind}Id`]: '9' },
          ...{ path: 'elsewhere', fingerprint: 'other', tagManagerUrl: 'https://x.example' },
        };
        expect(differenceOf(kind, object, moved, names)).toEqual([]);
      }),
    );
  });

  it('never misses what differs in what says anything', () => {
    const telling = fc.oneof(fc.string({ minLength: 1 }), fc.integer(), fc.constant(true));
    fc.assert(
      fc.property(anyKind, anything, property, telling, telling, (kind, object, name, a, b) => {
        fc.pre(a !== b);
        const found = differenceOf(
          kind,
          { ...object, [name]: [a] },
          { ...object, [name]: [b] },
          names,
        );
        expect(found.length).toBeGreaterThan(0);
        for (const { before, after } of found) expect(before).not.toBe(after);
      }),
    );
  });
});

describe('what changed between two snapshots', () => {
  const trigger = (id: string, name: string) => anObject('trigger', id, { name, type: 'click' });
  const before = objects({
    tag: [ourTag({ firingTriggerId: ['5'] })],
    trigger: [trigger('5', 'Old'), trigger('6', 'Same')],
  });

  it('is added, changed or removed, by kind and name', async () => {
    const after = objects({
      tag: [ourTag({ firingTriggerId: ['8'], workspaceId: '8' })],
      trigger: [trigger('6', 'Same'), trigger('8', 'New')],
      variable: [anObject('variable', '3', { type: 'v' })],
    });
    expect(await changesBetween(before, after)).toMatchObject([
      {
        change: 'changed',
        kind: 'tag',
        id: '70',
        fields: [{ field: 'Fires on', before: 'Old', after: 'New' }],
      },
      { change: 'added', kind: 'trigger', id: '8', name: 'New' },
      { change: 'removed', kind: 'trigger', id: '5', name: 'Old' },
      { change: 'added', kind: 'variable', id: '3' },
    ]);
  });

  it('is nothing when all is as it was, in another workspace and order', async () => {
    const moved = (all: Definition[]) =>
      all.map((one) => ({ ...one, workspaceId: '8', path: 'x', fingerprint: 'y' })).reverse();
    expect(
      await changesBetween(before, {
        ...before,
        tag: moved(before.tag),
        trigger: moved(before.trigger),
      }),
    ).toEqual([]);
  });

  it('shows of long texts the part that differs', async () => {
    const html = (end: string) =>
      ourTag({ notes: `${'a'.repeat(50_000)}${end}${'z'.repeat(50_000)}` });
    const [change] = await changesBetween(
      objects({ tag: [html('1')] }),
      objects({ tag: [html('2')] }),
    );
    const { before = '', after = '' } = change?.fields[0] ?? {};
    expect(before).toMatch(
      /^\(46200 characters that are alike\)\na+1z+\n\(36201 more characters\)$/,
    );
    expect(after).toBe(before?.replace('1z', '2z'));
  });

  it.each([
    ['made here', 'vdt_0123456789-ABCDEFGHIJ_abcdefghijklmnopqrstuv'],
    ['of 16 signs', 'by/hand+01234=56'],
    ['of 200 signs, and escaped', String.raw`\u002d`.repeat(200)],
  ])('cuts through no key that was %s', async (_kind, key) => {
    const padding = (length: number) => '. '.repeat(length).slice(0, length);
    // The one lies across the edge in front of what differs, the other across that behind it.
    const withKeys = (differs: string, part: number) =>
      ourTag({
        notes: [
          ...[padding(30_000), key, padding(5_000 - part), differs],
          ...[padding(15_000 - part - 1), key, padding(30_000)],
        ].join(''),
      });
    for (let part = 1; part < key.length; part += Math.ceil(key.length / 50)) {
      const [change] = await changesBetween(
        objects({ tag: [withKeys('?', part)] }),
        objects({ tag: [withKeys('!', part)] }),
      );
      for (const cut of [change?.fields[0]?.before, change?.fields[0]?.after]) {
        const [, shown = ''] = cut?.split('\n') ?? [];
        expect(/^[. ]{3000,}[?!][. ]{12000,}$/.test(shown), `${part} of the key`).toBe(true);
      }
    }
  });

  it('is not without bounds', async () => {
    const all = Array.from({ length: 400 }, (_, i) =>
      anObject('tag', `${i}`, { notes: 'n'.repeat(15_000) }),
    );
    const changes = await changesBetween(objects(), objects({ tag: all }));
    expect(changes).toHaveLength(400);
    expect(JSON.stringify(changes).length).toBeLessThan(2_200_000);
    expect(changes.at(-1)).toMatchObject({ change: 'added', fields: [] });
  });

  it('leads from the one to the other, whatever changed', async () => {
    const some = fc.uniqueArray(
      fc.record({ id: fc.integer({ min: 1, max: 8 }), name: fc.constantFrom('a', 'b') }),
      { selector: ({ id }) => id, maxLength: 8 },
    );
    const asTags = (all: { id: number; name: string }[]) =>
      objects({ tag: all.map(({ id, name }) => anObject('tag', `${id}`, { name })) });
    await fc.assert(
      fc.asyncProperty(some, some, async (old, now) => {
        const left = new Map<string, string>(old.map(({ id, name }) => [`${id}`, name]));
        for (const { change, id, name } of await changesBetween(asTags(old), asTags(now))) {
          expect(left.has(id)).toBe(change !== 'added');
          if (change === 'removed') left.delete(id);
          else left.set(id, name);
        }
        expect(left).toEqual(new Map(now.map(({ id, name }) => [`${id}`, name])));
      }),
    );
  });
});
