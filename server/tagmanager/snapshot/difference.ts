import type { Definition, Kind } from '../api/schema.ts';
import { isRecord } from './read.ts';
import { IGNORED, rowsOf } from './rows.ts';
import type { Row } from './rows.ts';
import type { FieldDifference } from './schema.ts';
import type { Names } from './type-words.ts';

/**
 * The settings in which two versions of an object differ; null stands for none. Ids, path and
 * fingerprint say nothing about what an object does, so they never differ.
 */
export function differenceOf(
  kind: Kind,
  before: Definition | null,
  after: Definition | null,
  names: Names,
): FieldDifference[] {
  if (before && after && isAlike(before, after)) return [];
  const rows = (object: Definition | null) => (object ? rowsOf(kind, object, names) : []);
  const [old, current] = [rows(before), rows(after)];
  const byKey = new Map(current.map((row) => [row.key, row]));
  const differences = old.flatMap((row) => between(row, byKey.get(row.key)));
  const known = new Set(old.map(({ key }) => key));
  const added = current.filter(({ key }) => !known.has(key));
  return [...differences, ...added.flatMap((row) => between(undefined, row))];
}

/** Most of a container is as it was: that must cost as little as it can. */
function isAlike(before: Definition, after: Definition): boolean {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].every((key) => IGNORED.has(key) || isSame(before[key], after[key]));
}

function between(before: Row | undefined, after: Row | undefined): FieldDifference[] {
  if (before && after && isSame(before.raw, after.raw)) return [];
  const field = after?.name ?? before?.name ?? '';
  const isHidden = before && after && before.value === after.value;
  // In words they are alike, for instance two triggers of one name.
  const show = (row: Row | undefined) =>
    row === undefined ? null : isHidden ? JSON.stringify(row.raw, null, 2) : row.value;
  return [{ field, before: show(before), after: show(after) }];
}

/** Whatever the order of their keys. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((one, i) => isSame(one, b[i]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  );
}
