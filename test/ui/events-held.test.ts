import { describe, expect, it } from 'vitest';
import { Held } from '../../ui/src/pages/events/held.ts';

const NONE: ReadonlySet<string> = new Set();

function held(ids: readonly string[], most = 3) {
  const all = new Held(most);
  for (const id of ids) {
    const created_at = '2026-11-20T12:00:00.000Z';
    all.add(id, JSON.stringify({ id, source: 'a', event_type: 'b', data: {}, created_at }));
  }
  return all;
}
const taken = (all: Held, most = 3, shown = NONE) => {
  const { rows, isWhole } = all.take(most, shown);
  return { ids: rows.map(({ id }) => id).join(' '), isWhole };
};

describe('what is held back', () => {
  it('is given newest first, without what is shown already', () => {
    const all = held(['1', '2', '3']);
    expect(taken(all, 3, new Set(['1']))).toEqual({ ids: '3 2', isWhole: true });
    expect(all.count).toBe(0);
    expect(taken(all)).toEqual({ ids: '', isWhole: true });
  });

  it('is not whole where more came than are given, or were sent', () => {
    expect(taken(held(['1', '2', '3']), 2)).toEqual({ ids: '3 2', isWhole: false });
    const flood = held(Array.from({ length: 20 }, (_, i) => String(i)));
    expect(flood.count).toBe(20);
    expect(taken(flood, 100)).toEqual({ ids: '19 18 17', isWhole: false });
    const late = held(['1']);
    late.addUnseen(5);
    expect(late.count).toBe(6);
    expect(taken(late)).toEqual({ ids: '1', isWhole: false });
  });

  it('leaves out what came before the newest of a list that was read meanwhile', () => {
    const all = held(['1', '2', '3']);
    all.dropUpTo(new Set(['2', '0']));
    expect(all.count).toBe(1);
    expect(taken(all)).toEqual({ ids: '3', isWhole: true });
  });
});
