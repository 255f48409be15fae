import { mkdtempSync } from 'node:fs';
import { appendFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { NO_FAULTS } from '../helpers/ledger.ts';
import { createRandom } from '../helpers/random.ts';
import { copyOf, garbage, killedDataDir, overwrite, recovered } from '../helpers/wreck.ts';

const WAL = 'events.duckdb.wal';
const DATABASE = 'events.duckdb';
/** Made once; every test damages a copy. */
const template = mkdtempSync(path.join(tmpdir(), 'vedette-test-'));
let making: ReturnType<typeof killedDataDir> | undefined;
afterAll(() => rm(template, { recursive: true, force: true }));

async function killed() {
  making ??= killedDataDir(template);
  const made = await making;
  return { ...made, dataDir: await copyOf(template) };
}

const size = async (file: string) => (await stat(file)).size;

describe('the log of the database', () => {
  test('truncated anywhere, costs nothing', async () => {
    const random = createRandom();
    const { dataDir, ledger } = await killed();
    for (let cut = 0; cut < 8; cut++) {
      const copy = await copyOf(dataDir);
      const length = random.whole(1, (await size(path.join(copy, WAL))) - 1);
      await truncate(path.join(copy, WAL), length);
      const { faults, countsAgree, notices, setAside } = await recovered(copy, ledger);
      const note = `cut to ${length}, seed ${random.seed}`;
      expect({ faults, countsAgree }, note).toEqual({ faults: NO_FAULTS, countsAgree: true });
      // Some cuts DuckDB takes for the end; whatever was moved away is told.
      expect(notices.length, note).toBe(setAside.length);
    }
  });

  test('with garbage in it, costs nothing and is set aside where DuckDB refuses it', async () => {
    const random = createRandom();
    const { dataDir, ledger } = await killed();
    let refused = 0;
    for (const place of ['start', 'anywhere', 'anywhere', 'anywhere', 'anywhere', 'anywhere']) {
      const copy = await copyOf(dataDir);
      const file = path.join(copy, WAL);
      const at = place === 'start' ? 0 : random.whole(100, (await size(file)) - 600);
      await overwrite(file, garbage(random, 400), at);
      const { faults, countsAgree, notices, setAside } = await recovered(copy, ledger);
      const note = `garbage at ${at}, seed ${random.seed}`;
      expect({ faults, countsAgree }, note).toEqual({ faults: NO_FAULTS, countsAgree: true });
      // Garbage in a length looks like the end of the log, and DuckDB goes on without a word.
      expect(notices, note).toEqual(
        setAside.map((name) => expect.stringContaining(name) as string),
      );
      refused += setAside.filter((name) => name.endsWith(WAL)).length;
    }
    expect(refused, `seed ${random.seed}`).toBeGreaterThan(0);
  });

  test.for<[string, (file: string) => Promise<void>]>([
    ['zeroed', async (file) => writeFile(file, Buffer.alloc(await size(file)))],
    ['emptied', (file) => truncate(file, 0)],
    ['removed', (file) => rm(file)],
  ])('%s, costs nothing', async ([, damage]) => {
    const { dataDir, ledger } = await killed();
    await damage(path.join(dataDir, WAL));
    const { faults, countsAgree, notices, setAside } = await recovered(dataDir, ledger);
    expect({ faults, countsAgree }).toEqual({ faults: NO_FAULTS, countsAgree: true });
    expect(notices.length).toBe(setAside.length);
  });
});

describe('the database file', () => {
  test.for<[string, (file: string) => Promise<void>]>([
    ['with garbage for a header', (file) => overwrite(file, garbage(createRandom(), 12_288), 0)],
    ['all garbage', async (file) => writeFile(file, garbage(createRandom(), await size(file)))],
    ['cut in the middle', async (file) => truncate(file, (await size(file)) >> 1)],
    ['emptied', (file) => truncate(file, 0)],
  ])('%s, is set aside and what the journal holds is there', async ([, damage]) => {
    const { dataDir, ledger, sinceCheckpoint } = await killed();
    await damage(path.join(dataDir, DATABASE));
    const recovery = await recovered(dataDir, ledger, sinceCheckpoint);
    const { faults, countsAgree, notices, setAside } = recovery;
    expect({ faults, countsAgree }).toEqual({ faults: NO_FAULTS, countsAgree: true });
    const name = setAside.find((file) => file.endsWith(DATABASE));
    expect(name).toBeDefined();
    expect(notices.join('\n')).toContain(name);
  });
});

describe('the journal', () => {
  const segments = async (dataDir: string) => {
    const dir = path.join(dataDir, 'journal');
    return (await readdir(dir)).sort().map((name) => path.join(dir, name));
  };
  const newest = async (dataDir: string) => (await segments(dataDir)).at(-1) as string;

  test('with a torn last line, loses that half line and nothing else', async () => {
    const { dataDir, ledger } = await killed();
    const file = await newest(dataDir);
    const line = (await readFile(file, 'utf8')).split('\n')[0] as string;
    await appendFile(file, line.slice(0, line.length >> 1));
    const { faults, countsAgree, notices, setAside } = await recovered(dataDir, ledger);
    expect({ faults, countsAgree }).toEqual({ faults: NO_FAULTS, countsAgree: true });
    expect({ notices, setAside }).toEqual({ notices: [], setAside: [] });
  });

  test('of which the newest segment is empty, loses nothing', async () => {
    const { dataDir, ledger } = await killed();
    await writeFile(path.join(dataDir, 'journal', '999999999999999-0123456789ab.ndjson'), '');
    const { faults } = await recovered(dataDir, ledger);
    expect(faults).toEqual(NO_FAULTS);
    expect(await segments(dataDir)).not.toContain('999999999999999-0123456789ab.ndjson');
  });

  // A line as it was written, made into one that the database refuses.
  test.for<[string, (line: string) => string]>([
    ['a key twice', (line) => line.replace('"items":', '"tenant":"twice","items":')],
    ['no JSON', () => 'this is no JSON'],
    ['zeros', () => '\0'.repeat(4096)],
    ['a lone surrogate', (line) => line.replace('"source":"crash"', '"source":"\\ud800"')],
    ['no tenant', (line) => line.replace(/"tenant":"[^"]*",/, '')],
    ['no time', (line) => line.replace(/"ms":\d+,/, '')],
    ['a time that is none', (line) => line.replace(/"ms":\d+,/, '"ms":"soon",')],
    ['a broken stem', (line) => line.replace(/"stem":"[^"]*"/, '"stem":"not-a-stem"')],
    ['an item without a source', (line) => line.replace('"source":"crash",', '')],
    ['items that are none', (line) => line.replace(/"items":.*$/, '"items":"none"}')],
  ])('sets a line aside that holds %s, and the rest arrives', async ([, broken]) => {
    const { dataDir, ledger } = await killed();
    const file = await newest(dataDir);
    const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
    const bad = broken((lines[1] as string).replaceAll(/"n":\d+/g, '"n":-1'));
    expect(lines).not.toContain(bad);
    lines.splice(1, 0, bad);
    await writeFile(file, lines.map((line) => `${line}\n`).join(''));

    const { faults, countsAgree, notices, setAside } = await recovered(dataDir, ledger);
    expect({ faults, countsAgree }).toEqual({ faults: NO_FAULTS, countsAgree: true });
    expect(setAside).toEqual([path.basename(file)]);
    expect(notices).toEqual([expect.stringContaining(path.basename(file))]);
    const kept = await readFile(path.join(dataDir, 'set-aside', path.basename(file)), 'utf8');
    expect(kept).toBe(`${bad}\n`);
    // Told once, not at every start.
    expect((await recovered(dataDir, ledger)).notices).toEqual([]);
  });
});

test('settings that are broken are set aside and the last good copy is used', async () => {
  const { dataDir, ledger } = await killed();
  await writeFile(path.join(dataDir, 'settings.json'), '{"tenants": [');
  const { faults, notices } = await recovered(dataDir, ledger);
  expect(faults).toEqual(NO_FAULTS);
  const aside = (await readdir(dataDir)).find((name) => name.startsWith('settings.json.set-aside'));
  expect(aside).toBeDefined();
  expect(notices).toEqual([expect.stringContaining(aside as string)]);
});
