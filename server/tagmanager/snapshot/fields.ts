import type { Definition, Kind } from '../api/schema.ts';
import { rowsOf } from './rows.ts';
import type { Names } from './type-words.ts';

/** The settings of an object in words. */
export const fieldsOf = (
  kind: Kind,
  object: Definition,
  names: Names,
): { name: string; value: string }[] =>
  rowsOf(kind, object, names).map(({ name, value }) => ({ name, value }));
