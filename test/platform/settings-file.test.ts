import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { HttpError } from '../../server/platform/errors.ts';
import { StartError } from '../../server/platform/start-errors.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openSettingsFile } from '../../server/platform/settings-file.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const schema = z.strictObject({ count: z.int(), names: z.array(z.string()) });
const initial = () => ({ count: 0, names: [] as string[] });
const clock = { now: () => Date.parse('2026-03-01T10:00:00Z') };
const ASIDE = 'settings.json.set-aside-2026-03-01T10-00-00.000Z';

const open = (dir: string) => openSettingsFile({ dir, schema, initial, log: silentLog, clock });
const main = (dir: string) => join(dir, 'settings.json');
const copy = (dir: string) => join(dir, 'settings.last-good.json');
const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

describe('the settings file', () => {
  it('starts from the initial settings where nothing is', async () => {
    const file = await open(tempDir());
    expect(file.data).toEqual({ count: 0, names: [] });
    expect(file.notices).toEqual([]);
  });

  it('shows after opening again what an update wrote', async () => {
    const dir = tempDir();
    const first = await open(dir);
    const length = await first.update((draft) => draft.names.push('a'));
    expect(length).toBe(1);
    expect((await open(dir)).data).toEqual({ count: 0, names: ['a'] });
  });

  it.skipIf(process.platform === 'win32')('is readable by its owner alone', async () => {
    const dir = tempDir();
    const file = await open(dir);
    await file.update((draft) => void (draft.count += 1));
    chmodSync(main(dir), 0o644);
    await file.update((draft) => void (draft.count += 1));
    expect(statSync(main(dir)).mode & 0o777).toBe(0o600);
    expect(statSync(copy(dir)).mode & 0o777).toBe(0o600);
  });

  it('applies updates one after the other', async () => {
    const file = await open(tempDir());
    await Promise.all(
      Array.from({ length: 20 }, () => file.update((draft) => void (draft.count += 1))),
    );
    expect(file.data.count).toBe(20);
  });

  it('has a copy that can be brought level, which changes nothing else', async () => {
    const dir = tempDir();
    const file = await open(dir);
    await file.renewCopy();
    expect(readdirSync(dir)).toEqual([]);
    await file.update((draft) => void draft.names.push('secret'));
    await file.update((draft) => void (draft.names = []));
    expect(json(copy(dir))).toMatchObject({ names: ['secret'] });
    await file.renewCopy();
    expect(json(copy(dir))).toMatchObject({ names: [] });
    expect(json(main(dir))).toEqual(json(copy(dir)));
    await file.update((draft) => void (draft.count = 2));
    expect((await open(dir)).data).toEqual({ count: 2, names: [] });
  });

  it('keeps the copy one version behind, and level after opening', async () => {
    const dir = tempDir();
    const file = await open(dir);
    await file.update((draft) => void (draft.count = 1));
    expect(json(copy(dir))).toMatchObject({ count: 1 });
    await file.update((draft) => void (draft.count = 2));
    expect(json(copy(dir))).toMatchObject({ count: 1 });
    await open(dir);
    expect(json(copy(dir))).toMatchObject({ count: 2 });
  });

  it('shows a change only once it is on disk', async () => {
    const dir = tempDir();
    const file = await open(dir);
    const before = file.data;
    const update = file.update((draft) => void (draft.count += 1));
    await Promise.resolve();
    expect(file.data).toBe(before);
    await update;
    expect(file.data.count).toBe(1);
    expect(before.count).toBe(0);
  });

  it('keeps the old state when a write fails, and goes on when it works again', async () => {
    const dir = tempDir();
    const file = await open(dir);
    await file.update((draft) => void (draft.count = 1));
    await rm(main(dir));
    mkdirSync(main(dir));
    const failed = file.update((draft) => void (draft.count = 2));
    await expect(failed).rejects.toThrow(HttpError);
    await expect(failed).rejects.toMatchObject({ status: 503 });
    expect(file.data.count).toBe(1);

    await rmdir(main(dir));
    await file.update((draft) => void (draft.count += 10));
    expect(json(main(dir))).toMatchObject({ count: 11 });
  });

  it('refuses a change that the schema forbids, and writes nothing', async () => {
    const dir = tempDir();
    const file = await open(dir);
    await expect(file.update((draft) => void (draft.count = 0.5))).rejects.toThrow();
    expect(file.data.count).toBe(0);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('forgets what a mutator did before it threw', async () => {
    const file = await open(tempDir());
    const failed = file.update((draft) => {
      draft.count = 5;
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(file.data.count).toBe(0);
  });

  it('lets nobody change the state through what an update returned', async () => {
    const file = await open(tempDir());
    const names = await file.update((draft) => draft.names);
    names.push('later');
    expect(file.data.names).toEqual([]);
  });
});

describe('a settings file that does not parse', () => {
  async function written(count: number): Promise<string> {
    const dir = tempDir();
    const file = await open(dir);
    await file.update((draft) => void (draft.count = count));
    return dir;
  }

  it.each([
    ['cut off', '{"count": 7, "na', 'not valid JSON'],
    ['empty', '', 'not valid JSON'],
    ['of the wrong shape', '{"count": "x", "names": []}', 'count must be'],
    ['with an unknown key', '{"count": 1, "names": [], "more": 1}', 'more is not known here'],
  ])('is set aside when it is %s, and the last good copy is used', async (_, text, why) => {
    const dir = await written(3);
    writeFileSync(main(dir), text);
    const file = await open(dir);
    expect(file.data.count).toBe(3);
    expect(file.notices).toHaveLength(1);
    expect(file.notices[0]).toContain(why);
    expect(file.notices[0]).toContain(ASIDE);
    expect(readFileSync(join(dir, ASIDE), 'utf8')).toBe(text);
    expect(json(main(dir))).toMatchObject({ count: 3 });
    expect((await open(dir)).notices).toEqual([]);
  });

  it('never takes the place of one that was set aside before', async () => {
    const dir = await written(3);
    writeFileSync(main(dir), 'one');
    await open(dir);
    writeFileSync(main(dir), 'two');
    await open(dir);
    expect(readFileSync(join(dir, ASIDE), 'utf8')).toBe('one');
    expect(readFileSync(join(dir, `${ASIDE}-2`), 'utf8')).toBe('two');
  });

  it('stops every start when the copy is no better, and stays where it is', async () => {
    const dir = tempDir();
    writeFileSync(main(dir), 'broken');
    writeFileSync(copy(dir), 'broken too');
    await expect(open(dir)).rejects.toThrow(StartError);
    await expect(open(dir)).rejects.toThrow('not valid JSON');
    expect(readFileSync(main(dir), 'utf8')).toBe('broken');
    expect(readFileSync(copy(dir), 'utf8')).toBe('broken too');
  });

  it('stops the start when there is no copy', async () => {
    const dir = tempDir();
    writeFileSync(main(dir), 'broken');
    await expect(open(dir)).rejects.toThrow(StartError);
    await expect(open(dir)).rejects.toThrow(StartError);
  });

  it('is made up for by the copy when it is gone, with a notice', async () => {
    const dir = await written(4);
    await rm(main(dir));
    const file = await open(dir);
    expect(file.data.count).toBe(4);
    expect(file.notices).toHaveLength(1);
  });

  it('is not mourned when only the copy is broken', async () => {
    const dir = await written(5);
    writeFileSync(copy(dir), 'broken');
    const file = await open(dir);
    expect(file.data.count).toBe(5);
    expect(file.notices).toEqual([]);
    expect(json(copy(dir))).toMatchObject({ count: 5 });
    expect(readdirSync(dir).filter((name) => name.includes('set-aside'))).toHaveLength(1);
  });

  it('may begin with a byte order mark', async () => {
    const dir = tempDir();
    writeFileSync(main(dir), '\uFEFF{"count": 6, "names": []}');
    expect((await open(dir)).data.count).toBe(6);
  });
});

describe('a settings file that cannot be read for now', () => {
  const changed = async () => {
    const dir = tempDir();
    const file = await open(dir);
    await file.update((draft) => void (draft.count = 1));
    await file.update((draft) => void (draft.count = 2));
    return dir;
  };
  const opened = (dir: string, wait: () => Promise<unknown>) =>
    openSettingsFile({ dir, schema, initial, log: silentLog, clock, wait });

  it('is tried again, and its newest state is in use', async () => {
    const dir = await changed();
    const text = readFileSync(main(dir));
    await rm(main(dir));
    mkdirSync(main(dir));
    let waits = 0;
    const file = await opened(dir, async () => {
      if (++waits < 4) return;
      await rmdir(main(dir));
      writeFileSync(main(dir), text);
    });
    expect([file.data.count, file.notices, waits]).toEqual([2, [], 4]);
  });

  it('stops the start in words, and is neither set aside nor rolled back', async () => {
    const dir = await changed();
    await rm(main(dir));
    mkdirSync(main(dir));
    const before = readdirSync(dir);
    const refused = opened(dir, async () => undefined);
    await expect(refused).rejects.toThrow(StartError);
    await expect(refused).rejects.toThrow(/settings\.json cannot be read: it is a folder/);
    expect(readdirSync(dir)).toEqual(before);
    expect(json(copy(dir))).toMatchObject({ count: 1 });
  });

  it('is not needed when it is only the copy', async () => {
    const dir = await changed();
    await rm(copy(dir));
    mkdirSync(copy(dir));
    expect((await opened(dir, async () => undefined)).data.count).toBe(2);
  });
});

it('clears away what a kill in the middle of a write left behind', async () => {
  const dir = tempDir();
  for (const name of ['settings.json.123', 'settings.last-good.json.9', 'settings.json.old']) {
    writeFileSync(join(dir, name), 'half');
  }
  await open(dir);
  expect(readdirSync(dir)).toEqual(['settings.json.old']);
});
