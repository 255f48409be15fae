import { readdirSync, statSync } from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import { syncDirectory } from './files.ts';
import { storedInstallation, storeInstallation } from './installation-store.ts';
import { StartError, startProblems } from './start-errors.ts';
import { dayOf } from './text.ts';

/**
 * An installation has an id, made on its very first start and kept in the settings and in the
 * database. So a part that is missing is told from one that was never there.
 */
export interface Signs {
  /** An id; `missing`; or `unread`, until they are opened. */
  settings: string;
  /** The same; or `unnamed`, when it has just been made. */
  database: string;
  /** Whether there is a backup, or anything in the journal. */
  others: boolean;
}

export type Verdict =
  'new' | 'whole' | 'database-missing' | 'settings-missing' | 'mixed' | 'emptied';

/** `wasHere`: whether this directory is known to have held an installation. */
export function judge({ settings, database, others }: Signs, wasHere = false): Verdict {
  if (settings === 'missing') {
    // A first start that was cut off leaves a database without a name: only opening it tells.
    if (database === 'unread') return 'whole';
    if (others || isId(database)) return 'settings-missing';
    return wasHere ? 'emptied' : 'new';
  }
  if (database === 'missing') return 'database-missing';
  return isId(settings) && isId(database) && settings !== database ? 'mixed' : 'whole';
}

const isId = (sign: string) => !['unread', 'unnamed', 'missing'].includes(sign);

/** Before anything is opened or made. */
export function findInstallation(dataDir: string): Signs {
  const signs = signsIn(dataDir);
  refuse(dataDir, signs);
  return signs;
}

/** From outside. */
export function signsIn(dir: string): Signs {
  const has = (name: string) => sizeOf(path.join(dir, name)) > 0;
  const settings = ['settings.json', 'settings.last-good.json', 'backup/settings.json'];
  return {
    settings: settings.some(has) ? 'unread' : 'missing',
    database: has('events.duckdb') ? 'unread' : 'missing',
    others: has('backup/events.duckdb') || !isEmpty(path.join(dir, 'journal')),
  };
}

interface Parts {
  dataDir: string;
  /** As it was before anything was opened. */
  found: Signs;
  database: Pick<Database, 'read' | 'write'>;
  file: {
    readonly isNew: boolean;
    readonly data: { readonly installation: string };
    update: (change: () => void) => Promise<void>;
  };
  clock: Clock;
}

/** A week, so that it outlives restarts that nobody saw. */
const NOTICE_MS = 7 * 24 * 3_600_000;

/** Once both are open: they must be of one installation, or get its name. */
export async function settleInstallation({ dataDir, found, database, file, clock }: Parts) {
  const stored = await storedInstallation(database);
  const verdict = refuse(dataDir, {
    ...found,
    settings: file.isNew ? 'missing' : file.data.installation,
    database: stored?.id ?? (found.database === 'missing' ? 'missing' : 'unnamed'),
  });
  const { installation: id } = file.data;
  const { missedAt } = stored ?? {
    missedAt: verdict === 'database-missing' ? clock.now() : null,
  };
  // The settings first: a database with a name and no settings is one that has lost them.
  if (file.isNew) await file.update(() => undefined);
  if (stored === undefined) await storeInstallation(database, { id, missedAt });
  return {
    id,
    get notices() {
      return missedAt !== null && clock.now() < missedAt + NOTICE_MS ? [missed(missedAt)] : [];
    },
  };
}

/** Ends the start where going on would hide what is there, or mix what does not belong together. */
function refuse(dataDir: string, signs: Signs): Verdict {
  const verdict = judge(signs);
  const { settings, database } = signs;
  if (verdict === 'settings-missing')
    throw startProblems.settingsMissing(dataDir, nameOf(database));
  if (verdict === 'mixed') {
    throw startProblems.mixedInstallations(dataDir, nameOf(settings), nameOf(database));
  }
  return verdict;
}

/** What people call an installation by, which is enough to tell it from their others. */
export const nameOf = (id: string) => (isId(id) ? id.slice(0, 8) : 'unknown');

const missed = (at: number) =>
  `The database was missing when Vedette started on ${dayOf(at)}, so a new one was made. Earlier ` +
  'events, counts and alerts are not in it, except for events that were still in the journal. To ' +
  'get them back, close Vedette, replace the new events.duckdb with the original, and start again.';

interface StartAnew {
  dataDir: string;
  /** The name of the installation that is to be left. It never is the one that begins then. */
  startAnew?: string;
  clock?: Clock;
  log: { warn(fields: object, message: string): void };
}

/** Where a start is refused for what is missing, and only there, whoever says so leaves it behind. */
export async function orStartAnew<T>(options: StartAnew, open: () => Promise<T>): Promise<T> {
  const { dataDir, startAnew, clock = systemClock, log } = options;
  try {
    return await open();
  } catch (error) {
    const left = error instanceof StartError ? error.installation : undefined;
    if (left === undefined || left !== startAnew) throw error;
    const keptIn = await setInstallationAside(dataDir, clock.now());
    log.warn(
      { installation: left, keptIn },
      'A new installation begins; the old one was set aside',
    );
    return open();
  }
}

/**
 * In this order, since a start after one that was cut off here must be refused again, and never
 * open a database beside the log of another. The keys of the secrets stay: both may need them.
 */
const PARTS = [/^settings\./, /^events\.duckdb\./, /^events\.duckdb$/, /^journal$/, /^backup$/];

async function setInstallationAside(dir: string, now: number): Promise<string> {
  const target = path.join(dir, 'set-aside', new Date(now).toISOString().replaceAll(':', '-'));
  await mkdir(target, { recursive: true });
  const names = await readdir(dir);
  for (const part of PARTS) {
    for (const name of names.filter((one) => part.test(one))) {
      await rename(path.join(dir, name), path.join(target, name));
    }
    await syncDirectory(target);
    await syncDirectory(dir);
  }
  return target;
}

// What may not be looked at is there: its owner is told so when it is opened.

function sizeOf(file: string): number {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 1;
  }
}

function isEmpty(dir: string): boolean {
  try {
    return readdirSync(dir).length === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
