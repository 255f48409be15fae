import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { goOn } from '../../build/demo/live.ts';
import { tellStory } from '../../build/demo/story.ts';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const MAIN = path.join(import.meta.dirname, '../../build/demo/main.ts');

it('a demonstration that is ended while it prepares leaves nothing behind', async () => {
  const dir = tempDir();
  const args = [MAIN, '--port', '0', '--host', '127.0.0.1'];
  const child = spawn(process.execPath, args, { env: { ...process.env, TMPDIR: dir } });
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  expect(first.toString()).toContain('Preparing');
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
  expect(readdirSync(dir).filter((name) => name.startsWith('vedette-demo'))).toEqual([]);
});

it('a demonstration does not write into a directory that is in use', async () => {
  await using appliance = await startAppliance();
  const args = [MAIN, '--port', '0', '--data-dir', appliance.dataDir];
  const child = spawn(process.execPath, args);
  const [error] = (await once(child.stderr, 'data')) as [Buffer];
  expect(error.toString()).toContain('--data-dir must be empty');
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(2);
});

it('the shop goes on through the doors of the appliance, and ends when told', async () => {
  await using appliance = await startAppliance();
  const keys = { full: KEY, ingest: KEY, read: KEY };
  const story = tellStory(Date.now());
  const live = goOn({ keys, story, url: appliance.url, seed: 1, events: 4_000_000 });
  const sent = async () => (await appliance.get('/events?limit=1000')).json<{ source: string }[]>();
  await expect.poll(async () => (await sent()).length, { timeout: 10_000 }).toBeGreaterThan(4);
  await live.stop();
  const before = (await sent()).length;
  await sleep(1_500);
  expect(await sent()).toHaveLength(before);
});
