import {
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { asideName } from '../../server/platform/files.ts';
import { createHealingMark } from '../../server/platform/healing-mark.ts';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import { startWithKey } from '../helpers/child.ts';
import { createLedger } from '../helpers/ledger.ts';
import { createRandom } from '../helpers/random.ts';
import { rounds } from '../helpers/soak.ts';
import { sharedDir } from '../helpers/temp-dir.ts';
import { ALL_THERE, ask, held, pixelNumbers, postNumbers } from '../helpers/traffic.ts';
import { copyOf, garbage, overwrite, recovered } from '../helpers/wreck.ts';

const DATABASE = 'events.duckdb';
const NOW = Date.UTC(2026, 0, 31, 12);
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
  const rule = { event_type: 'type-1', operator: '>', value: 1, window_minutes: 60 };
  await api(url, '/rules', {
    ...{ name: 'Some came', rule_type: 'threshold', config: { ...rule, severity: 'info' } },
  });
  await api(url, '/evaluations', {});
  await first.backUp();
  await api(url, '/evaluations', {});
  await send(4);
  await first.close();
  const second = await startWithKey(template);
  await postNumbers(second.url, ledger, 100);
  await (await ask(second.url, '/events?limit=1')).arrayBuffer();
  await postNumbers(second.url, ledger, 30);
  await second.end('SIGKILL');
  return { ledger };
}

async function flip(file: string, at: number): Promise<void> {
  const handle = await open(file, 'r+');
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, at);
  await handle.write(Buffer.of((byte[0] ?? 0) ^ 4), 0, 1, at);
  await handle.close();
}

function api(url: string, route: string, body: object): Promise<Response> {
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
  return fetch(`${url}/api/v1${route}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

const alertsOf = async (url: string) => ((await (await ask(url, '/alerts')).json()) as []).length;

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
    [
      'removed with its log',
      async (file) => Promise.all([rm(file), rm(`${file}.wal`, { force: true })]).then(),
    ],
  ])('that is %s loses no event', async ([, damage]) => {
    const { dataDir, ledger } = await killed();
    await damage(path.join(dataDir, DATABASE));
    const { notices, ...found } = await recovered(dataDir, ledger);
    expect(found).toMatchObject(ALL_THERE);
    expect(notices).toEqual([expect.stringMatching(/The backup of .+ UTC, was restored/)]);
    // A restart that nobody saw hides nothing; and nothing more happens.
    const again = await recovered(dataDir, ledger);
    expect(again).toMatchObject({ ...ALL_THERE, notices });
  });

  // The last of them are within what is read only by who looks for old events.
  test('in which one bit is flipped loses no event, wherever it is', async () => {
    const { dataDir, ledger } = await killed();
    const places = rounds(5, 60);
    const { size } = await stat(path.join(dataDir, DATABASE));
    let healed = 0;
    for (let place = 0; place < places; place++) {
      const copy = copyOf(dataDir);
      const at = Math.floor((size * place) / places) + 20;
      await flip(path.join(copy, DATABASE), at);
      await using vedette = await startAppliance({ dataDir: copy });
      let note = `bit at ${at} of ${size}`;
      // Nobody who asks meanwhile is kept waiting; they are told to come again.
      await expect
        .poll(async () => (await ask(vedette.url, '/events?limit=1000')).status)
        .toBe(200);
      expect(await held(vedette.url, ledger), note).toEqual(ALL_THERE);
      // It may be the first to read there.
      await vedette.backUp().catch(() => undefined);
      await vedette.backUp();
      expect(vedette.health().status, note).toBe('ok');
      expect(await held(vedette.url, ledger), note).toEqual(ALL_THERE);
      healed += vedette.notices.length;
      note += vedette.notices.join(' ');
      const areThere = !vedette.notices.some((notice) => notice.includes('are missing'));
      expect(await alertsOf(vedette.url), note).toBe(areThere ? 2 : 1);
    }
    expect(healed).toBeGreaterThan(0);
  });

  test.for([
    ['deleted', []],
    ['replaced', ['theirs']],
  ])('that was %s while Vedette runs is written again', async ([how, theirs]) => {
    const { dataDir, ledger } = await killed();
    const vedette = await startAppliance({ dataDir });
    const file = path.join(dataDir, DATABASE);
    await rm(file);
    if (how === 'replaced') await writeFile(file, 'theirs');
    await api(vedette.url, '/evaluations', {});
    // The alert asks for a checkpoint.
    await expect.poll(() => vedette.notices).toEqual([expect.stringContaining('was deleted')]);
    await vedette.close();
    await using again = await startAppliance({ dataDir });
    expect(await held(again.url, ledger)).toEqual(ALL_THERE);
    expect(await alertsOf(again.url)).toBe(3);
    expect(again.notices).toHaveLength(1);
    const aside = path.join(dataDir, 'set-aside');
    const names = existsSync(aside) ? await readdir(aside) : [];
    const texts = names.map((name) => readFile(path.join(aside, name), 'utf8'));
    expect(await Promise.all(texts)).toEqual(theirs);
  });

  test('that is of another installation is never opened in its place', async () => {
    const { dataDir } = await killed();
    await using other = await startAppliance();
    await other.backUp();
    const mine = path.join(dataDir, 'backup', DATABASE);
    const aside = `${mine}.mine`;
    await rename(mine, aside);
    await copyFile(path.join(other.dataDir, 'backup', DATABASE), mine);
    const file = path.join(dataDir, DATABASE);
    await truncate(file, 5000);
    await expect(startAppliance({ dataDir })).rejects.toThrow('backup of another installation');
    expect((await stat(file)).size).toBe(5000);
    await rename(aside, mine);
    const { ledger } = await killed();
    expect(await recovered(dataDir, ledger)).toMatchObject(ALL_THERE);
  });

  test('that is damaged loses nothing more when the repair is cut off', async () => {
    const { dataDir, ledger } = await killed();
    const file = path.join(dataDir, DATABASE);
    await truncate(file, (await stat(file)).size >> 1);
    // As a kill leaves it: set aside, and nothing put in its place yet.
    const states = [copyOf(dataDir), copyOf(dataDir)] as const;
    for (const [i, state] of states.entries()) {
      const damaged = path.join(state, DATABASE);
      await createHealingMark(damaged).set(NOW);
      const asideDir = path.join(state, 'set-aside');
      await mkdir(asideDir);
      for (const name of [damaged, `${damaged}.wal`]) {
        if (existsSync(name)) await rename(name, asideName(name, NOW));
      }
      // Or the backup is in its place already, but nobody was told.
      if (i === 1) await copyFile(path.join(state, 'backup', DATABASE), damaged);
      const { notices, ...found } = await recovered(state, ledger);
      expect(found).toMatchObject(ALL_THERE);
      expect(notices).toEqual([expect.stringContaining('was damaged and was set aside')]);
      expect(await readdir(state)).not.toContain(`${DATABASE}.healing`);
    }
  });
});

test('a backup folder that is not there is told of at the start', async () => {
  const folder = path.join(sharedDir(), 'mistyped');
  await using appliance = await startAppliance({ backupDir: folder });
  expect(appliance.notices).toEqual([expect.stringContaining(folder)]);
  expect(appliance.health().checks['backup']?.ok).toBe(false);
});
