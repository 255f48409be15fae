import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Package {
  version?: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Bundled as well, though they are named among what only development needs. */
const BUNDLED = [
  ...['electron-updater', 'svelte', 'bits-ui', '@tanstack/svelte-query', 'uplot'],
  ...['@lucide/svelte', '@internationalized/date'],
];

/** The licences of everything that travels inside the program but Electron, which brings its own. */
export function licences(root: string): string {
  const text = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, Package> };
  const parts = travelling(packages)
    // What is for other systems is not there.
    .filter((place) => existsSync(path.join(root, place)))
    .map((place) => {
      const { version = '', license = '' } = packages[place] ?? {};
      const words = licenceIn(path.join(root, place)) ?? `Under the licence ${license}.`;
      return `${nameOf(place)} ${version} (${license})\n\n${words.trim()}\n`;
    });
  const own = readFileSync(path.join(root, 'LICENSE'), 'utf8');
  return [`Vedette\n\n${own.trim()}\n`, ...parts].join(`\n${'-'.repeat(72)}\n\n`);
}

/** What the program names, and what that brings along in its turn: where each of them lies. */
function travelling(packages: Record<string, Package>): string[] {
  const found = new Set<string>();
  const follow = (name: string, from: string): void => {
    const place = placeOf(name, from, packages);
    if (place === undefined || found.has(place)) return;
    found.add(place);
    const { dependencies, optionalDependencies } = packages[place] ?? {};
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) {
      follow(next, place);
    }
  };
  for (const name of [...Object.keys(packages['']?.dependencies ?? {}), ...BUNDLED]) {
    follow(name, '');
  }
  return [...found].sort();
}

/** The nearest one, from inside outwards, as Node looks for it. */
function placeOf(name: string, from: string, packages: Record<string, Package>) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = path.posix.join(folder, 'node_modules', name);
    if (place in packages) return place;
    if (folder === '') return undefined;
  }
}

const nameOf = (place: string): string => place.split('node_modules/').at(-1) ?? place;

function licenceIn(folder: string): string | undefined {
  const name = readdirSync(folder).find((file) => /^(licen[cs]e|copying)/i.test(file));
  return name && readFileSync(path.join(folder, name), 'utf8');
}
