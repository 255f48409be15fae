import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Lock {
  packages: Record<string, { dev?: boolean; version?: string; license?: string }>;
}

/** Bundled as well, though they are named among what only development needs. */
const BUNDLED = [
  ...['electron-updater', 'svelte', 'bits-ui', '@tanstack/svelte-query', '@tanstack/query-core'],
  ...['uplot', '@lucide/svelte', '@internationalized/date'],
];

/** The licences of everything that travels inside the program but Electron, which brings its own. */
export async function licences(root: string): Promise<string> {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock;
  const parts = Object.entries(lock.packages)
    .filter(([place, { dev }]) => place !== '' && (!dev || BUNDLED.includes(nameOf(place))))
    .map(([place, { version = '', license = '' }]) => {
      const text = licenceIn(path.join(root, place));
      return text && `${nameOf(place)} ${version} (${license})\n\n${text.trim()}\n`;
    });
  const own = readFileSync(path.join(root, 'LICENSE'), 'utf8');
  return [`Vedette\n\n${own.trim()}\n`, ...parts.filter(Boolean)].join(`\n${'-'.repeat(72)}\n\n`);
}

const nameOf = (place: string): string => place.split('node_modules/').at(-1) ?? place;

function licenceIn(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const name = readdirSync(folder).find((file) => /^(licen[cs]e|copying)/i.test(file));
  return name && readFileSync(path.join(folder, name), 'utf8');
}
