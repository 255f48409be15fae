import path from 'node:path';
import { z } from 'zod';
import { readJson } from '../platform/json-file.ts';

const known = z.object({
  installation: z.string(),
  settings: z.object({ backup_dir: z.string().nullable() }),
});

/**
 * What the database must know of the settings, which are opened only behind it: whose backup may take
 * its place, and where that is.
 */
export async function readAhead(dataDir: string) {
  for (const name of ['settings.json', 'settings.last-good.json']) {
    const found = await readJson(path.join(dataDir, name), known);
    if (found.kind !== 'good') continue;
    const { installation, settings } = found.data;
    return { installation, backupDir: settings.backup_dir };
  }
  return { installation: undefined, backupDir: null };
}
