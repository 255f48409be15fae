import type { DuckDBValue } from '@duckdb/node-api';

/** A connection, as stores see it: statements with values, and rows as plain objects. */
export interface Sql {
  run(statement: string, ...values: DuckDBValue[]): Promise<void>;
  rows<T>(statement: string, ...values: DuckDBValue[]): Promise<T[]>;
}

/** What a text of the database can hold of what somebody else said. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

export type SqlValue = string | number;

/**
 * What is asked for of one tenant: each condition with its value in the place of the question
 * mark, those without a value left out.
 */
export function conditionsOf(
  tenant: string,
  conditions: readonly (readonly [condition: string, value: SqlValue | undefined])[],
): { where: string; values: SqlValue[] } {
  const values: SqlValue[] = [tenant];
  const where = ['tenant = $1'];
  for (const [condition, value] of conditions) {
    if (value === undefined) continue;
    values.push(value);
    where.push(condition.replace('?', `$${values.length}`));
  }
  return { where: where.join(' AND '), values };
}
