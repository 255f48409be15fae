import { lstat, readdir, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Backup } from '../backup/backup.ts';
import type { Events } from '../events/events.ts';
import type { StorageView } from './schema.ts';

interface Parts {
  dataDir: string;
  backup: Pick<Backup, 'status'>;
  events: { flusher: Events['flusher']; store: Pick<Events['store'], 'extent'> };
}

/** What is kept and what room it takes, on a disk that others may fill too. */
export function createStorage({ dataDir, backup, events: { flusher, store } }: Parts) {
  return async (tenantId: string): Promise<StorageView> => {
    // A full disk takes no flush, and is when one looks here.
    await flusher.flush(tenantId).catch(() => undefined);
    const inside = (folder: string) => bytesIn(path.join(dataDir, folder), () => true, true);
    const [
      database,
      journal,
      keptJournal,
      backups,
      logs,
      setAside,
      settingsAside,
      disk,
      made,
      extent,
    ] = await Promise.all([
      bytesIn(dataDir, (name) => name.startsWith('events.duckdb')),
      inside('journal'),
      inside('journal/kept'),
      inside('backup'),
      inside('logs'),
      inside('set-aside'),
      // Settings that could not be read stay beside those that can.
      bytesIn(dataDir, (name) => name.includes('.set-aside-')),
      statfs(dataDir),
      backup.status(),
      store.extent(tenantId),
    ]);
    return {
      database_bytes: database,
      journal_bytes: journal - keptJournal,
      kept_journal_bytes: keptJournal,
      backup: {
        dir: made.dir,
        at: timeOf(made.at ?? null),
        bytes: made.bytes,
        is_running: made.isRunning,
        problem: made.problem ?? null,
      },
      backup_bytes: backups,
      logs_bytes: logs,
      set_aside_bytes: setAside + settingsAside,
      free_bytes: disk.bavail * disk.bsize,
      total_bytes: disk.blocks * disk.bsize,
      events: extent.events,
      oldest_event: timeOf(extent.oldest),
      newest_event: timeOf(extent.newest),
    };
  };
}

export type Storage = ReturnType<typeof createStorage>;

const timeOf = (moment: number | null) => (moment === null ? null : new Date(moment).toISOString());

/** Files that vanish while one looks, as segments do, take no room. */
async function bytesIn(
  dir: string,
  counts: (name: string) => boolean,
  recursive = false,
): Promise<number> {
  const names = await readdir(dir, { recursive }).catch(() => []);
  const sizes = names.filter(counts).map(async (name) => {
    const file = await lstat(path.join(dir, name)).catch(() => undefined);
    return file?.isFile() ? file.size : 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
