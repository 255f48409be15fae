import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// Builds the dashboard into ui/dist, unless what is there is newer than everything it is made of.

const root = path.join(import.meta.dirname, '..');
const built = path.join(root, 'ui/dist/index.html');
const SOURCES = ['ui/src', 'ui/public', 'ui/index.html', 'ui/vite.config.ts', 'package-lock.json'];

export async function buildDashboard({ always = false } = {}): Promise<void> {
  if (!always && !isStale()) return;
  process.stdout.write('Building the dashboard …\n');
  const { build } = await import('vite');
  await build({ configFile: path.join(root, 'ui/vite.config.ts'), logLevel: 'warn' });
}

function isStale(): boolean {
  if (!existsSync(built)) return true;
  const { mtimeMs } = statSync(built);
  return SOURCES.some((name) => newest(path.join(root, name)) > mtimeMs);
}

/** A folder changes as well when something is taken out of it. */
function newest(file: string): number {
  const found = statSync(file);
  if (!found.isDirectory()) return found.mtimeMs;
  const inside = readdirSync(file).map((name) => newest(path.join(file, name)));
  return Math.max(found.mtimeMs, ...inside);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildDashboard({ always: process.argv.includes('--always') });
}
