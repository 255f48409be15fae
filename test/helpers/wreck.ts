import { cpSync, existsSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { startAppliance } from './appliance.ts';
import { changeAlert, makeRule } from './changes.ts';
import { startWithKey } from './child.ts';
import { createLedger } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import type { Random } from './random.ts';
import { tempDir } from './temp-dir.ts';
import { ask, held, pixelNumbers, postNumbers } from './traffic.ts';

/**
 * A data directory as a kill leaves it: some events in the last checkpoint, some only in the
 * database's log, some only in the journal; a rule and an alert before the checkpoint and behind it.
 */
export async function killedDataDir(dataDir: string, { hasBackup = false } = {}) {
  const ledger = createLedger();
  const first = await startAppliance({ dataDir });
  for (let batch = 0; batch < 3; batch++) await postNumbers(first.url, ledger, 200);
  const changes = [await makeRule(first.url), await changeAlert(first.url, 'is_acknowledged')];
  if (hasBackup) {
    await first.backUp();
    await postNumbers(first.url, ledger, 100);
    changes.push(await changeAlert(first.url, 'is_resolved'));
  }
  await first.close();

  const second = await startWithKey(dataDir);
  for (let batch = 0; batch < 6; batch++) {
    await postNumbers(second.url, ledger, 40, 'x'.repeat(200));
    await pixelNumbers(second.url, ledger, 2);
    await (await ask(second.url, '/events?limit=1')).arrayBuffer();
  }
  changes.push(await changeAlert(second.url, 'is_resolved'), await makeRule(second.url));
  for (let batch = 0; batch < 12; batch++) await postNumbers(second.url, ledger, 10);
  await second.end('SIGKILL');
  return { ledger, changes };
}

export function copyOf(dataDir: string): string {
  const copy = tempDir();
  cpSync(dataDir, copy, { recursive: true });
  return copy;
}

/** What the next start makes of it. `from`: the first event that it can still know. */
export async function recovered(dataDir: string, ledger: Ledger, from = 0) {
  await using appliance = await startAppliance({ dataDir });
  return await looked(dataDir, appliance.url, appliance.notices, { ledger, from });
}

/** As above, where the start is that of the program, which is killed again. */
export async function recoveredByProgram(dataDir: string, ledger: Ledger, from = 0) {
  const { url, stdout, end } = await startWithKey(dataDir);
  const told = stdout()
    .split('\n')
    .flatMap((line) => /^ *Notice +(.+)/.exec(line)?.slice(1) ?? []);
  const seen = await looked(dataDir, url, told, { ledger, from });
  await end('SIGKILL');
  return seen;
}

async function looked(
  dataDir: string,
  url: string,
  notices: readonly string[],
  { ledger, from }: { ledger: Ledger; from: number },
) {
  const aside = path.join(dataDir, 'set-aside');
  return {
    ...(await held(url, ledger, from)),
    notices: [...notices],
    setAside: existsSync(aside) ? (await readdir(aside)).sort() : [],
  };
}

export async function overwrite(file: string, bytes: Uint8Array, position: number): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, position);
  await handle.close();
}

export const garbage = (random: Random, length: number): Uint8Array =>
  Uint8Array.from({ length }, () => random.whole(0, 255));
