import { globSync } from 'node:fs';
import path from 'node:path';
import { isStale } from './stale.ts';

// Builds the dashboard into ui/dist, unless what is there is newer than everything it is made of.

const root = path.join(import.meta.dirname, '..');
const built = path.join(root, 'ui/dist/index.html');
const SOURCES = [
  'ui/src',
  'ui/public',
  'ui/index.html',
  'ui/vite.config.ts',
  // Its pages import these.
  'electron/schema.ts',
  ...globSync('server/*/schema.ts', { cwd: root }),
  'package-lock.json',
];

export async function buildDashboard({ always = false } = {}): Promise<void> {
  const sources = SOURCES.map((name) => path.join(root, name));
  if (!always && !isStale(built, sources)) return;
  process.stdout.write('Building the dashboard …\n');
  const { build } = await import('vite');
  await build({ configFile: path.join(root, 'ui/vite.config.ts'), logLevel: 'warn' });
}

if (import.meta.main) {
  await buildDashboard({ always: process.argv.includes('--always') });
}
