import { startProblems } from './start-errors.ts';
import type { Sql } from './sql.ts';

/** One change to the tables, made once for each database, in order. Never edited once released. */
export interface Migration {
  name: string;
  sql: string;
}

export async function migrate(
  sql: Sql,
  migrations: readonly Migration[],
  file: string,
  beforeUpgrade: () => Promise<void>,
): Promise<void> {
  await sql.run(
    'CREATE TABLE IF NOT EXISTS migrations (name VARCHAR NOT NULL, made_at TIMESTAMP NOT NULL)',
  );
  await sql.run('CREATE TABLE IF NOT EXISTS lineage AS SELECT uuid()::VARCHAR AS id');
  const done = new Set(
    (await sql.rows<{ name: string }>('SELECT name FROM migrations')).map(({ name }) => name),
  );
  const known = new Set(migrations.map(({ name }) => name));
  if ([...done].some((name) => !known.has(name))) throw startProblems.databaseNewer(file);
  const pending = migrations.filter(({ name }) => !done.has(name));
  if (done.size > 0 && pending.length > 0) await beforeUpgrade();
  for (const { name, sql: change } of pending) {
    await sql.run('BEGIN TRANSACTION');
    await sql.run(change);
    await sql.run('INSERT INTO migrations VALUES (?, now()::TIMESTAMP)', name);
    await sql.run('COMMIT');
  }
}

/** The same in a database and in all copies of it, and in no other. */
export async function lineageIn(sql: Sql): Promise<string | undefined> {
  const [row] = await sql.rows<{ id: string }>('SELECT id FROM lineage');
  return row?.id;
}

/** Nothing in a database that was never in use, or has no such table. */
export async function installationIn(sql: Sql): Promise<string | undefined> {
  const rows = await sql
    .rows<{ id: string }>('SELECT id FROM installation')
    .catch((): { id: string }[] => []);
  return rows[0]?.id;
}
