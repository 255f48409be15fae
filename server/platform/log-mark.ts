import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { syncDirectory } from './files.ts';
import { momentOf } from './text.ts';

/**
 * An empty file that is there while DuckDB's log holds something that its file does not, since DuckDB
 * takes a log that is missing or zeroed for one that was never needed. Setting it syncs the folder, so
 * that the log itself, which DuckDB makes anew after each checkpoint, has its name on disk too.
 */
export function createLogMark(file: string) {
  const mark = `${file}.has-log`;
  const wal = `${file}.wal`;
  const dir = path.dirname(file);
  return {
    async set(): Promise<void> {
      await writeFile(mark, '');
      await syncDirectory(dir);
    },
    /** Before a checkpoint, which takes the log away: at worst one that goes missing then is not missed. */
    async remove(): Promise<void> {
      if (!existsSync(mark)) return;
      await rm(mark);
      await syncDirectory(dir);
    },
    isLogMissing(): boolean {
      try {
        return existsSync(mark) && existsSync(file) && isEmpty(wal);
      } catch {
        // A log that cannot be read is there; whoever opens it says so.
        return false;
      }
    },
  };
}

export const logMissing = (file: string): string =>
  `The database's write-ahead log was missing at the start. Events since the last checkpoint (${momentOf(statSync(file).mtimeMs)}) were restored from the journal. Alerts and changes to alerts since then are missing.`;

function isEmpty(wal: string): boolean {
  if (!existsSync(wal) || statSync(wal).size === 0) return true;
  const start = Buffer.alloc(64);
  const handle = openSync(wal, 'r');
  readSync(handle, start);
  closeSync(handle);
  return start.every((byte) => byte === 0);
}
