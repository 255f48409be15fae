import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What the disk itself takes to keep a kilobyte: no durable answer can come sooner, and where its
 * slowest are slow, so are those of everything above it.
 */
export async function syncTimes(parent: string, seconds: number): Promise<number[]> {
  const dir = mkdtempSync(path.join(parent, 'sync-'));
  const handle = await open(path.join(dir, 'file'), 'w');
  const bytes = Buffer.alloc(1024, 'x');
  const taken: number[] = [];
  const end = performance.now() + seconds * 1000;
  for (let at = 0; performance.now() < end; at += bytes.length) {
    const since = performance.now();
    await handle.writev([bytes], at);
    await handle.datasync();
    taken.push(performance.now() - since);
    await sleep(1);
  }
  await handle.close();
  rmSync(dir, { recursive: true });
  return taken;
}
