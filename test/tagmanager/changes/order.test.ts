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
  it('has everything once, and what others need before them', () => {
    fc.assert(
      fc.property(acyclic, (changes) => {
        const order = inOrder(changes).map(({ id }) => id);
        expect([...order].sort()).toEqual(changes.map(({ id }) => id).sort());
        for (const { id, needs } of changes) {
          for (const need of needs) expect(order.indexOf(need)).toBeLessThan(order.indexOf(id));
        }
        expect(circular(changes)).toEqual([]);
      }),
    );
  });

  it('deletes last, and what stands on others first', () => {
    fc.assert(
      fc.property(acyclic, (changes) => {
        const order = inOrder(changes);
        const deletes = order.filter(({ action }) => action === 'delete');
        expect(order.slice(order.length - deletes.length)).toEqual(deletes);
        const ranks = deletes.map(({ kind }) => kinds.indexOf(kind));
        expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
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

  it('finds circles, and refuses them', () => {
    const circle = [change('a', 'create', 'tag', 'b'), change('b', 'create', 'tag', 'a')];
    expect(circular([...circle, change('c', 'create', 'tag')])).toEqual(['a', 'b']);
    expect(() => inOrder(circle)).toThrow();
  });
});
