import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { asideName, syncDirectory } from './files.ts';
import { companions } from './whole-database.ts';

/**
 * A file that is there from before something is set aside until it is said, so that a crash in the
 * middle neither hides what happened nor makes it worse. It holds the moment in the names of what is
 * set aside.
 */
export function createHealingMark(file: string) {
  const mark = `${file}.healing`;

  return {
    isSet: (): boolean => existsSync(mark),

    async set(now: number): Promise<void> {
      await writeFileAtomic(mark, String(now), { mode: 0o600 });
      await syncDirectory(path.dirname(file));
    },

    remove: () => rm(mark, { force: true }),

    /**
     * After a crash: everything is put back as it was found, to be looked at again; or, where the
     * database was in place again already, what was set aside is named, for it was never said.
     */
    async resume(): Promise<string | undefined> {
      const text = await readFile(mark, 'utf8').catch(() => undefined);
      if (text === undefined) return undefined;
      const now = Number(text);
      const damaged = asideName(file, now);
      if (existsSync(damaged) && existsSync(file)) return damaged;
      for (const name of [file, ...companions(file)]) {
        const aside = asideName(name, now);
        if (existsSync(aside) && !existsSync(name)) await rename(aside, name);
      }
      await this.remove();
      return undefined;
    },
  };
}

export type HealingMark = ReturnType<typeof createHealingMark>;
