import type { Database } from './database.ts';
import type { Migration } from './migrations.ts';

/** One row: which installation the database is of, and when it had to replace one that was missing. */
export const installationTables: readonly Migration[] = [
  {
    name: 'installation-1',
    sql: 'CREATE TABLE installation (id VARCHAR NOT NULL, missed_at TIMESTAMP)',
  },
];

export interface Stored {
  id: string;
  missedAt: number | null;
}

/** Nothing in a database that has just been made. */
export function storedInstallation(database: Pick<Database, 'read'>): Promise<Stored | undefined> {
  return database.read(async (sql) => {
    const [row] = await sql.rows<Stored>(
      'SELECT id, epoch_ms(missed_at)::DOUBLE AS "missedAt" FROM installation',
    );
    return row;
  });
}

export function storeInstallation(
  database: Pick<Database, 'write'>,
  { id, missedAt }: Stored,
): Promise<void> {
  return database.write((sql) =>
    sql.run('INSERT INTO installation VALUES (?, epoch_ms(?::BIGINT))', id, missedAt),
  );
}
