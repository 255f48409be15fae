import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { buildDashboard } from '../../../build/dashboard.ts';
import { buildDesktop } from '../../../build/desktop.ts';
import { electronDist, missing } from './runtime.ts';

const UNPACKED = path.join(import.meta.dirname, '../unpacked.ts');

/** Packs the program while other tests run; those of the window wait for it where they are sooner. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  await buildDashboard();
  await buildDesktop();
  if (missing() !== undefined) return undefined;
  // By itself: it would hold up what the tests ask of this process.
  const packing = spawn(process.execPath, [UNPACKED, electronDist() ?? ''], { stdio: 'ignore' });
  const ended = once(packing, 'close');
  return async () => {
    packing.kill();
    await ended;
  };
}
