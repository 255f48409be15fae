import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDashboard } from '../../build/dashboard.ts';
import { buildDesktop } from '../../build/desktop.ts';
import { isPacked, unpackedChromium } from './chromium.ts';

const START = fileURLToPath(new URL('../../server/start.js', import.meta.url));

/** Before all tests: what browser and window show is built, so that must be what is written. */
export async function setup(): Promise<void> {
  await buildDashboard();
  await buildDesktop();
  if (isPacked) await unpackedChromium();
  await compiled();
}

/**
 * Node keeps what it compiled when a program ends in order. Most that the crash tests start do
 * not, so one does before them; each of theirs would take nearly twice as long otherwise.
 */
async function compiled(): Promise<void> {
  const dir = mkdtempSync(path.join(tmpdir(), 'vedette-compiled-'));
  try {
    const child = spawn(
      process.execPath,
      [START, '--data-dir', dir, '--host', '127.0.0.1', '--port', '0'],
      { env: { VEDETTE_STATE_DIR: dir }, stdio: ['ignore', 'pipe', 'inherit'], timeout: 60_000 },
    );
    const ended = once(child, 'close');
    child.stdout.on('data', (text: Buffer) => {
      if (text.includes('listening')) child.kill('SIGTERM');
    });
    await ended;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
