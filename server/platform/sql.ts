import type { DuckDBValue } from '@duckdb/node-api';

/** A connection, as stores see it: statements with values, and rows as plain objects. */
export interface Sql {
  run(statement: string, ...values: DuckDBValue[]): Promise<void>;
  rows<T>(statement: string, ...values: DuckDBValue[]): Promise<T[]>;
}
