import { kinds } from '../api/schema.ts';
import type { Kind } from '../api/schema.ts';
import type { ChangeAction } from './schema.ts';

export interface Ordered {
  id: string;
  action: ChangeAction;
  kind: Kind;
  needs: readonly string[];
}

/**
 * The order in which changes can be written: what others need first, then by what kinds stand on;
 * what goes away goes last, and the other way round. Needs of which nothing is here are fulfilled.
 */
export function inOrder<C extends Ordered>(changes: readonly C[]): C[] {
  const left = [...changes].sort((a, b) => rank(a) - rank(b));
  const waiting = new Set(left.map(({ id }) => id));
  const order: C[] = [];
  while (left.length > 0) {
    const next = left.findIndex(({ needs }) => !needs.some((need) => waiting.has(need)));
    if (next === -1) throw new Error('Changes need each other in a circle');
    const [change] = left.splice(next, 1) as [C];
    waiting.delete(change.id);
    order.push(change);
  }
  return order;
}

/** Those that stand in a circle of needs, or behind one. */
export function circular(changes: readonly Pick<Ordered, 'id' | 'needs'>[]): string[] {
  let left = [...changes];
  for (;;) {
    const waiting = new Set(left.map(({ id }) => id));
    const still = left.filter(({ needs }) => needs.some((need) => waiting.has(need)));
    if (still.length === left.length) return still.map(({ id }) => id);
    left = still;
  }
}

function rank({ action, kind }: Ordered): number {
  const place = kinds.indexOf(kind);
  return action === 'delete' ? 2 * kinds.length - place : place;
}
