import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../server/appliance.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { openDatabase } from '../../server/platform/database.ts';
import { noFaults } from '../../server/platform/faults.ts';
import { findInstallation, judge, settleInstallation } from '../../server/platform/installation.ts';
import { silentLog } from '../../server/platform/log.ts';
import type { Signs, Verdict } from '../../server/platform/installation.ts';
import { initialSettings } from '../../server/settings/file-schema.ts';
import { StartError } from '../../server/platform/start-errors.ts';
import type { StartOptions } from '../../server/appliance.ts';
import { startAppliance } from '../helpers/appliance.ts';
import { sharedDir, tempDir } from '../helpers/temp-dir.ts';

const SETTINGS = ['settings.json', 'settings.last-good.json'];
const DATABASE = ['events.duckdb', 'events.duckdb.wal'];
const OTHER_KEY = 'another-key-0123456789';

it.each<[Verdict, Partial<Signs>, boolean?]>([
  ['new', {}],
  ['new', { database: 'unnamed' }],
  ['emptied', {}, true],
  ['emptied', { database: 'unnamed' }, true],
  ['settings-missing', { others: true }],
  ['settings-missing', { others: true }, true],
  ['settings-missing', { others: true, database: 'unnamed' }],
  ['settings-missing', { database: 'a' }],
  // Only opening it tells whether it has a name.
  ['whole', { database: 'unread' }],
  ['database-missing', { settings: 'unread' }],
  ['database-missing', { settings: 'a', others: true }],
  ['mixed', { settings: 'a', database: 'b' }],
  ['whole', { settings: 'a', database: 'a' }],
  ['whole', { settings: 'a', database: 'unnamed' }],
  ['whole', { settings: 'a', database: 'unread' }],
  ['whole', { settings: 'unread', database: 'unread', others: true }, true],
])('what is there makes an installation %s: %j', (verdict, signs, wasHere) => {
  const nothing: Signs = { settings: 'missing', database: 'missing', others: false };
  expect(judge({ ...nothing, ...signs }, wasHere)).toBe(verdict);
});

const event = [{ source: 'shop', event_type: 'purchase', data: {} }];

/** A data directory after a run that took one event in, and the id of its installation. */
async function used() {
  made ??= use();
  const { dataDir: template, installation } = await made;
  const dataDir = tempDir();
  cpSync(template, dataDir, { recursive: true });
  return { dataDir, installation, name: installation.slice(0, 8) };
}

let made: ReturnType<typeof use> | undefined;

async function use() {
  await using appliance = await startAppliance({ dataDir: sharedDir() });
  const { dataDir, installation } = appliance;
  expect((await appliance.post(event)).statusCode).toBe(201);
  expect((await appliance.get('/events')).json()).toHaveLength(1);
  return { dataDir, installation };
}

function remove(dataDir: string, names: readonly string[]): void {
  for (const name of names) rmSync(path.join(dataDir, name), { recursive: true, force: true });
}

async function refusal(options: Partial<StartOptions>): Promise<StartError> {
  const found = await startAppliance(options).then(
    (appliance) => appliance.close(),
    (error: unknown) => error,
  );
  expect(found).toBeInstanceOf(StartError);
  return found as StartError;
}

/** With the names of what is below it. */
const listed = (dir: string) => readdirSync(dir, { recursive: true }).sort();

describe('an installation', () => {
  it('has one id for good, and another directory has another', async () => {
    const { dataDir, installation } = await used();
    await using again = await startAppliance({ dataDir });
    expect(again.installation).toBe(installation);
    expect(again.notices).toEqual([]);
    await using other = await startAppliance();
    expect(other.installation).not.toBe(installation);
  });

  it('has its id in the database only once it is in the settings, so that a first start may be cut off', async () => {
    const dataDir = tempDir();
    const found = findInstallation(dataDir);
    const given = { migrations, clock: systemClock, faults: noFaults, log: silentLog };
    const database = await openDatabase({ dir: dataDir, ...given });
    const file = {
      ...{ isNew: true, data: initialSettings() },
      update: () => Promise.reject(new Error('cut off')),
    };
    const parts = { dataDir, found, database, file, clock: systemClock };
    await expect(settleInstallation(parts)).rejects.toThrow('cut off');
    await database.close();
    await using appliance = await startAppliance({ dataDir });
    expect(appliance.notices).toEqual([]);
  });
});

describe('settings that are missing', () => {
  it('end the start with words, and nothing is changed', async () => {
    const { dataDir, name } = await used();
    remove(dataDir, SETTINGS);
    const before = listed(dataDir);
    for (let start = 0; start < 2; start++) {
      const { code, message } = await refusal({ dataDir });
      expect(code).toBe('installation');
      expect(message).toContain(`The settings of the installation in ${dataDir} are missing`);
      expect(message).toContain(`--start-anew ${name}`);
      expect(listed(dataDir)).toEqual(before);
    }
  });

  it('end it also where only the journal is left, before a database is made', async () => {
    const { dataDir } = await used();
    remove(dataDir, [...SETTINGS, ...DATABASE]);
    const segment = '000000000000001-000000-000000000000.ndjson';
    mkdirSync(path.join(dataDir, 'journal', segment), { recursive: true });
    expect((await refusal({ dataDir })).message).toContain('--start-anew unknown');
    expect(existsSync(path.join(dataDir, 'events.duckdb'))).toBe(false);
  });

  it('are taken from the backup, which is told with its day', async () => {
    const { dataDir, installation } = await used();
    mkdirSync(path.join(dataDir, 'backup'));
    cpSync(path.join(dataDir, 'settings.json'), path.join(dataDir, 'backup/settings.json'));
    remove(dataDir, SETTINGS);
    await using appliance = await startAppliance({ dataDir });
    expect(appliance.installation).toBe(installation);
    expect((await appliance.get('/events')).json()).toHaveLength(1);
    expect(appliance.notices).toEqual([expect.stringMatching(/backup of \d+ \w+ \d{4} is in use/)]);
    expect(SETTINGS.every((name) => existsSync(path.join(dataDir, name)))).toBe(true);
  });
});

describe('a database that is missing', () => {
  it('is begun anew, and that is told for a week', async () => {
    const { dataDir } = await used();
    remove(dataDir, DATABASE);
    const clock = { now: () => Date.parse('2026-03-03T12:00:00Z') };
    const told = [
      expect.stringMatching(/^The database was missing when Vedette started on 3 March 2026/),
    ];
    for (let start = 0; start < 2; start++) {
      await using appliance = await startAppliance({ dataDir, clock });
      expect(appliance.notices).toEqual(told);
      // The journal has kept all of it, since no backup was made yet.
      expect((await appliance.get('/events')).json()).toHaveLength(1);
    }
    clock.now = () => Date.parse('2026-03-11T12:00:00Z');
    await using later = await startAppliance({ dataDir, clock });
    expect(later.notices).toEqual([]);
  });

  it('takes in what the journal still holds', async () => {
    const appliance = await startAppliance();
    const { dataDir } = appliance;
    await appliance.post(event);
    const copy = tempDir();
    cpSync(dataDir, copy, { recursive: true });
    await appliance.close();
    remove(copy, DATABASE);
    await using next = await startAppliance({ dataDir: copy });
    expect(next.notices).toHaveLength(1);
    expect((await next.get('/events')).json()).toHaveLength(1);
  });
});

it('settings and a database of two installations are not mixed', async () => {
  const [one, other] = [await used(), await use()];
  remove(one.dataDir, DATABASE);
  for (const name of DATABASE) {
    const from = path.join(other.dataDir, name);
    if (existsSync(from)) cpSync(from, path.join(one.dataDir, name));
  }
  const { message } = await refusal({ dataDir: one.dataDir });
  expect(message).toContain(`settings of one installation (${one.name})`);
  expect(message).toContain(`database of another (${other.installation.slice(0, 8)})`);
  expect(message).toContain(`--start-anew ${one.name}`);
});

describe('--start-anew', () => {
  it('sets aside what is left of the named installation, and begins another', async () => {
    const { dataDir, installation, name } = await used();
    const key = readFileSync(path.join(dataDir, 'secret.key'));
    remove(dataDir, SETTINGS);
    const given = { dataDir, startAnew: name, apiKey: OTHER_KEY };
    {
      await using appliance = await startAppliance(given);
      expect(appliance.installation).not.toBe(installation);
      const answer = await appliance.get('/events', { 'x-api-key': OTHER_KEY });
      expect(answer.json()).toEqual([]);
    }
    const [kept = ''] = readdirSync(path.join(dataDir, 'set-aside'));
    const aside = readdirSync(path.join(dataDir, 'set-aside', kept));
    expect(aside).toEqual(expect.arrayContaining(['events.duckdb', 'journal']));
    expect(readFileSync(path.join(dataDir, 'secret.key'))).toEqual(key);

    // Left in a unit file it names what is gone, so it never acts again.
    remove(dataDir, SETTINGS);
    expect((await refusal(given)).installation).not.toBe(name);
    expect(readdirSync(path.join(dataDir, 'set-aside'))).toEqual([kept]);
  });

  it('changes nothing where nothing is missing', async () => {
    const { dataDir, installation, name } = await used();
    await using appliance = await startAppliance({ dataDir, startAnew: name });
    expect(appliance.installation).toBe(installation);
    expect(existsSync(path.join(dataDir, 'set-aside'))).toBe(false);
  });
});
