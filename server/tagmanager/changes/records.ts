import type { Database } from '../../platform/database.ts';
import type { Sql } from '../../platform/sql.ts';
import { auditOver } from './audit-store.ts';
import { batchesOver } from './batch-store.ts';
import { changesOver } from './store.ts';

const over = (sql: Sql) => ({ ...changesOver(sql), ...batchesOver(sql), ...auditOver(sql) });

export type Verbs = ReturnType<typeof over>;

/**
 * Everything that is kept about changes. What is written together stands together: a change of
 * status, the way of its batch, and the word about it in the audit trail.
 */
export function createRecords(database: Pick<Database, 'read' | 'write'>) {
  return {
    read: <T>(work: (verbs: Verbs) => Promise<T>) => database.read((sql) => work(over(sql))),
    write: <T>(work: (verbs: Verbs) => Promise<T>) => database.write((sql) => work(over(sql))),
  };
}

export type Records = ReturnType<typeof createRecords>;
