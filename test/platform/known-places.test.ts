import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { mustNotBeGone, rememberPlace } from '../../server/platform/known-places.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const ID = '3f2a91c0-0000-4000-8000-000000000000';
const AT = Date.parse('2026-03-03T12:00:00Z');

async function known() {
  const dataDir = tempDir();
  const env = { VEDETTE_STATE_DIR: path.join(tempDir(), 'state') };
  await rememberPlace(dataDir, ID, AT, env);
  return { dataDir, env, look: (more = {}) => mustNotBeGone({ dataDir, ...more }, env) };
}

it('a directory that held an installation is refused when it holds none', async () => {
  const { dataDir, look } = await known();
  const words = `${dataDir} held an installation on 3 March 2026, but holds none now`;
  expect(look).toThrow(words);
  // What Vedette makes before it looks counts for nothing, and neither does its absence.
  for (const name of ['logs', 'window', 'lost+found']) mkdirSync(path.join(dataDir, name));
  expect(look).toThrow(words);
  rmSync(dataDir, { recursive: true });
  expect(look).toThrow('--start-anew 3f2a91c0');
});

it('it is no longer when its owner names the installation, or anything of it is there', async () => {
  const { dataDir, look } = await known();
  expect(() => look({ startAnew: 'another' })).toThrow();
  look({ startAnew: '3f2a91c0' });
  writeFileSync(path.join(dataDir, 'settings.json'), '{}');
  look();
});

it('a directory that is not known is a first start', async () => {
  const { env } = await known();
  mustNotBeGone({ dataDir: tempDir() }, env);
});

it('what is known is for its owner alone, and the fifty newest are kept', async () => {
  const { env } = await known();
  for (let day = 1; day <= 50; day++) await rememberPlace(`/${day}`, ID, AT + day, env);
  const file = path.join(env.VEDETTE_STATE_DIR, 'places.json');
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)).toHaveLength(50);
  expect(() => mustNotBeGone({ dataDir: '/1' }, env)).toThrow();
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
});

it('a place that cannot be written, or is not readable, is no reason to stop', async () => {
  const file = path.join(tempDir(), 'file');
  writeFileSync(file, '');
  const env = { VEDETTE_STATE_DIR: file };
  await rememberPlace('/data', ID, AT, env);
  mustNotBeGone({ dataDir: '/data' }, env);

  const { dataDir, env: broken, look } = await known();
  writeFileSync(path.join(broken.VEDETTE_STATE_DIR, 'places.json'), '{"/data": {');
  look();
  await rememberPlace(dataDir, ID, AT, broken);
  expect(look).toThrow();
  expect(existsSync(file)).toBe(true);
});
