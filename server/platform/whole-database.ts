import { open, rm } from 'node:fs/promises';
import type { Sql } from './sql.ts';

/**
 * Reads all that the database holds. It notices every flipped bit, since DuckDB compares each block
 * with its checksum, but only when it reads it.
 */
export async function readThrough(sql: Sql): Promise<void> {
  for (const name of await tablesIn(sql)) {
    await sql.rows(`SELECT bit_xor(hash(row)) AS hash FROM "${name}" AS row`);
  }
}

async function tablesIn(sql: Sql): Promise<string[]> {
  const tables = await sql.rows<{ name: string }>(
    'SELECT table_name AS name FROM duckdb_tables() WHERE database_name = current_database()',
  );
  return tables.map(({ name }) => name);
}

/** Takes from another, damaged database all tables but these, if all of those can be read. */
export async function takeTables(
  sql: Sql,
  damaged: string,
  except: readonly string[],
): Promise<void> {
  const names = (await tablesIn(sql)).filter((name) => !except.includes(name));
  await sql.run(`ATTACH '${quoted(damaged)}' AS damaged (READ_ONLY)`);
  await sql.run('BEGIN TRANSACTION');
  for (const name of names) {
    await sql.run(`DELETE FROM "${name}"`);
    await sql.run(`INSERT INTO "${name}" SELECT * FROM damaged."${name}"`);
  }
  await sql.run('COMMIT');
  await sql.run('DETACH damaged');
  await sql.run('CHECKPOINT');
}

const quoted = (file: string) => file.replaceAll("'", "''");

/**
 * A copy of all that is committed at this moment, without holes, on disk. Rows are read and written
 * anew, so that no flaw of the file comes along, and nobody has to wait meanwhile.
 */
export async function copyInto(sql: Sql, file: string): Promise<void> {
  await removeDatabase(file);
  await sql.run(`ATTACH '${quoted(file)}' AS copy`);
  try {
    const [current] = await sql.rows<{ name: string }>('SELECT current_database() AS name');
    await sql.run(`COPY FROM DATABASE "${String(current?.name)}" TO copy`);
    await sql.run('CHECKPOINT copy');
  } catch (error) {
    // It leaves a transaction behind, and what it says then would hide what went wrong.
    await sql.run('ROLLBACK').catch(() => undefined);
    await sql.run('DETACH copy').catch(() => undefined);
    throw error;
  }
  await sql.run('DETACH copy');
  const handle = await open(file, 'r+');
  await handle.sync().finally(() => handle.close());
}

/** What DuckDB writes beside its file: not yet in it, and of no use without it. */
export const companions = (file: string): string[] =>
  ['.wal', '.wal.checkpoint', '.wal.recovery'].map((ending) => file + ending);

export async function removeDatabase(file: string): Promise<void> {
  for (const name of [file, ...companions(file)]) await rm(name, { force: true });
}

/** Bytes of the file, and how many of them hold nothing. */
export async function sizeIn(sql: Sql): Promise<{ total: number; free: number }> {
  const [row] = await sql.rows<{ total: number; free: number }>(
    `SELECT (total_blocks * block_size)::DOUBLE AS total, (free_blocks * block_size)::DOUBLE AS free
     FROM pragma_database_size() LIMIT 1`,
  );
  return row ?? { total: 0, free: 0 };
}
