import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import { endIfNobodyWaits } from './asker.ts';
import { createPool } from './pool.ts';
import type { Sql } from './sql.ts';

export interface Connected extends Sql {
  interrupt: () => void;
  disconnect: () => void;
}

export function sqlOver(connection: DuckDBConnection): Connected {
  return {
    run: async (statement, ...values) => {
      await connection.run(statement, values);
    },
    rows: async <T>(statement: string, ...values: DuckDBValue[]) =>
      (await connection.runAndReadAll(statement, values)).getRowObjectsJS() as T[],
    interrupt: () => {
      connection.interrupt();
    },
    disconnect: () => {
      connection.disconnectSync();
    },
  };
}

/** Ends the statement that is running once nobody waits for it, and begins none after that. */
export function whileWanted(sql: Connected, signal: AbortSignal): Sql {
  async function guarded<T>(run: () => Promise<T>): Promise<T> {
    endIfNobodyWaits(signal);
    let again: NodeJS.Timeout | undefined;
    const stop = () => {
      sql.interrupt();
      // A statement that has not quite begun forgets it.
      again = setInterval(sql.interrupt, 50);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await run();
    } finally {
      signal.removeEventListener('abort', stop);
      clearInterval(again);
    }
  }
  return {
    run: (...statement) => guarded(() => sql.run(...statement)),
    rows: <T>(...statement: Parameters<Sql['rows']>) => guarded(() => sql.rows<T>(...statement)),
  };
}

/** All connections to one opening of the file. */
export async function openGeneration(instance: DuckDBInstance, readerCount: number) {
  const connect = async () => sqlOver(await instance.connect());
  const connections = await Promise.all(Array.from({ length: readerCount + 1 }, connect));
  const [writer, ...readers] = connections as [Connected, ...Connected[]];
  let isOpen = true;
  return {
    writer,
    readers: createPool(readers),
    connect,
    close(): void {
      if (!isOpen) return;
      isOpen = false;
      for (const { disconnect } of connections) disconnect();
      instance.closeSync();
    },
  };
}

export type Generation = Awaited<ReturnType<typeof openGeneration>>;
