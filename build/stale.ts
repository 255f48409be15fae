import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Whether anything that it is made of is newer than it, or it is not there at all. */
export function isStale(built: string, sources: readonly string[]): boolean {
  if (!existsSync(built)) return true;
  const { mtimeMs } = statSync(built);
  return sources.some((source) => newest(source) > mtimeMs);
}

/** A folder changes as well when something is taken out of it. */
function newest(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  // What is built lies beside what it is built from.
  const inside = readdirSync(file).filter((name) => name !== 'dist');
  return Math.max(found.mtimeMs, ...inside.map((name) => newest(path.join(file, name))));
}
