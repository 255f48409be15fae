import { Resvg } from '@resvg/resvg-js';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

// Draws the icons in build/icons at the sizes that the shell and the installers ask for.

const drawings = path.join(import.meta.dirname, 'icons');

/** The states that the tray shows, and what a Mac's menu bar shows for all of them. */
export const TRAY = ['quiet', 'info', 'warning', 'critical', 'trouble', 'paused', 'macTemplate'];

/** By these names Electron finds the right one for a screen. */
const SCALES = { '': 1, '@1.5x': 1.5, '@2x': 2 };

const LINUX_SIZES = [16, 24, 32, 48, 64, 128, 256, 512];

/** Up to here the margin of the large drawing would cost more than it gives. */
const SMALL = 48;

export async function drawShellIcons(folder: string): Promise<void> {
  await draw('app', 512, path.join(folder, 'app.png'));
  await draw('app', 96, path.join(folder, 'notice.png'));
  for (const size of [16, 24]) {
    for (const name of TRAY) {
      for (const [suffix, scale] of Object.entries(SCALES)) {
        await draw(name, size * scale, path.join(folder, String(size), `${name}${suffix}.png`));
      }
    }
  }
}

/** One large for Windows and macOS, and a folder of all sizes for Linux. */
export async function drawInstallerIcons(folder: string): Promise<void> {
  await draw('app', 1024, path.join(folder, 'app.png'));
  for (const size of LINUX_SIZES) {
    const name = size <= SMALL ? 'app-small' : 'app';
    await draw(name, size, path.join(folder, 'linux', `${size}x${size}.png`));
  }
}

async function draw(name: string, size: number, file: string): Promise<void> {
  const svg = await readFile(path.join(drawings, `${name}.svg`), 'utf8');
  const image = new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render();
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, image.asPng());
}
