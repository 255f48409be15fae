import { readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { startAppliance } from '../helpers/appliance.ts';
import { startWithKey } from '../helpers/child.ts';
import { createLedger } from '../helpers/ledger.ts';
import { createRandom } from '../helpers/random.ts';
import { sharedDir } from '../helpers/temp-dir.ts';
import { ALL_THERE, ask, held, pixelNumbers, postNumbers } from '../helpers/traffic.ts';
import { copyOf, garbage, overwrite, recovered } from '../helpers/wreck.ts';

const DATABASE = 'events.duckdb';
const template = sharedDir();
let making: Promise<{ ledger: ReturnType<typeof createLedger> }> | undefined;

/** Killed, with events in the backup, in bundles and segments kept since, and in the journal alone. */
async function make() {
  const ledger = createLedger();
  await using first = await startAppliance({ dataDir: template });
  const { url } = first;
  const send = async (times: number) => {
    for (let batch = 0; batch < times; batch++) {
      await postNumbers(url, ledger, 50, 'x'.repeat(200));
      await pixelNumbers(url, ledger, 2);
      await (await ask(url, '/events?limit=1')).arrayBuffer();
    }
  };
  await send(4);
  await first.backUp();
  await send(4);
  await first.close();
  const second = await startWithKey(template);
  await postNumbers(second.url, ledger, 100);
  await (await ask(second.url, '/events?limit=1')).arrayBuffer();
  await postNumbers(second.url, ledger, 30);
  await second.end('SIGKILL');
  return { ledger };
}

async function killed() {
  const { ledger } = await (making ??= make());
  return { ledger, dataDir: copyOf(template) };
}

describe('a database with a backup', () => {
  test.for<[string, (file: string) => Promise<void>]>([
    ['with garbage for a header', (file) => overwrite(file, garbage(createRandom(), 12_288), 0)],
    ['cut in the middle', async (file) => truncate(file, (await stat(file)).size >> 1)],
    ['emptied', (file) => truncate(file, 0)],
    ['zeroed', async (file) => writeFile(file, Buffer.alloc((await stat(file)).size))],
    ['removed', (file) => rm(file)],
    ['removed with its log', async (file) => Promise.all([rm(file), rm(`${file}.wal`)]).then()],
  ])('that is %s loses no event', async ([, damage]) => {
    const { dataDir, ledger } = await killed();
    await damage(path.join(dataDir, DATABASE));
    const { notices, ...found } = await recovered(dataDir, ledger);
    expect(found).toMatchObject(ALL_THERE);
    expect(notices).toEqual([expect.stringMatching(/The backup of \S+ was opened/)]);
    // Told once; and the next backup goes on from there.
    const again = await recovered(dataDir, ledger);
    expect(again).toMatchObject({ ...ALL_THERE, notices: [] });
  });
});
