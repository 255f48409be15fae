import path from 'node:path';
import { z } from 'zod';
import { readJson } from '../platform/json-file.ts';

const known = z.object({ settings: z.object({ backup_dir: z.string().nullable() }) });

/**
 * Where the backup is, as the settings say, which are opened only behind the database that may need
 * it. Nothing where they do not say.
 */
export async function storedBackupDir(dataDir: string): Promise<string | null> {
  for (const name of ['settings.json', 'settings.last-good.json']) {
    const found = await readJson(path.join(dataDir, name), known);
    if (found.kind === 'good') return found.data.settings.backup_dir;
  }
  return null;
}
