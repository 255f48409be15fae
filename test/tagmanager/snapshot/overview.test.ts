import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Definition, Kind } from '../../../server/tagmanager/api/schema.ts';
import { createOverview } from '../../../server/tagmanager/snapshot/overview.ts';
import { oursIn } from '../../../server/tagmanager/snapshot/ours.ts';
import { eachVariable, referencesIn } from '../../../server/tagmanager/snapshot/references.ts';
import type { Unpublished } from '../../../server/tagmanager/snapshot/store.ts';
import { templateFor } from '../../../server/tagmanager/template.ts';
import { anObject, bigContainer, condition, installed, objects, text, URL } from './objects.ts';
import type { Objects } from './objects.ts';

const ALL = { skip: 0, limit: 1000 };

function overviewOf(given: Objects, unpublished: Unpublished[] = []) {
  const standard = { template: templateFor(URL), addresses: [URL] };
  return createOverview({ objects: given, unpublished }, oursIn(given, standard));
}

const tag = (id: string, given: Definition) => anObject('tag', id, { type: 'html', ...given });
const trigger = (id: string, given: Definition = {}) =>
  anObject('trigger', id, { type: 'click', ...given });
const variable = (id: string, name: string, given: Definition = {}) =>
  anObject('variable', id, { name, type: 'v', ...given });

function usersOf(given: Objects, kind: Kind, id: string): string[] {
  return referencesIn(given)
    .usersOf(kind, id)
    .map((user) => `${user.kind} ${user.id}`);
}

describe('a container at a glance', () => {
  it('shows kind, type in words, what it fires on, and what is not published', () => {
    const given = installed();
    given.tag[0] = { ...given.tag[0], blockingTriggerId: ['2147479553'], paused: true };
    const { list } = overviewOf(given, [
      { kind: 'tag', id: '70', status: 'updated' },
      { kind: 'template', id: '80', status: 'added' },
      { kind: 'trigger', id: '99', status: 'deleted' },
    ]);
    expect(list(ALL)).toEqual([
      {
        kind: 'tag',
        id: '70',
        name: 'Vedette',
        type: 'cvt_42_80',
        type_name: 'Vedette',
        paused: true,
        ours: true,
        unpublished: 'updated',
        fires_on: [{ kind: 'trigger', id: '90', name: 'All events' }],
        blocked_by: [{ kind: 'trigger', id: '2147479553', name: 'All Pages' }],
        used_by: [],
        used_by_count: 0,
      },
      expect.objectContaining({
        kind: 'trigger',
        type_name: 'Custom event',
        ours: false,
        unpublished: null,
        used_by: [{ kind: 'tag', id: '70', name: 'Vedette' }],
        used_by_count: 1,
      }),
      expect.objectContaining({
        kind: 'template',
        type: '',
        type_name: 'Custom template',
        ours: true,
        unpublished: 'added',
        used_by_count: 1,
      }),
    ]);
  });

  it('is sorted by kind and by name as people count', () => {
    const given = objects({
      tag: [tag('1', { name: 'Tag 10' }), tag('2', { name: 'Tag 9' }), tag('3', { name: 'a' })],
      trigger: [trigger('4', { name: 'A' })],
    });
    expect(
      overviewOf(given)
        .list(ALL)
        .map(({ id }) => id),
    ).toEqual(['3', '2', '1', '4']);
  });

  it('is searched by name, type, id and trigger, and paged', () => {
    const { list } = overviewOf(bigContainer({ tags: 40, triggers: 10, variables: 20 }));
    const found = (search: string, kind?: Kind) =>
      list({ ...ALL, search, ...(kind && { kind }) }).map(({ name }) => name);
    expect(found('GA4 - EVENT 39')).toEqual(['GA4 - event 39']);
    expect(found('1007')).toEqual(['GA4 - event 7']);
    expect(found('custom html')).toHaveLength(10);
    expect(found('gaawe')).toHaveLength(30);
    expect(found('click on 3', 'tag')).toHaveLength(4);
    expect(found('click on 3', 'trigger')).toEqual(['Click on 3']);
    expect(found('nothing like it')).toEqual([]);
    const all = list({ ...ALL, kind: 'tag' });
    const pages = [0, 15, 30, 45].flatMap((skip) => list({ kind: 'tag', skip, limit: 15 }));
    expect(pages).toEqual(all);
    expect(all).toHaveLength(41);
  });

  it('shows one object with its settings and where it is edited', () => {
    const { find } = overviewOf(installed());
    expect(find('tag', '70')).toMatchObject({
      name: 'Vedette',
      definition: installed().tag[0],
      url: expect.stringContaining('https://tagmanager.google.com/') as string,
    });
    expect(find('tag', '70')?.fields).toContainEqual({ name: 'Fires on', value: 'All events' });
    expect(find('trigger', '70')).toBeUndefined();
  });

  it.each(['javascript:alert(1)', 'http://shop.example', 'https://', '', 7, null])(
    'does not lead to %s',
    (tagManagerUrl) => {
      const { find } = overviewOf(objects({ tag: [tag('1', { tagManagerUrl })] }));
      expect(find('tag', '1')?.url).toBeNull();
    },
  );

  it('has the first 50 of many that use a thing, and how many there are', () => {
    const { find } = overviewOf(
      objects({
        trigger: [trigger('5')],
        tag: Array.from({ length: 60 }, (_, i) =>
          tag(`${i}`, { name: `T ${i}`, firingTriggerId: ['5'] }),
        ),
      }),
    );
    expect(find('trigger', '5')?.used_by_count).toBe(60);
    expect(find('trigger', '5')?.used_by.map(({ name }) => name)).toEqual(
      Array.from({ length: 50 }, (_, i) => `T ${i}`),
    );
  });
});

describe('what would break without a thing', () => {
  it('is for a trigger the tags, groups and variables with it', () => {
    const given = objects({
      trigger: [
        trigger('5'),
        trigger('6', {
          type: 'triggerGroup',
          parameter: [
            { type: 'list', key: 'triggerIds', list: [{ type: 'triggerReference', value: '5' }] },
          ],
        }),
      ],
      tag: [
        tag('1', { firingTriggerId: ['5', '5'] }),
        tag('2', { blockingTriggerId: ['5'] }),
        tag('3', { firingTriggerId: ['6'] }),
      ],
      variable: [variable('4', 'App', { enablingTriggerId: ['5'] })],
    });
    expect(usersOf(given, 'trigger', '5')).toEqual(['variable 4', 'tag 1', 'tag 2', 'trigger 6']);
  });

  it('is for a variable whatever names it in any text', () => {
    const given = objects({
      variable: [
        variable('1', 'Value'),
        variable('2', 'Twice', {
          type: 'jsm',
          parameter: [text('javascript', 'function(){return {{Value}}*2}')],
        }),
        variable('3', 'Value 2'),
      ],
      trigger: [trigger('4', { filter: [condition('greater', '{{Value}}', '{{Twice}}')] })],
      tag: [
        tag('5', { parameter: [text('html', 'if(a){b({{Value}})}; x = {{a:{{Value}}}}')] }),
        tag('6', {
          parameter: [
            { type: 'list', list: [{ type: 'map', map: [text('parameterValue', '{{Value 2}}')] }] },
          ],
        }),
        tag('7', { parameter: [text('html', '{Value} {{value}} {{ Value }} Value')] }),
      ],
      template: [anObject('template', '8', { templateData: '{{Value}}' })],
    });
    expect(usersOf(given, 'variable', '1')).toEqual(['tag 5', 'trigger 4', 'variable 2']);
    expect(usersOf(given, 'variable', '2')).toEqual(['trigger 4']);
    expect(usersOf(given, 'variable', '3')).toEqual(['tag 6']);
  });

  it('is for a tag those that it fires before or after, for a template what is made of it', () => {
    const given = installed();
    given.tag.push(
      tag('1', { setupTag: [{ tagName: 'Vedette' }] }),
      tag('2', { teardownTag: [{ tagName: 'Vedette' }] }),
      tag('3', { name: 'Alone', setupTag: [{ tagName: 'Alone' }] }),
    );
    given.variable.push(variable('4', 'Made of it', { type: 'cvt_42_80' }));
    expect(usersOf(given, 'tag', '70')).toEqual(['tag 1', 'tag 2']);
    expect(usersOf(given, 'tag', '3')).toEqual([]);
    expect(usersOf(given, 'template', '80')).toEqual(['variable 4', 'tag 70']);
  });

  it('is found in a whole container', () => {
    const given = bigContainer({ tags: 800, triggers: 400, variables: 600 });
    const { list } = overviewOf(given);
    const all = list({ skip: 0, limit: 10_000 });
    expect(all).toHaveLength(801 + 401 + 600 + 1);
    const field = (n: number) => all.find(({ name }) => name === `DLV - field ${n}`);
    // By one tag with HTML, two or so with parameters, a trigger and the variable before it.
    expect(field(4)?.used_by.map(({ kind }) => kind)).toContain('trigger');
    expect(field(4)?.used_by_count).toBeGreaterThan(5);
    expect(
      all.filter(({ kind, used_by_count }) => kind === 'trigger' && used_by_count === 2),
    ).toHaveLength(400);
  });

  it('is looked for as long as the text is, however many braces it has', () => {
    const found: string[] = [];
    eachVariable('{{'.repeat(200_000) + 'a' + '}}'.repeat(200_000), (name) => found.push(name));
    eachVariable('}}'.repeat(400_000), (name) => found.push(name));
    eachVariable(`{{${'a'.repeat(2_000)}}}`, (name) => found.push(name));
    expect(found).toEqual(['a']);
  });

  it('names every variable that a text was put together of', () => {
    const name = fc.string({ minLength: 1, maxLength: 20 }).filter((given) => !/[{}]/.test(given));
    const other = fc.string().map((given) => given.replaceAll(/[{}]/g, '.'));
    fc.assert(
      fc.property(fc.array(fc.tuple(other, name)), other, (parts, end) => {
        const found: string[] = [];
        const whole = parts.map(([before, inner]) => `${before}{{${inner}}}`).join('') + end;
        eachVariable(whole, (one) => found.push(one));
        expect(found).toEqual(parts.map(([, inner]) => inner));
      }),
    );
  });

  it('is told of anything that has the shape of an object', () => {
    const anything = fc.dictionary(
      fc.constantFrom(
        'tagId',
        'name',
        'type',
        'parameter',
        'firingTriggerId',
        'setupTag',
        'filter',
      ),
      fc.jsonValue(),
    ) as fc.Arbitrary<Definition>;
    const some = fc.array(anything, { maxLength: 4 });
    fc.assert(
      fc.property(some, some, some, some, (all, triggers, variables, templates) => {
        const given = { tag: all, trigger: triggers, variable: variables, template: templates };
        const { list, find } = overviewOf(given);
        for (const { kind, id } of list(ALL)) expect(find(kind, id)).toBeDefined();
      }),
    );
  });
});
