import { cp, mkdir, rename, rm, utimes } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { isStale } from './stale.ts';

// Builds the desktop program into electron/dist, unless what is there is newer than everything it
// is made of: one file for Electron's main process, one that its pages start with, and the icons.

const root = path.join(import.meta.dirname, '..');
const dist = path.join(root, 'electron/dist');
const workshop = path.join(root, 'build/dist');
export const SOURCES = [
  'electron',
  'server',
  'build/icons',
  // What builds it.
  'build/desktop.ts',
  'build/bundle.ts',
  'build/draw-icons.ts',
  // Its version goes into the bundle.
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

export async function buildDesktop({ always = false } = {}): Promise<void> {
  const built = path.join(dist, 'main.js');
  const sources = SOURCES.map((name) => path.join(root, name));
  if (!always && !isStale(built, sources)) return;
  process.stdout.write('Building the desktop program …\n');

  const half = path.join(workshop, `desktop-${process.pid}`);
  await mkdir(half, { recursive: true });
  try {
    await buildInto(half);
    await rm(dist, { recursive: true, force: true });
    await rename(half, dist);
  } finally {
    await rm(half, { recursive: true, force: true });
  }
  // Putting it into place has made the folder around it newer than it.
  const now = new Date();
  await utimes(built, now, now);
}

async function buildInto(folder: string): Promise<void> {
  const [{ bundleMain, bundlePreload }, { drawShellIcons }] = await Promise.all([
    import('./bundle.ts'),
    import('./draw-icons.ts'),
  ]);
  await Promise.all([
    bundleMain(path.join(root, 'electron/main.ts'), path.join(folder, 'main.js')),
    bundlePreload(path.join(root, 'electron/preload.ts'), path.join(folder, 'preload.cjs')),
    copyApiPages(path.join(folder, 'static')),
    drawShellIcons(path.join(folder, 'icons')),
  ]);
}

/** What is served at /docs; its package looks for it in a folder `static` beside itself. */
async function copyApiPages(to: string): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json');
  await cp(path.join(path.dirname(manifest), 'static'), to, {
    recursive: true,
    // The second is for sites that bundle it by themselves.
    filter: (file) => !file.endsWith('.map') && path.basename(file) !== 'swagger-ui.js',
  });
}

if (import.meta.main) {
  await buildDesktop({ always: process.argv.includes('--always') });
}
