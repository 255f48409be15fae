import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLog } from '../../server/platform/log.ts';
import { smallDisk, whyNoSmallDisk } from '../helpers/small-disk.ts';
import { tempDir } from '../helpers/temp-dir.ts';

it('the log goes into files that stay small, the oldest making way', async () => {
  const dir = tempDir();
  const { log, close } = openLog(dir, 'info');
  const text = 'x'.repeat(1 << 20);
  for (let n = 0; n < 75; n++) {
    log.info({ n }, text);
    // Rotation happens between turns of the loop.
    await new Promise(setImmediate);
  }
  await close();
  const files = readdirSync(path.join(dir, 'logs')).filter((name) => name !== '.vedette.log.txt');
  const logs = files
    .map((name) => path.join(dir, 'logs', name))
    .filter((file) => statSync(file).size > 4096);
  expect(logs.length).toBeGreaterThan(2);
  expect(logs.length).toBeLessThanOrEqual(6);
  for (const file of logs) expect(statSync(file).size).toBeLessThan(20 << 20);
  const newest = readFileSync(path.join(dir, 'logs', 'vedette.log'), 'utf8')
    .trim()
    .split('\n')
    .at(-1);
  expect((JSON.parse(newest ?? '{}') as { n?: number }).n).toBe(74);
});

describe('a log that cannot be written', () => {
  const lines = (dir: string) =>
    readFileSync(path.join(dir, 'logs', 'vedette.log'), 'utf8')
      .split('\n')
      .filter(Boolean);

  it('goes on by itself once it can be, and stops nothing meanwhile', async () => {
    const dir = tempDir();
    writeFileSync(path.join(dir, 'logs'), 'in the way');
    const { log, close } = openLog(dir, 'info', { retryMs: 0 });
    for (let n = 0; n < 3; n++) {
      log.info('lost');
      await new Promise(setImmediate);
    }
    rmSync(path.join(dir, 'logs'));
    await expect
      .poll(() => {
        log.info('kept');
        return existsSync(path.join(dir, 'logs', 'vedette.log')) && lines(dir).length;
      })
      .toBeGreaterThan(0);
    await close();
    expect(lines(dir).at(-1)).toContain('kept');
  });

  it('is closed at once', async () => {
    const dir = tempDir();
    writeFileSync(path.join(dir, 'logs'), 'in the way');
    const { log, close } = openLog(dir, 'info', { retryMs: Infinity });
    log.info('lost');
    await close();
  });

  it.skipIf(whyNoSmallDisk() !== undefined)(
    'for want of room has whole lines again when there is some',
    async () => {
      const disk = smallDisk('4m');
      const { log, close } = openLog(disk.dir, 'info', { retryMs: 0 });
      log.info('before');
      await expect.poll(() => existsSync(path.join(disk.dir, 'logs', 'vedette.log'))).toBe(true);
      await expect.poll(() => lines(disk.dir).length).toBe(1);
      disk.fill(5000);
      const text = 'x'.repeat(3000);
      for (let n = 0; n < 10; n++) {
        log.info(text);
        await new Promise(setImmediate);
      }
      disk.makeRoom();
      await expect
        .poll(() => {
          log.info('after');
          return lines(disk.dir).filter((line) => line.includes('after')).length;
        })
        .toBeGreaterThan(0);
      await close();
      expect(JSON.parse(lines(disk.dir).at(-1) ?? '')).toMatchObject({ msg: 'after' });
    },
  );
});
