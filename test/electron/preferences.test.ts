import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isPausedAt, openPreferences } from '../../electron/preferences.ts';
import { aLog } from '../helpers/electron-parts.ts';
import { smallDisk, whyNoSmallDisk } from '../helpers/small-disk.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const DEFAULTS = {
  close_to_tray: true,
  check_for_updates: true,
  paused_until: null,
  hint_shown: false,
  not_installed: null,
};

function place(text?: string) {
  const dir = tempDir();
  const file = path.join(dir, 'preferences.json');
  if (text !== undefined) writeFileSync(file, text);
  const aside = () => {
    const folder = path.join(dir, 'set-aside');
    return existsSync(folder)
      ? readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'))
      : [];
  };
  return { dir, file, log: aLog(), aside };
}

it('begins with the defaults, and writes nothing before something changes', async () => {
  const { file, log } = place();
  const preferences = await openPreferences(file, log);
  expect(preferences.current()).toEqual(DEFAULTS);
  expect(existsSync(file)).toBe(false);
  await preferences.change({ close_to_tray: true });
  expect(log.lines).toEqual([]);
});

it('finds what was changed at the next start, in a folder that was not there', async () => {
  const file = path.join(tempDir(), 'new', 'preferences.json');
  const log = aLog();
  const first = await openPreferences(file, log);
  await Promise.all([
    first.change({ close_to_tray: false }),
    first.change({ paused_until: 'always', close_to_tray: undefined }),
  ]);
  const second = await openPreferences(file, log);
  expect(second.current()).toEqual({ ...DEFAULTS, close_to_tray: false, paused_until: 'always' });
  expect(readdirSync(path.dirname(file))).toEqual(['preferences.json']);
  expect(log.lines).toEqual([]);
});

it.each([
  ['half a file', '{"close_to_tray": fal'],
  ['nothing at all', ''],
  ['a list', '[]'],
  ['a word', '"always"'],
  ['a key of another version', '{"close_to_tray":false,"theme":"dark"}'],
  ['a value of another kind', '{"close_to_tray":"no"}'],
  ['a day that does not exist', '{"paused_until":"2026-02-30T00:00:00Z"}'],
  ['a prototype', '{"__proto__":{"close_to_tray":false}}'],
  ['zeros after a power cut', '\0'.repeat(64)],
])('sets %s aside as it is, and uses the defaults', async (_what, text) => {
  const { file, log, aside } = place(text);
  const preferences = await openPreferences(file, log);
  expect(preferences.current()).toEqual(DEFAULTS);
  expect(existsSync(file)).toBe(false);
  expect(aside()).toEqual([text]);
  expect(log.lines).toHaveLength(2);
  await preferences.change({ hint_shown: true });
  expect((await openPreferences(file, log)).current().hint_shown).toBe(true);
  expect(aside()).toEqual([text]);
});

it('removes what a kill left half written, and nothing else', async () => {
  const { dir, file, log } = place('{"hint_shown":true}');
  for (const name of ['preferences.json.123', 'preferencesXjson.1', 'preferences.json.old']) {
    writeFileSync(path.join(dir, name), '{');
  }
  expect((await openPreferences(file, log)).current().hint_shown).toBe(true);
  expect(readdirSync(dir).sort()).toEqual([
    ...['preferences.json', 'preferences.json.old', 'preferencesXjson.1'],
  ]);
});

it('reads what an editor saved with a byte order mark', async () => {
  const { file, log } = place('\uFEFF{"close_to_tray":false}');
  expect((await openPreferences(file, log)).current().close_to_tray).toBe(false);
});

it('tells who listens what changed, and nothing when nothing did', async () => {
  const { file, log } = place();
  const preferences = await openPreferences(file, log);
  const heard: boolean[] = [];
  preferences.onChange(() => {
    throw new Error('broken');
  });
  const stop = preferences.onChange((now) => heard.push(now.close_to_tray));
  await preferences.change({ close_to_tray: false });
  await preferences.change({ close_to_tray: false });
  stop();
  await preferences.change({ close_to_tray: true });
  expect(heard).toEqual([false]);
  expect(log.lines).toContain('A listener for changed preferences failed');
});

it('refuses what is no preference and keeps what it had', async () => {
  const { file, log } = place();
  const preferences = await openPreferences(file, log);
  await expect(preferences.change({ paused_until: 'soon' })).rejects.toThrow();
  await expect(preferences.change({ start_at_login: true } as object)).rejects.toThrow();
  expect(preferences.current()).toEqual(DEFAULTS);
  expect(existsSync(file)).toBe(false);
});

it('keeps a change that cannot be written until the end, and writes it with the next', async () => {
  const { dir, file, log } = place('{}');
  const preferences = await openPreferences(file, log);
  renameSync(dir, `${dir}-away`);
  writeFileSync(dir, 'in the way');
  const heard: boolean[] = [];
  preferences.onChange((now) => heard.push(now.close_to_tray));
  await preferences.change({ close_to_tray: false });
  expect(preferences.current().close_to_tray).toBe(false);
  expect(heard).toEqual([false]);
  expect(log.lines).toHaveLength(1);
  renameSync(dir, `${dir}-file`);
  renameSync(`${dir}-away`, dir);
  renameSync(`${dir}-file`, path.join(dir, 'was-in-the-way'));
  await preferences.change({});
  expect((await openPreferences(file, log)).current().close_to_tray).toBe(false);
});

it('never writes over what it could not set aside', async () => {
  const { dir, file, log } = place('{"theme":"dark"}');
  writeFileSync(path.join(dir, 'set-aside'), 'a file where the folder belongs');
  const preferences = await openPreferences(file, log);
  await preferences.change({ close_to_tray: false });
  expect(preferences.current().close_to_tray).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('{"theme":"dark"}');
});

it.skipIf(whyNoSmallDisk() !== undefined)('lives on a full disk, and loses nothing', async () => {
  const disk = smallDisk('1m');
  const file = path.join(disk.dir, 'preferences.json');
  const log = aLog();
  const preferences = await openPreferences(file, log);
  await preferences.change({ hint_shown: true });
  disk.fill();
  await preferences.change({ close_to_tray: false });
  expect(log.lines).toHaveLength(1);
  expect((await openPreferences(file, log)).current()).toEqual({ ...DEFAULTS, hint_shown: true });
  disk.makeRoom();
  await preferences.change({ close_to_tray: false });
  expect((await openPreferences(file, log)).current().close_to_tray).toBe(false);
});

it('is paused before the moment, not from it on', () => {
  const now = Date.parse('2026-01-31T12:00:00Z');
  expect(isPausedAt(null, now)).toBe(false);
  expect(isPausedAt('always', now)).toBe(true);
  expect(isPausedAt('2026-01-31T12:00:01Z', now)).toBe(true);
  expect(isPausedAt('2026-01-31T12:00:00Z', now)).toBe(false);
});
