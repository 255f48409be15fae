import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openLog } from '../../server/platform/log.ts';
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
