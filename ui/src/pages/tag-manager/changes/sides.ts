import type { ChangeView } from '$server/tagmanager/changes/schema.ts';
import type { FieldDifference } from '$server/tagmanager/snapshot/schema.ts';

/** A field that one side or both changed. */
export interface Sides {
  field: string;
  mine: FieldDifference | undefined;
  theirs: FieldDifference | undefined;
}

/** Both versions of a conflict, field by field; what both were at has to be looked at first. */
export function sidesOf({
  difference,
  theirs,
}: Pick<ChangeView, 'difference' | 'theirs'>): Sides[] {
  const byField = new Map<string, Sides>();
  const rowOf = (field: string) => {
    const row = byField.get(field) ?? { field, mine: undefined, theirs: undefined };
    byField.set(field, row);
    return row;
  };
  for (const one of difference) rowOf(one.field).mine = one;
  for (const one of theirs ?? []) rowOf(one.field).theirs = one;
  const isBoth = (row: Sides) => Number(Boolean(row.mine && row.theirs));
  return [...byField.values()].sort((a, b) => isBoth(b) - isBoth(a));
}

/** Nothing is left of it on their side. */
export const isGone = ({ action, theirs }: Pick<ChangeView, 'action' | 'theirs'>): boolean =>
  action !== 'create' &&
  theirs !== null &&
  theirs.length > 0 &&
  theirs.every(({ before, after }) => after === null && before !== null);
