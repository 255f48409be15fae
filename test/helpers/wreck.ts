import { existsSync } from 'node:fs';
import { cp, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { startWithKey } from './child.ts';
import { createLedger } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import type { Random } from './random.ts';
import { tempDir } from './temp-dir.ts';
import { ask, countedEvents, pixelNumbers, postNumbers, storedEvents } from './traffic.ts';

/**
 * A data directory as a kill leaves it: some events in the last checkpoint, some only in the
 * database's log, some only in the journal.
 */
export async function killedDataDir(dataDir: string) {
  const ledger = createLedger();
  const first = await startWithKey(dataDir);
  for (let batch = 0; batch < 3; batch++) await postNumbers(first.url, ledger, 200);
  await first.end('SIGTERM');

  const sinceCheckpoint = ledger.issued();
  const second = await startWithKey(dataDir);
  for (let batch = 0; batch < 6; batch++) {
    await postNumbers(second.url, ledger, 40, 'x'.repeat(200));
    await pixelNumbers(second.url, ledger, 2);
    await (await ask(second.url, '/events?limit=1')).arrayBuffer();
  }
  for (let batch = 0; batch < 4; batch++) await postNumbers(second.url, ledger, 30);
  await second.end('SIGKILL');
  return { ledger, sinceCheckpoint };
}

export async function copyOf(dataDir: string): Promise<string> {
  const copy = tempDir();
  await cp(dataDir, copy, { recursive: true });
  return copy;
}

export interface Recovery {
  faults: ReturnType<Ledger['faults']>;
  /** Do the counts agree with the events? */
  countsAgree: boolean;
  notices: string[];
  setAside: string[];
  log: string;
}

/** What the next start makes of it. `from`: the first event that it can still know. */
export async function recovered(dataDir: string, ledger: Ledger, from = 0): Promise<Recovery> {
  const { url, stdout, stderr, end } = await startWithKey(dataDir);
  const events = await storedEvents(url);
  const counted = await countedEvents(url);
  await end('SIGKILL');
  const aside = path.join(dataDir, 'set-aside');
  return {
    faults: ledger.faults(events, from),
    countsAgree: counted === events.length,
    notices: stdout()
      .split('\n')
      .flatMap((line) => /^ *Notice +(.+)/.exec(line)?.slice(1) ?? []),
    setAside: existsSync(aside) ? (await readdir(aside)).sort() : [],
    log: stderr(),
  };
}

export async function overwrite(file: string, bytes: Uint8Array, position: number): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, position);
  await handle.close();
}

export const garbage = (random: Random, length: number): Uint8Array =>
  Uint8Array.from({ length }, () => random.whole(0, 255));
