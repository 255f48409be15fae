import type { Database } from './database.ts';
import type { Migration } from './migrations.ts';

export const trustedDateTables: readonly Migration[] = [
  { name: 'trusted-date-1', sql: 'CREATE TABLE trusted_date (moment TIMESTAMP NOT NULL);' },
];

export function createTrustedDateStore(database: Database) {
  return {
    read: () =>
      database.read(async (sql) => {
        const [row] = await sql.rows<{ moment: number }>(
          'SELECT epoch_ms(moment)::DOUBLE AS moment FROM trusted_date',
        );
        return row?.moment;
      }),

    write: (moment: number) =>
      database.write(async (sql) => {
        await sql.run('DELETE FROM trusted_date');
        await sql.run(
          'INSERT INTO trusted_date VALUES (make_timestamp_ms($1::BIGINT))',
          Math.round(moment),
        );
      }),
  };
}
