import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { goOn } from '../../build/demo/live.ts';
import { tellStory } from '../../build/demo/story.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { freshTenant } from '../helpers/tenant.ts';

const MAIN = path.join(import.meta.dirname, '../../build/demo/main.ts');

/** A demonstration whose temporary files are in a directory of its own. */
function demo(...args: string[]) {
  const dir = tempDir();
  // Without a display there is no window to open, whoever runs this.
  const env = { ...process.env, TMPDIR: dir, TEMP: dir, DISPLAY: '', WAYLAND_DISPLAY: '' };
  const child = spawn(process.execPath, [MAIN, ...args], { env });
  return {
    child,
    left: () => readdirSync(dir).filter((name) => name.startsWith('vedette-demo')),
    refusal: async (): Promise<string> => {
      const ended = once(child, 'exit') as Promise<[number]>;
      const [error] = (await once(child.stderr, 'data')) as [Buffer];
      const [code] = await ended;
      expect(code).toBe(2);
      return error.toString();
    },
  };
}

describe('a demonstration', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'that is ended by %s while it prepares leaves nothing behind',
    async (signal) => {
      const { child, left } = demo('--port', '0');
      const [first] = (await once(child.stdout, 'data')) as [Buffer];
      expect(first.toString()).toContain('Preparing');
      expect(left()).toHaveLength(1);
      child.kill(signal);
      const [code] = (await once(child, 'exit')) as [number];
      expect(code).toBe(0);
      expect(left()).toEqual([]);
    },
  );

  it('does not write into a directory that has anything in it', async () => {
    const dir = tempDir();
    writeFileSync(path.join(dir, 'letter.txt'), 'Dear Jana');
    mkdirSync(path.join(dir, 'journal'));
    const { refusal } = demo('--port', '0', '--data-dir', dir);
    expect(await refusal()).toContain('--data-dir must be empty');
    expect(readdirSync(dir)).toEqual(['journal', 'letter.txt']);
  });

  it('says at once, before anything is prepared, that the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { refusal, left } = demo('--port', String(port));
    // Its own address is this machine's alone.
    expect(await refusal()).toContain(`Port ${port} on 127.0.0.1 is taken by another program`);
    expect(left()).toEqual([]);
    other.close();
  });
});

describe('the shop goes on', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('through the doors of the appliance', async () => {
    const { key, url, get } = await freshTenant();
    const keys = { full: key, ingest: key, read: key };
    const live = goOn({ keys, story: tellStory(Date.now()), url, seed: 1, events: 4_000_000 });
    const sources = async () => (await get('/events/sources')).json<string[]>();
    const wanted = expect.arrayContaining(['gtm', 'app']) as string[];
    await expect.poll(sources).toEqual(wanted);
    await live.stop();
  });

  it('by pixel and by POST, until it is told to end', async () => {
    // In one go, so that nothing else in this process gets a timer that never comes.
    vi.useFakeTimers({ now: new Date(2026, 10, 18, 15, 10) });
    const sent: string[] = [];
    vi.stubGlobal('fetch', (address: string) => {
      sent.push(new URL(address).pathname);
      return Promise.resolve(new Response());
    });
    const keys = { full: 'full', ingest: 'ingest', read: 'read' };
    const url = 'http://127.0.0.1:1';
    const live = goOn({ keys, story: tellStory(Date.now()), url, seed: 1, events: 400_000 });
    vi.advanceTimersByTime(180_000);
    const before = [...sent];
    const stopped = live.stop();
    vi.advanceTimersByTime(600_000);
    vi.useRealTimers();
    vi.unstubAllGlobals();
    await stopped;
    expect(before.length).toBeGreaterThan(10);
    expect(new Set(before)).toEqual(new Set(['/api/v1/events', '/api/v1/events/collect']));
    expect(sent).toEqual(before);
  });
});
