import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareDataDir } from '../../server/platform/data-dir.ts';
import { openLog } from '../../server/platform/log.ts';
import { startAppliance } from '../helpers/appliance.ts';
import { tempDir } from '../helpers/temp-dir.ts';

/** What others may do with each file in there: '' where that is nothing. */
function openToOthers(dir: string): string[] {
  const names = ['', ...readdirSync(dir, { recursive: true, encoding: 'utf8' })];
  return names.filter((name) => (statSync(path.join(dir, name)).mode & 0o077) !== 0);
}

const modeOf = (...names: string[]) => statSync(path.join(...names)).mode & 0o777;

describe.skipIf(process.platform === 'win32')('the data directory', () => {
  it('is for its owner alone, with all that is made in it, whatever the umask was', async () => {
    const dir = path.join(tempDir(), 'data');
    process.umask(0o022);
    await using vedette = await startAppliance({ dataDir: dir });
    const { log, close } = openLog(dir, 'info');
    log.info('a line');
    await vedette.post([{ source: 'a', event_type: 'b', data: {} }]);
    await vedette.get('/events');
    await close();
    const made = readdirSync(dir);
    expect(made).toEqual(expect.arrayContaining(['events.duckdb', 'journal', 'logs']));
    expect(openToOthers(dir)).toEqual([]);
  });

  it('that was open before is closed at the start, and what is not Vedette’s is left as it is', async () => {
    const dir = tempDir();
    const before = await startAppliance({ dataDir: dir });
    await before.post([{ source: 'a', event_type: 'b', data: {} }]);
    await before.close();
    mkdirSync(path.join(dir, 'set-aside'), { mode: 0o755 });
    writeFileSync(path.join(dir, 'set-aside', 'old'), '');
    writeFileSync(path.join(dir, 'settings.json.set-aside-1'), '');
    const own = readdirSync(dir, { recursive: true, encoding: 'utf8' });
    for (const name of own) {
      const file = path.join(dir, name);
      chmodSync(file, statSync(file).isDirectory() ? 0o755 : 0o644);
    }
    chmodSync(dir, 0o755);
    mkdirSync(path.join(dir, 'photos'));
    for (const name of ['photos', 'photos/one.jpg', 'notes.txt']) {
      const file = path.join(dir, name);
      if (name !== 'photos') writeFileSync(file, '');
      chmodSync(file, name === 'photos' ? 0o755 : 0o644);
    }
    // Nor may a link lead somewhere else.
    symlinkSync('../notes.txt', path.join(dir, 'set-aside', 'link'));

    expect(await prepareDataDir(dir)).toEqual([]);
    expect(modeOf(dir)).toBe(0o700);
    for (const name of own) {
      const isFolder = statSync(path.join(dir, name)).isDirectory();
      expect(modeOf(dir, name), name).toBe(isFolder ? 0o700 : 0o600);
    }
    expect([modeOf(dir, 'photos'), modeOf(dir, 'notes.txt')]).toEqual([0o755, 0o644]);
    expect(modeOf(dir, 'photos/one.jpg')).toBe(0o644);
  });

  it('that everybody uses stays everybody’s', async () => {
    const dir = tempDir();
    chmodSync(dir, 0o1777);
    expect(await prepareDataDir(dir)).toEqual([]);
    expect(statSync(dir).mode & 0o7777).toBe(0o1777);
  });
});
