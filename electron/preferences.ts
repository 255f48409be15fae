import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { removeLeftovers, setAside } from '../server/platform/files.ts';
import { readJson } from '../server/platform/json-file.ts';
import { createListeners } from '../server/platform/listeners.ts';
import type { Logger } from '../server/platform/log.ts';
import { createMutex } from '../server/platform/mutex.ts';
import { preferences, type Preferences } from './schema.ts';

/** What comes over IPC may have keys that are there and `undefined`. */
export type PreferencesPatch = { [Key in keyof Preferences]?: Preferences[Key] | undefined };

export interface PreferenceStore {
  current(): Preferences;
  /** Resolves even when the disk takes nothing: the change then holds until the program ends. */
  change(patch: PreferencesPatch): Promise<Preferences>;
  /** Returns what takes the listener away again. */
  onChange(listener: (now: Preferences) => void): () => void;
}

type Log = Pick<Logger, 'warn' | 'error'>;

export async function openPreferences(file: string, log: Log): Promise<PreferenceStore> {
  const listeners = createListeners<Preferences>('changed preferences', log);
  const inTurn = createMutex();
  await forgetLeftovers(file);
  const found = await readJson(file, preferences).catch((error: unknown) => {
    log.warn({ err: error }, 'The preferences cannot be read: the defaults are in use');
    return { kind: 'missing' } as const;
  });
  let current = found.kind === 'good' ? found.data : preferences.parse({});
  let isSaved = found.kind === 'good';
  let isInTheWay = found.kind === 'bad';

  if (found.kind === 'bad') {
    log.warn({ file, why: found.why }, 'The preferences cannot be read: the defaults are in use');
    await makeRoom().catch((error: unknown) =>
      log.error({ err: error }, 'The preferences that cannot be read could not be set aside'),
    );
  }

  async function makeRoom(): Promise<void> {
    if (!isInTheWay) return;
    const aside = await setAside(file, Date.now());
    isInTheWay = false;
    log.warn({ aside }, 'The preferences that cannot be read were set aside');
  }

  async function save(): Promise<void> {
    if (isSaved) return;
    try {
      await makeRoom();
      await mkdir(path.dirname(file), { recursive: true });
      await writeFileAtomic(file, JSON.stringify(current, null, 2) + '\n', { mode: 0o600 });
      isSaved = true;
    } catch (error) {
      log.error({ err: error }, 'The preferences could not be written: they hold until the end');
    }
  }

  async function change(patch: PreferencesPatch): Promise<Preferences> {
    const given = Object.entries(patch).filter(([, value]) => value !== undefined);
    const next = preferences.parse({ ...current, ...Object.fromEntries(given) });
    const isOther = JSON.stringify(next) !== JSON.stringify(current);
    current = next;
    if (isOther) isSaved = false;
    await save();
    if (isOther) listeners.tell(current);
    return next;
  }

  return {
    current: () => current,
    change: (patch) => inTurn(() => change(patch)),
    onChange: (listener) => listeners.add(listener),
  };
}

/** At the first start there is not even the folder. */
async function forgetLeftovers(file: string): Promise<void> {
  const name = path.basename(file).replaceAll('.', '\\.');
  const pattern = new RegExp(`^${name}\\.\\d+$`);
  await removeLeftovers(path.dirname(file), pattern).catch(() => undefined);
}

export function isPausedAt(until: string | null, now: number): boolean {
  if (until === null) return false;
  return until === 'always' || Date.parse(until) > now;
}
