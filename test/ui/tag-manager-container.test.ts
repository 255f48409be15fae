import { describe, expect, it } from 'vitest';
import type { ContainerObject } from '../../server/tagmanager/snapshot/schema.ts';
import {
  entriesOf,
  filterOf,
  sentenceOf,
  shownOf,
} from '../../ui/src/pages/tag-manager/container/list.ts';
import { editable, readBody, textOf } from '../../ui/src/pages/tag-manager/container/proposals.ts';
import { objectOf } from '../helpers/tag-manager-container.ts';
import { snapshot } from '../helpers/tag-manager-views.ts';

const trigger = { kind: 'trigger' as const, id: '7', name: 'Checkout' };
const OBJECTS: ContainerObject[] = [
  objectOf('tag', '1', 'Purchase', { fires_on: [trigger] }),
  objectOf('tag', '2', 'Old pixel', { paused: true, type: 'img', type_name: 'Custom image' }),
  objectOf('tag', '10', 'Nobody fires me'),
  objectOf('tag', '11', 'Before purchase', {
    used_by: [{ kind: 'tag', id: '1', name: 'Purchase' }],
    used_by_count: 1,
  }),
  objectOf('trigger', '7', 'Checkout', { used_by_count: 1, unpublished: 'added' }),
  objectOf('trigger', '8', 'Unused'),
];
const named = (query: string) =>
  shownOf(entriesOf(OBJECTS), filterOf(new URLSearchParams(query))).map(({ name }) => name);

describe('the list of objects', () => {
  it('finds by name, type in words and as the API has it, trigger and id, and by several words', () => {
    expect(named('text=purch')).toEqual(['Before purchase', 'Purchase']);
    expect(named('text=custom+IMAGE')).toEqual(['Old pixel']);
    expect(named('text=img')).toEqual(['Old pixel']);
    expect(named('text=checkout')).toEqual(['Purchase']);
    expect(named('text=10')).toEqual(['Nobody fires me']);
    expect(named('text=purchase+html')).toEqual(['Before purchase', 'Purchase']);
    expect(named('text=purchase+img')).toEqual([]);
  });

  it('knows what is paused, what nothing fires, and what nothing uses', () => {
    expect(named('paused=1')).toEqual(['Old pixel']);
    expect(named('without=1')).toEqual(['Nobody fires me', 'Old pixel']);
    expect(named('without=1&paused=1')).toEqual(['Old pixel']);
    expect(named('list=trigger&unused=1')).toEqual(['Unused']);
    expect(named('list=trigger&unpublished=1')).toEqual(['Checkout']);
    expect(named('list=trigger&paused=1')).toEqual(['Checkout', 'Unused']);
    expect(named('trigger=7')).toEqual(['Purchase']);
  });

  it('is sorted by name with numbers in it, by type, by use, and the other way round', () => {
    const tags = ['Tag 10', 'tag 9', 'Ärger'].map((name, i) => objectOf('tag', `${i}`, name));
    const order = (query: string) =>
      shownOf(entriesOf(tags), filterOf(new URLSearchParams(query))).map(({ name }) => name);
    expect(order('')).toEqual(['Ärger', 'tag 9', 'Tag 10']);
    expect(order('sort=-name')).toEqual(['Tag 10', 'tag 9', 'Ärger']);
    expect(named('list=trigger&sort=use')).toEqual(['Checkout', 'Unused']);
    expect(named('list=trigger&sort=-use')).toEqual(['Unused', 'Checkout']);
    expect(named('sort=type').at(-1)).toBe('Old pixel');
    expect(named('sort=nonsense')).toEqual(named(''));
  });

  it('goes by the kind of the object that is open, unless the address says another', () => {
    expect(filterOf(new URLSearchParams('kind=trigger&id=7')).kind).toBe('trigger');
    expect(filterOf(new URLSearchParams('kind=trigger&id=7&list=tag')).kind).toBe('tag');
    expect(filterOf(new URLSearchParams('list=__proto__')).kind).toBe('tag');
  });
});

describe('the sentence about the container', () => {
  const sentence = (...tags: ContainerObject[]) => sentenceOf(tags, snapshot);
  const [fires, paused, idle] = OBJECTS as [ContainerObject, ContainerObject, ContainerObject];
  it('says how many tags there are, and which of them do nothing', () => {
    expect(sentenceOf(OBJECTS, snapshot)).toBe('4 tags, of which 1 is paused and 2 never fire.');
    expect(sentence(fires, idle)).toBe('2 tags, of which 1 never fires.');
    expect(sentence({ ...paused, fires_on: [trigger] }, fires)).toBe(
      '2 tags, of which 1 is paused.',
    );
    expect(sentence(fires)).toBe('1 tag, and it can fire.');
    expect(sentence()).toBe('No tags yet in GTM-SHOP123.');
  });
});

describe('an object to be edited', () => {
  const definition = {
    ...{ accountId: '1', containerId: '2', workspaceId: '3', tagId: '4', path: 'p' },
    ...{ fingerprint: '9', tagManagerUrl: 'u', name: 'Purchase', type: 'html', triggerId: 'kept' },
  };

  it('is shown without what the tag manager gives it', () => {
    const body = editable('tag', definition);
    expect(body).toEqual({ name: 'Purchase', type: 'html', triggerId: 'kept' });
    expect(readBody(textOf({ ...body, paused: true }), body)).toEqual({
      body: { ...body, paused: true },
    });
  });

  it('is not taken where it is no JSON, no object, has no name, is too long or as it was', () => {
    const body = editable('tag', definition);
    const problem = (text: string) => JSON.stringify(readBody(text, body));
    expect(problem('{"name": }')).toContain('This is not JSON');
    expect(problem('[]')).toContain('one object');
    expect(problem('null')).toContain('one object');
    expect(problem('{"type":"html"}')).toContain('a name');
    expect(problem('{"name":" "}')).toContain('a name');
    expect(problem(JSON.stringify({ name: 'x'.repeat(500_001) }))).toContain('500,000');
    expect(problem('{"triggerId":"kept","type":"html","name":"Purchase"}')).toContain('Nothing');
  });
});
