import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Nothing that would ask the network, and none of what needs a user of its own. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Whether the packed one runs here. */
export const isPacked = process.platform === 'linux' && process.arch === 'x64';

/**
 * The one without windows that travels inside an npm package, where it runs: opening a page takes
 * it a third of what it takes the one that is installed.
 */
export function launchPacked(): Promise<Browser> {
  // It brings no libraries along; the installed one has those that it needs.
  return isPacked ? launch(unpackedChromium).catch(launchBrowser) : launchBrowser();
}

/** The one that people have, where there is one. */
export function launchBrowser(): Promise<Browser> {
  const installed = INSTALLED.find((file) => existsSync(file));
  return launch(() => installed ?? unpackedChromium());
}

// Without the options that the package comes with: they switch off what keeps origins apart.
const launch = async (find: () => string | Promise<string>) =>
  chromium.launch({ executablePath: await find(), args: ARGS });

/** Where the packed browser lies, unpacked at the first time: before the tests, by one for all. */
export async function unpackedChromium(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const packed = path.resolve(entry, '../../../bin/chromium.br');
  const dir = path.resolve(import.meta.dirname, '../../node_modules/.cache');
  const file = path.join(dir, `chromium-${statSync(packed).size}`);
  if (existsSync(file)) return file;
  mkdirSync(dir, { recursive: true });
  // Whoever is interrupted must not leave half of it there.
  const part = `${file}.part`;
  const target = createWriteStream(part, { mode: 0o700 });
  await pipeline(createReadStream(packed), createBrotliDecompress(), target);
  renameSync(part, file);
  return file;
}
