import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { judge, nameOf, signsIn } from './installation.ts';
import { startProblems } from './start-errors.ts';
import { dayOf } from './text.ts';

/**
 * Which directories of this machine have held an installation, kept outside of them: an empty
 * mount point looks like a first start, and nothing in it can tell.
 */
const places = z.record(z.string(), z.object({ installation: z.uuid(), at: z.iso.datetime() }));

type Places = z.infer<typeof places>;

/** Those that were used longest ago are forgotten. */
const KEPT = 50;

interface Place {
  dataDir: string;
  startAnew?: string | undefined;
}

/** To be asked before anything is made in the directory. */
export function mustNotBeGone({ dataDir, startAnew }: Place, env = process.env): void {
  const known = read(env)[dataDir];
  if (known === undefined || judge(signsIn(dataDir), true) !== 'emptied') return;
  const name = nameOf(known.installation);
  if (name === startAnew) return;
  throw startProblems.installationGone(dataDir, dayOf(Date.parse(known.at)), name);
}

/** As well as it can be done: a start is worth more. */
export async function rememberPlace(
  dataDir: string,
  installation: string,
  now: number,
  env = process.env,
): Promise<void> {
  const known = { ...read(env), [dataDir]: { installation, at: new Date(now).toISOString() } };
  const newest = Object.entries(known).sort(([, one], [, other]) => (one.at < other.at ? 1 : -1));
  const text = JSON.stringify(Object.fromEntries(newest.slice(0, KEPT)), null, 2);
  const file = placesFile(env);
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFileAtomic(file, `${text}\n`, { mode: 0o600 });
  } catch {
    // As said.
  }
}

function read(env: NodeJS.ProcessEnv): Places {
  try {
    return places.parse(JSON.parse(readFileSync(placesFile(env), 'utf8')));
  } catch {
    return {};
  }
}

/** Not below the usual data directory, which may be what is gone. */
function placesFile(env: NodeJS.ProcessEnv): string {
  return path.join(env['VEDETTE_STATE_DIR'] || stateDir(env), 'places.json');
}

function stateDir(env: NodeJS.ProcessEnv): string {
  const home = os.homedir();
  switch (process.platform) {
    case 'win32':
      return path.join(env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'Vedette State');
    case 'darwin':
      return path.join(home, 'Library', 'Application Support', 'Vedette State');
    default:
      return path.join(env['XDG_STATE_HOME'] ?? path.join(home, '.local', 'state'), 'vedette');
  }
}
