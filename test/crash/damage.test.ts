import { appendFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { newSegment } from '../../server/events/segment.ts';
import { createRandom } from '../helpers/random.ts';
import { rounds } from '../helpers/soak.ts';
import { sharedDir } from '../helpers/temp-dir.ts';
import { ALL_THERE } from '../helpers/traffic.ts';
import {
  copyOf,
  garbage,
  killedDataDir,
  overwrite,
  recovered,
  recoveredByProgram,
} from '../helpers/wreck.ts';

const WAL = 'events.duckdb.wal';
const DATABASE = 'events.duckdb';
/** Made once; every test damages a copy. One of each kind is read by the program itself. */
const template = sharedDir();
let making: ReturnType<typeof killedDataDir> | undefined;

async function killed() {
  making ??= killedDataDir(template);
  const made = await making;
  return { ...made, dataDir: copyOf(template) };
}

const size = async (file: string) => (await stat(file)).size;

describe('the log of the database', () => {
  test('truncated anywhere, costs nothing', async () => {
    const random = createRandom();
    const { dataDir, ledger } = await killed();
    const cuts = rounds(4, 80);
    for (let cut = 0; cut < cuts; cut++) {
      const copy = copyOf(dataDir);
      const part = ((await size(path.join(copy, WAL))) - 1) / cuts;
      const length = 1 + random.whole(Math.floor(cut * part), Math.ceil((cut + 1) * part) - 1);
      await truncate(path.join(copy, WAL), length);
      const { notices, setAside, ...found } = await recovered(copy, ledger);
      const note = `cut to ${length}, seed ${random.seed}`;
      expect(found, note).toEqual(ALL_THERE);
      // Some cuts DuckDB takes for the end; whatever was moved away is told.
      expect(notices.length, note).toBe(setAside.length);
    }
  });

  test('with garbage in it, costs nothing and is set aside where DuckDB refuses it', async () => {
    const random = createRandom();
    const { dataDir, ledger } = await killed();
    let refused = 0;
    for (let round = 0; round < rounds(4, 60); round++) {
      const copy = copyOf(dataDir);
      const file = path.join(copy, WAL);
      const at = round === 0 ? 0 : random.whole(100, (await size(file)) - 600);
      // A single byte is not taken for the end of the log, as garbage in a length is.
      if (round === 1) await overwrite(file, Buffer.from([at % 251]), (await size(file)) >> 1);
      else await overwrite(file, garbage(random, 400), at);
      const start = round === 0 ? recoveredByProgram : recovered;
      const { notices, setAside, ...found } = await start(copy, ledger);
      const note = `garbage at ${at}, seed ${random.seed}`;
      expect(found, note).toEqual(ALL_THERE);
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
  ])('%s, costs no event, and this is said', async ([, damage]) => {
    const { dataDir, ledger } = await killed();
    await damage(path.join(dataDir, WAL));
    const { notices, setAside, ...found } = await recovered(dataDir, ledger);
    expect(found).toEqual(ALL_THERE);
    expect(setAside).toEqual([]);
    expect(notices).toEqual([expect.stringContaining('log was missing')]);
  });
});

describe('the database file', () => {
  test.for<[string, (file: string) => Promise<void>]>([
    ['with garbage for a header', (file) => overwrite(file, garbage(createRandom(), 12_288), 0)],
    ['all garbage', async (file) => writeFile(file, garbage(createRandom(), await size(file)))],
    ['cut in the middle', async (file) => truncate(file, (await size(file)) >> 1)],
    ['emptied', (file) => truncate(file, 0)],
  ])('%s, is set aside, and the journal has kept all of it', async ([name, damage]) => {
    const { dataDir, ledger } = await killed();
    await damage(path.join(dataDir, DATABASE));
    const start = name === 'all garbage' ? recoveredByProgram : recovered;
    const { notices, setAside, ...found } = await start(dataDir, ledger);
    expect(found).toEqual(ALL_THERE);
    const kept = setAside.find((file) => file.endsWith(DATABASE));
    expect(kept).toBeDefined();
    expect(notices.join('\n')).toContain(kept);
  });
});

describe('the journal', () => {
  const segments = async (dataDir: string) => {
    const dir = path.join(dataDir, 'journal');
    const files = (await readdir(dir)).filter((name) => name.endsWith('.ndjson'));
    return files.sort().map((name) => path.join(dir, name));
  };
  const newest = async (dataDir: string) => (await segments(dataDir)).at(-1) as string;

  test('with a torn last line, loses that half line and nothing else', async () => {
    const { dataDir, ledger } = await killed();
    const file = await newest(dataDir);
    const line = (await readFile(file, 'utf8')).split('\n')[0] as string;
    await appendFile(file, line.slice(0, line.length >> 1));
    const found = await recovered(dataDir, ledger);
    expect(found).toEqual({ ...ALL_THERE, notices: [], setAside: [] });
  });

  test('of which the newest segment is empty, loses nothing', async () => {
    const { dataDir, ledger } = await killed();
    const { file } = newSegment(path.join(dataDir, 'journal'), 999_999_999_999_999);
    await writeFile(file, '');
    expect(await recovered(dataDir, ledger)).toMatchObject(ALL_THERE);
    expect(await segments(dataDir)).not.toContain(file);
  });

  // Lines as they were written, each made into one that the database refuses.
  const BROKEN: ((line: string) => string)[] = [
    (line) => line.replace('"items":', '"tenant":"twice","items":'),
    () => 'this is no JSON',
    () => '\0'.repeat(4096),
    (line) => line.replace('"source":"crash"', '"source":"\\ud800"'),
    (line) => line.replace(/"tenant":"[^"]*",/, ''),
    (line) => line.replace(/"ms":\d+,/, ''),
    (line) => line.replace(/"ms":\d+,/, '"ms":"soon",'),
    (line) => line.replace(/"stem":"[^"]*"/, '"stem":"not-a-stem"'),
    (line) => line.replace('"source":"crash",', ''),
    (line) => line.replace(/"items":.*$/, '"items":"none"}'),
  ];

  test('sets aside each line that cannot be read, and the rest arrives', async () => {
    const { dataDir, ledger } = await killed();
    const newestFile = await newest(dataDir);
    const lines = (await readFile(newestFile, 'utf8')).split('\n').filter((line) => line !== '');
    await rm(newestFile);
    const bad = new Map<string, string>();
    // A segment for each of them, since each alone must be enough to have it looked through; in
    // the last they all stand together.
    for (const breaking of [...BROKEN, undefined]) {
      const { file } = newSegment(path.join(dataDir, 'journal'), Date.now());
      const line = lines.shift() as string;
      const made = (breaking ? [breaking] : BROKEN).map((one) =>
        one(line.replaceAll(/"n":\d+/g, '"n":-1')),
      );
      const rest = breaking ? [] : lines.splice(0);
      await writeFile(file, [line, ...made, ...rest].map((one) => `${one}\n`).join(''));
      bad.set(path.basename(file), made.map((one) => `${one}\n`).join(''));
    }

    const { notices, setAside, ...found } = await recoveredByProgram(dataDir, ledger);
    expect(found).toEqual(ALL_THERE);
    expect(setAside).toEqual([...bad.keys()]);
    // The one that was rewritten in pieces is missed; zeros are what a power cut leaves.
    const told = setAside.filter((name) => !/^\0+\n$/.test(bad.get(name) ?? ''));
    expect(notices).toEqual(
      [' is missing', ...told].map((text) => expect.stringContaining(text) as string),
    );
    for (const [name, text] of bad) {
      expect(await readFile(path.join(dataDir, 'set-aside', name), 'utf8')).toBe(text);
    }
    // A restart that nobody saw hides nothing, and finds nothing new.
    expect((await recovered(dataDir, ledger)).notices).toEqual(notices);
  });
});

test('settings that are broken are set aside and the last good copy is used', async () => {
  const { dataDir, ledger } = await killed();
  await writeFile(path.join(dataDir, 'settings.json'), '{"tenants": [');
  const { notices, ...found } = await recoveredByProgram(dataDir, ledger);
  expect(found).toMatchObject(ALL_THERE);
  const aside = (await readdir(dataDir)).find((name) => name.startsWith('settings.json.set-aside'));
  expect(aside).toBeDefined();
  expect(notices).toEqual([expect.stringContaining(aside as string)]);
});
