import { describe, expect, it } from 'vitest';
import {
  groupsOf,
  namesOf,
  neededBy,
  needing,
} from '../../ui/src/pages/tag-manager/changes/groups.ts';
import { once } from '../../ui/src/pages/tag-manager/changes/once.ts';
import { isGone, sidesOf } from '../../ui/src/pages/tag-manager/changes/sides.ts';
import { changeOf } from '../helpers/tag-manager-container.ts';

const template = changeOf({ kind: 'template', name: 'Vedette', action: 'create' });
const trigger = changeOf({ kind: 'trigger', name: 'All events', action: 'create' });
const tag = changeOf({ name: 'Vedette', action: 'create', needs: [template.id, trigger.id] });
const after = changeOf({ name: 'After it', needs: [tag.id] });
const alone = changeOf({ name: 'Alone' });
const open = [after, tag, alone, trigger, template];
const names = (changes: { name: string; kind: string }[]) =>
  changes.map(({ kind, name }) => `${kind} ${name}`);

describe('changes that wait', () => {
  it('stand with those they were proposed with, the longest waiting first, needs before all', () => {
    const at = '2026-11-20T10:00:00.000Z';
    const older = { ...alone, proposed_at: '2026-11-20T09:00:00.000Z' };
    const groups = groupsOf([
      ...[after, tag, trigger, template].map((one) => ({ ...one, proposed_at: at })),
      older,
    ]);
    expect(groups.map(({ changes }) => names(changes))).toEqual([
      ['tag Alone'],
      ['template Vedette', 'trigger All events', 'tag Vedette', 'tag After it'],
    ]);
  });

  it('are accepted with all they need, and fall with all that needs them', () => {
    expect(names(neededBy([after], open))).toEqual([
      'template Vedette',
      'trigger All events',
      'tag Vedette',
    ]);
    expect(neededBy([alone], open)).toEqual([]);
    expect(names(needing([template], open)).toSorted()).toEqual(['tag After it', 'tag Vedette']);
    expect(needing([after], open)).toEqual([]);
  });

  it('do not go round for ever where they need each other', () => {
    const one = changeOf({ name: 'one' });
    const other = changeOf({ name: 'other', needs: [one.id] });
    const circle = [{ ...one, needs: [other.id] }, other];
    expect(neededBy(circle.slice(0, 1), circle)).toHaveLength(1);
    expect(groupsOf(circle).flatMap(({ changes }) => changes)).toHaveLength(2);
  });

  it('are named, the first few of many', () => {
    expect(namesOf([tag])).toBe('tag “Vedette”');
    expect(namesOf([tag, trigger, alone, after, template])).toBe(
      'tag “Vedette”, trigger “All events”, tag “Alone” and 2 others',
    );
  });
});

describe('a conflict', () => {
  const field = (name: string, before: string | null, now: string | null) => ({
    ...{ field: name, before, after: now },
  });

  it('shows both versions by field, what both changed first', () => {
    const rows = sidesOf({
      difference: [field('Notes', 'a', 'b'), field('Name', 'x', 'y')],
      theirs: [field('Name', 'x', 'z'), field('Paused', 'no', 'yes')],
    });
    expect(rows.map((row) => [row.field, Boolean(row.mine), Boolean(row.theirs)])).toEqual([
      ['Name', true, true],
      ['Notes', true, false],
      ['Paused', false, true],
    ]);
  });

  it('knows when nothing is left on the other side', () => {
    expect(isGone({ action: 'update', theirs: [field('Name', 'x', null)] })).toBe(true);
    expect(isGone({ action: 'update', theirs: [field('Name', 'x', 'y')] })).toBe(false);
    expect(isGone({ action: 'update', theirs: [] })).toBe(false);
    expect(isGone({ action: 'create', theirs: [field('Name', 'x', null)] })).toBe(false);
  });
});

it('a list that moved on between two pages has nothing twice', () => {
  const one = { id: '1' };
  expect(
    once([
      [one, { id: '2' }],
      [{ id: '2' }, { id: '3' }],
    ]).map(({ id }) => id),
  ).toEqual([...['1', '2', '3']]);
  expect(once(undefined)).toEqual([]);
});
