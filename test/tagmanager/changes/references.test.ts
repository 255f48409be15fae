import { expect, it } from 'vitest';
import { standsOn, withNewIds } from '../../../server/tagmanager/changes/references.ts';

it.each(['trigger_reference', 'triggerReference'])(
  'a group of triggers calls them by %s',
  (type) => {
    const group = (value: string) => ({
      type: 'triggerGroup',
      parameter: [{ type: 'list', key: 'triggerIds', list: [{ type, value }] }],
    });
    expect(standsOn('trigger', group('3')).triggers).toEqual(new Set(['3']));
    expect(withNewIds(group('3'), '20', new Map([['trigger/3', '9']]))).toEqual(group('9'));
  },
);

it('a variable of an app calls its triggers, also when those come back under other ids', () => {
  const app = (id: string) => ({ enablingTriggerId: [id], disablingTriggerId: ['4', id] });
  const { triggers, firing } = standsOn('variable', app('3'));
  expect([triggers, firing]).toEqual([new Set(['3', '4']), new Set()]);
  expect(withNewIds(app('3'), '20', new Map([['trigger/3', '9']]))).toEqual(app('9'));
});
