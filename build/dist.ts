import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'electron-builder';
import type { Configuration } from 'electron-builder';
import manifest from '../package.json' with { type: 'json' };
import { buildDashboard } from './dashboard.ts';
import { buildDesktop } from './desktop.ts';
import { drawInstallerIcons } from './draw-icons.ts';
import { licences } from './licences.ts';

// Makes the installers for this system, or with --dir the program as it would be installed.

const root = path.join(import.meta.dirname, '..');
const workshop = path.join(root, 'build/dist');

interface Wanted {
  /** Only the unpacked program. */
  isUnpacked: boolean;
  /** Where it is put; the workshop's own folder when not given. */
  output?: string | undefined;
  /** An unpacked Electron to pack instead of the one that electron-builder fetches. */
  electron?: string | undefined;
  /** Where installed programs ask for newer ones. Without it they do not ask. */
  updates?: string | undefined;
}

export async function dist({ isUnpacked, output, electron, updates }: Wanted): Promise<void> {
  await buildDashboard();
  await buildDesktop();
  await layOut(path.join(workshop, 'app'));
  await drawInstallerIcons(path.join(workshop, 'resources'));
  await writeFile(path.join(workshop, 'licences.txt'), licences(root));

  const config: Configuration = {
    extends: 'build/electron-builder.yml',
    ...(electron && { electronDist: electron, afterExtract: leaveOutStrangers }),
    ...(output && { directories: { output } }),
    publish: updates ? { provider: 'generic', url: updates } : null,
    // That there is nothing to install: it would search all of node_modules, to pack none of it.
    beforeBuild: () => Promise.resolve(false),
  };
  await build({ projectDir: root, config, publish: 'never', ...(isUnpacked && { dir: true }) });
}

/** What is packed, and nothing besides: the bundle, the dashboard, what the bundle reads, a name. */
async function layOut(app: string): Promise<void> {
  await rm(app, { recursive: true, force: true });
  await mkdir(app, { recursive: true });
  for (const name of ['electron/dist', 'ui/dist', 'server/tagmanager/template.tpl']) {
    await cp(path.join(root, name), path.join(app, name), {
      recursive: true,
      filter: (file) => !/\.map$|[\\/]\.vite$/.test(file),
    });
  }
  const { name, version, description, license, type, main } = manifest;
  const slim = { name, productName: 'Vedette', version, description, license, type, main };
  const author = { name: 'The Vedette authors', email: 'authors@vedette.example' };
  const more = { author, homepage: 'https://vedette.example', desktopName: 'vedette.desktop' };
  await writeFile(path.join(app, 'package.json'), JSON.stringify({ ...slim, ...more }, null, 2));
}

/** A folder for trying things may hold programs of others beside Electron's own files. */
async function leaveOutStrangers({ appOutDir }: { appOutDir: string }): Promise<void> {
  const resources = path.join(appOutDir, 'resources');
  if (!existsSync(resources)) return;
  for (const name of await readdir(resources)) {
    await rm(path.join(resources, name), { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { dir: { type: 'boolean', default: false }, output: { type: 'string' } },
  });
  const { env } = process;
  // What goes to people does not hang on the times of files.
  await buildDashboard({ always: true });
  await buildDesktop({ always: true });
  await dist({
    isUnpacked: values.dir,
    output: values.output && path.resolve(values.output),
    electron: env['VEDETTE_ELECTRON_DIST'] ?? env['ELECTRON_OVERRIDE_DIST_PATH'],
    updates: env['VEDETTE_UPDATE_URL'],
  });
}
