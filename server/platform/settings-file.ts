import { access, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Low, type Adapter } from 'lowdb';
import type { BaseLogger } from 'pino';
import writeFileAtomic from 'write-file-atomic';
import type { z } from 'zod';
import { systemClock, type Clock } from './clock.ts';
import { problems } from './errors.ts';
import { startProblems } from './start-errors.ts';
import { removeLeftovers, syncDirectory } from './files.ts';
import type { Wait } from './files.ts';
import { readJson } from './json-file.ts';
import { createMutex } from './mutex.ts';
import { dayOf } from './text.ts';

/** What may be looked at but not touched; only `update` changes it. */
export type View<T> = T extends readonly (infer Item)[]
  ? readonly View<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: View<T[Key]> }
    : T;

export interface SettingsFile<T extends object> {
  /** What is on disk. A new object after each update. */
  readonly data: View<T>;
  /** What the owner should know about how the settings were read. */
  readonly notices: readonly string[];
  /** Whether there was nothing to read, and nothing has been written since. */
  readonly isNew: boolean;
  /** Changes a copy, one update after the other; resolves once the change is on disk. */
  update<Result>(mutator: (draft: T) => Result): Promise<Result>;
  /** The copy keeps what the last update took away; after this it does not. */
  renewCopy(): Promise<void>;
}

interface Options<T> {
  dir: string;
  schema: z.ZodType<T>;
  initial: () => T;
  log: Pick<BaseLogger, 'warn' | 'error'>;
  clock?: Clock;
  /** Until a file that could not be read is tried again. */
  wait?: Wait;
}

const NAME = 'settings.json';
const COPY = 'settings.last-good.json';
const BACKUP = join('backup', NAME);
const LEFTOVER = /^settings(\.last-good)?\.json\.\d+$/;

export async function openSettingsFile<T extends object>(
  options: Options<T>,
): Promise<SettingsFile<T>> {
  const { dir, schema, initial, log } = options;
  await removeLeftovers(dir, LEFTOVER);
  const notices: string[] = [];
  const adapter = fileAdapter(options, notices);
  const low = new Low<T>(adapter, initial());
  await low.read();
  let visible = low.data;
  const inTurn = createMutex();

  async function change<Result>(mutator: (draft: T) => Result): Promise<Result> {
    const draft = structuredClone(visible);
    const result = mutator(draft);
    low.data = schema.parse(draft);
    await written(() => low.write(), problems.settingsNotSaved);
    visible = low.data;
    return result;
  }

  async function written(write: () => Promise<void>, problem: () => Error): Promise<void> {
    try {
      await write();
    } catch (error) {
      log.error({ err: error }, 'The settings could not be written');
      throw problem();
    }
  }

  return {
    get data() {
      return visible as View<T>;
    },
    notices,
    get isNew() {
      return adapter.isNew();
    },
    update: (mutator) => inTurn(() => change(mutator)),
    renewCopy: () => inTurn(() => written(adapter.renewCopy, problems.settingsCopyNotSaved)),
  };
}

/**
 * lowdb's own adapters rename without fsync, so a power cut can leave an empty file. Here the copy
 * is written before the file: at every moment one of the two is a version that parsed.
 */
function fileAdapter<T extends object>(
  options: Options<T>,
  notices: string[],
): Adapter<T> & { renewCopy: () => Promise<void>; isNew: () => boolean } {
  const { dir } = options;
  let onDisk: string | undefined;
  return {
    isNew: () => onDisk === undefined,
    async read() {
      const loaded = await load(options, notices);
      onDisk = loaded?.text;
      return loaded?.data ?? null;
    },
    async write(data) {
      const text = JSON.stringify(data, null, 2) + '\n';
      if (text === onDisk) return;
      await save(join(dir, COPY), onDisk ?? text);
      await save(join(dir, NAME), text);
      onDisk = text;
      await syncDirectory(dir);
    },
    async renewCopy() {
      if (onDisk === undefined) return;
      await save(join(dir, COPY), onDisk);
      await syncDirectory(dir);
    },
  };
}

async function load<T extends object>(options: Options<T>, notices: string[]) {
  const { dir, schema, log, clock = systemClock, wait } = options;
  const path = join(dir, NAME);
  const main = await readJson(path, schema, wait);
  const copy = await readJson(join(dir, COPY), schema, wait).catch((error: unknown) => {
    if (main.kind !== 'good') throw error;
    // Not needed, and written anew below.
    return { kind: 'missing' } as const;
  });
  const isThere = main.kind === 'good' || copy.kind === 'good';
  const backup = isThere ? undefined : await readJson(join(dir, BACKUP), schema, wait);
  const found = [main, copy, backup].find((one) => one?.kind === 'good');
  if (main.kind === 'missing' && copy.kind === 'missing' && found === undefined) return null;

  // Nothing is moved in this case: the next start would take the empty place for a first start.
  if (found?.kind !== 'good') {
    const bad = main.kind === 'bad' ? main : copy;
    throw startProblems.settingsUnreadable(path, bad.kind === 'bad' ? bad.why : undefined);
  }

  if (main.kind !== 'good') {
    const instead =
      found === copy
        ? 'The last good copy is in use: the latest changes may be missing.'
        : `The backup of ${dayOf((await stat(join(dir, BACKUP))).mtimeMs)} is in use: ` +
          'later changes are missing.';
    notices.push(
      main.kind === 'bad'
        ? `The settings could not be read (${main.why}) and were set aside as ` +
            `${await setAside(dir, NAME, clock)}. ${instead}`
        : `The settings file was missing. ${instead}`,
    );
  }
  if (copy.kind === 'bad') await setAside(dir, COPY, clock);
  try {
    if (main.kind !== 'good') await save(path, found.text);
    if (copy.kind !== 'good' || copy.text !== found.text) await save(join(dir, COPY), found.text);
    await syncDirectory(dir);
  } catch (error) {
    // A full disk must not keep Vedette from starting: what was read is good.
    log.warn({ err: error }, 'The last good copy of the settings could not be refreshed');
  }
  for (const notice of notices) log.warn(notice);
  return found;
}

function save(file: string, text: string): Promise<void> {
  return writeFileAtomic(file, text, { mode: 0o600, fsync: true });
}

async function setAside(dir: string, name: string, clock: Clock): Promise<string> {
  const time = new Date(clock.now()).toISOString().replaceAll(':', '-');
  let aside = `${name}.set-aside-${time}`;
  for (let count = 2; await exists(join(dir, aside)); count++) {
    aside = `${name}.set-aside-${time}-${count}`;
  }
  await rename(join(dir, name), join(dir, aside));
  return aside;
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
