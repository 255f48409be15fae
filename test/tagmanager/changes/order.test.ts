import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kinds } from '../../../server/tagmanager/api/schema.ts';
import { circular, inOrder } from '../../../server/tagmanager/changes/order.ts';
import type { Ordered } from '../../../server/tagmanager/changes/order.ts';

/** Changes of which each needs only such that come before it in one order; then shuffled. */
const acyclic = fc
  .array(
    fc.record({
      action: fc.constantFrom('create' as const, 'update' as const, 'delete' as const),
      kind: fc.constantFrom(...kinds),
      needs: fc.array(fc.nat(30), { maxLength: 3 }),
    }),
    { maxLength: 30 },
  )
  .map((all) =>
    all.map(({ action, kind, needs }, i): Ordered => {
      const made = needs.filter((need) => need < i && all[need]?.action !== 'delete').map(String);
      return { id: String(i), action, kind, needs: action === 'delete' ? [] : made };
    }),
  )
  .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));

const change = (
  id: string,
  action: Ordered['action'],
  kind: Ordered['kind'],
  ...needs: string[]
) => ({
  ...{ id, action, kind, needs },
});

describe('the order of writing', () => {
  it('has everything once, what others need before them, and deletes last, in reverse', () => {
    fc.assert(
      fc.property(acyclic, (changes) => {
        const order = inOrder(changes);
        const ids = order.map(({ id }) => id);
        expect([...ids].sort()).toEqual(changes.map(({ id }) => id).sort());
        for (const { id, needs } of changes) {
          for (const need of needs) expect(ids.indexOf(need)).toBeLessThan(ids.indexOf(id));
        }
        const deletes = order.filter(({ action }) => action === 'delete');
        expect(order.slice(order.length - deletes.length)).toEqual(deletes);
        const ranks = deletes.map(({ kind }) => kinds.indexOf(kind));
        expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
        expect(circular(changes)).toEqual([]);
      }),
    );
  });

  it('goes by kind where nothing is needed, and by need where something is', () => {
    const order = inOrder([
      change('tag', 'create', 'tag'),
      change('template', 'create', 'template', 'odd'),
      change('trigger', 'update', 'trigger'),
      change('variable', 'create', 'variable'),
      change('odd', 'create', 'tag'),
    ]);
    expect(order.map(({ id }) => id)).toEqual(['variable', 'trigger', 'tag', 'odd', 'template']);
  });

  it('has no end in a circle, which is refused', () => {
    const circle = [change('a', 'create', 'tag', 'b'), change('b', 'create', 'tag', 'a')];
    expect(circular([...circle, change('c', 'create', 'tag')])).toEqual(['a', 'b']);
    expect(() => inOrder(circle)).toThrow();
  });
});
