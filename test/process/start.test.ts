import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { start } from '../../server/appliance.ts';
import type { StartOptions } from '../../server/appliance.ts';
import { StartError } from '../../server/platform/start-errors.ts';
import { silentLog } from '../../server/platform/log.ts';
import { mustNotBeGone } from '../../server/platform/known-places.ts';
import { helpText } from '../../server/platform/options.ts';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import { runVedette, startVedette } from '../helpers/child.ts';
import { smallDisk, whyNoSmallDisk } from '../helpers/small-disk.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const OTHER_KEY = 'another-key-0123456789';
const LOCAL = ['--host', '127.0.0.1', '--port', '0'];

/** What a start that does not get far says. */
async function refusedStart(args: readonly string[], env: Record<string, string> = {}) {
  const vedette = runVedette(args, { VEDETTE_DATA_DIR: tempDir(), ...env });
  const { code } = await vedette.ended;
  return { code, stdout: vedette.stdout(), stderr: vedette.stderr() };
}

/** In words, on one line or two, without a stack. */
function expectPlainWords({ code, stderr }: { code: number | null; stderr: string }): void {
  expect(code, stderr).toBe(2);
  expect(stderr).toMatch(/^vedette: /);
  expect(stderr).not.toMatch(/^\s+at /m);
}

const eventsBy = (url: string, key: string) =>
  fetch(`${url}/api/v1/events`, { headers: { 'x-api-key': key } }).then(({ status }) => status);

const signIn = (url: string, password: string) =>
  fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ password }),
  }).then(({ status }) => status);

describe('options', () => {
  // Which there are, and which values they take, is in platform/options.test.ts.
  test('--help and --version say what is asked for and end with 0', async () => {
    const [help, version] = await Promise.all([
      refusedStart(['--help']),
      refusedStart(['--version']),
    ]);
    expect(help).toEqual({ code: 0, stdout: `${helpText()}\n`, stderr: '' });
    expect(version).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  test.for<[string, string[], Record<string, string>, RegExp]>([
    ['a bad flag', ['--port', 'high'], {}, /--port .*number/],
    ['a bad variable', [], { VEDETTE_PORT: '-1' }, /VEDETTE_PORT .*number/],
    ['what only the open appliance can judge', LOCAL, { VEDETTE_API_KEY: 'short' }, /API key/],
  ])('%s is refused with 2 and named', async ([, args, env, named]) => {
    const refused = await refusedStart(args, env);
    expectPlainWords(refused);
    expect(refused.stderr).toMatch(named);
    expect(refused.stdout).toBe('');
  });

  test.for<[string, Partial<StartOptions>, RegExp]>([
    ['a bad address', { publicUrl: 'no url' }, /public.url/],
    ['an address of elsewhere', { host: '203.0.113.7' }, /203\.0\.113\.7/],
    ['a weak password', { password: 'short' }, /password/],
  ])('%s keeps it from starting, in plain words', async ([, options, named]) => {
    const refused = await startAppliance(options).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartError);
    expect((refused as StartError).message).toMatch(named);
  });
});

describe('what stands in the way of a start is named, with 2', () => {
  test('a taken port; the next start still prints the key', async () => {
    const dataDir = tempDir();
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((up) => server.once('listening', up));
    const port = String((server.address() as AddressInfo).port);
    const given = ['--data-dir', dataDir, '--host', '127.0.0.1', '--port', port];
    const refused = await refusedStart(given);
    server.close();
    expectPlainWords(refused);
    expect(refused.stderr).toContain(port);

    const next = await start({ dataDir, host: '127.0.0.1', port: 0, log: silentLog });
    onTestFinished(() => next.close());
    expect(await eventsBy(next.url, next.firstKey ?? '')).toBe(200);
  });

  test('another Vedette in the data directory, which is left in peace', async () => {
    const dataDir = tempDir();
    await using first = await startAppliance({ dataDir });
    const post = () => first.post([{ source: 's', event_type: 't', data: {} }]);
    expect((await post()).statusCode).toBe(201);
    const refused = await refusedStart(['--data-dir', dataDir, ...LOCAL]);
    expectPlainWords(refused);
    expect(refused.stderr).toContain(dataDir);
    expect(refused.stderr).toContain(`${process.pid}`);
    expect((await post()).statusCode).toBe(201);
    expect((await first.get('/events')).json()).toHaveLength(2);
  });

  test('two appliances in one process cannot open the same data directory', async () => {
    const dataDir = tempDir();
    await using first = await startAppliance({ dataDir });
    await expect(startAppliance({ dataDir })).rejects.toThrow(/in use by another Vedette/);
    expect((await first.post([])).statusCode).toBe(201);
    await first.close();
    await using second = await startAppliance({ dataDir });
    expect((await second.get('/events')).statusCode).toBe(200);
  });

  test('a data directory with a file in its place, or above it', async () => {
    const file = path.join(tempDir(), 'file');
    writeFileSync(file, 'mine');
    const refused = await refusedStart(['--data-dir', file, ...LOCAL]);
    expectPlainWords(refused);
    expect(refused.stderr).toContain(file);
    const below = startAppliance({ dataDir: path.join(file, 'below') });
    await expect(below).rejects.toThrow(StartError);
    await expect(below).rejects.toThrow(file);
  });

  test('a journal that is a file, or on a disk that takes no writing', async () => {
    const dataDir = tempDir();
    const journal = path.join(dataDir, 'journal');
    writeFileSync(journal, 'mine');
    const refused = await refusedStart(['--data-dir', dataDir, ...LOCAL]);
    expectPlainWords(refused);
    expect(refused.stderr).toContain(`Vedette cannot write to ${journal}: it is a file`);
    if (whyNoSmallDisk() !== undefined) return;

    const disk = smallDisk('1m');
    disk.makeReadOnly();
    rmSync(journal);
    symlinkSync(disk.dir, journal);
    const start = startAppliance({ dataDir });
    await expect(start).rejects.toThrow(StartError);
    await expect(start).rejects.toThrow(`${journal}: the file system is read-only`);
  });

  test('a key file that cannot be read', async () => {
    const dataDir = tempDir();
    mkdirSync(path.join(dataDir, 'secret.key'));
    const refused = await refusedStart(['--data-dir', dataDir, ...LOCAL]);
    expectPlainWords(refused);
    expect(refused.stderr).toContain('secret.key cannot be read: it is a folder');
  });
});

describe('a data directory that is empty though it was not', () => {
  test('is refused with words and the code for trying again, until its disk is back or it is given up', async () => {
    const dataDir = path.join(tempDir(), 'mounted');
    const env = { VEDETTE_STATE_DIR: tempDir(), VEDETTE_API_KEY: KEY };
    const first = await startVedette(dataDir, { env });
    await first.end('SIGTERM');
    renameSync(dataDir, `${dataDir}.away`);
    mkdirSync(dataDir);

    const refused = await refusedStart(['--data-dir', dataDir, ...LOCAL], env);
    expect(refused.code, refused.stderr).toBe(75);
    expect(refused.stdout).toBe('');
    const words =
      /^vedette: The data directory (\S+) held an installation on .*--start-anew (\w+): .*\n$/;
    const [, named, installation = ''] = words.exec(refused.stderr) ?? [];
    expect(named, refused.stderr).toBe(dataDir);
    expect(readdirSync(dataDir)).toEqual([]);

    // The name holds for the one that is gone, and for no other.
    const args = ['--start-anew', installation];
    const anew = { ...env, VEDETTE_API_KEY: OTHER_KEY };
    const second = await startVedette(dataDir, { env: anew, args });
    expect(await eventsBy(second.url, OTHER_KEY)).toBe(200);
    await second.end('SIGTERM');
    renameSync(dataDir, `${dataDir}.second`);
    expect(() => mustNotBeGone({ dataDir, startAnew: installation }, env)).toThrow(StartError);

    renameSync(`${dataDir}.away`, dataDir);
    const back = await startVedette(dataDir, { env });
    expect(await eventsBy(back.url, KEY)).toBe(200);
  });
});

describe('the very first start', () => {
  test('prints the key and an example that works, once', async () => {
    const dataDir = tempDir();
    const first = await startVedette(dataDir);
    const key = /X-API-Key: ([^']+)'/.exec(first.stdout())?.[1] as string;
    expect(first.stdout().split('\n')).toContainEqual(expect.stringMatching(`^ +${key}$`));
    expect(first.stdout()).toContain(`curl -X POST ${first.url}/api/v1/events`);
    expect(await eventsBy(first.url, key)).toBe(200);
    await first.end('SIGTERM');

    const second = await startVedette(dataDir);
    expect(second.stdout()).not.toContain(key);
    expect(second.stdout()).not.toContain('curl');
    expect(await eventsBy(second.url, key)).toBe(200);
  });

  test('answers its very first request with the key that was given', async () => {
    const opened = Promise.withResolvers<string>();
    const port = String(20_000 + (process.pid % 20_000));
    const url = `http://127.0.0.1:${port}`;
    const asking = (async () => {
      for (;;) {
        const answer = await fetch(`${url}/api/v1/events`, { headers: { 'x-api-key': KEY } }).catch(
          () => undefined,
        );
        if (answer) {
          opened.resolve(String(answer.status));
          return;
        }
        await new Promise(setImmediate);
      }
    })();
    await using vedette = await startAppliance({ port: Number(port), password: 'correct horse' });
    expect(vedette.url).toBe(url);
    expect(await opened.promise).toBe('200');
    await asking;
  });

  test('alone takes VEDETTE_API_KEY and VEDETTE_PASSWORD', async () => {
    const dataDir = tempDir();
    const env = { VEDETTE_API_KEY: KEY, VEDETTE_PASSWORD: 'first password' };
    const first = await startVedette(dataDir, { env });
    expect(first.stdout()).not.toContain(KEY);
    expect(first.stdout()).not.toContain('first password');
    expect(await eventsBy(first.url, KEY)).toBe(200);
    expect(await signIn(first.url, 'first password')).toBeLessThan(300);
    await first.end('SIGTERM');

    const later = { apiKey: OTHER_KEY, password: 'second password' };
    await using second = await startAppliance({ dataDir, ...later });
    expect(await eventsBy(second.url, KEY)).toBe(200);
    expect(await eventsBy(second.url, OTHER_KEY)).toBe(401);
    expect(await signIn(second.url, 'second password')).toBe(401);
    expect(await signIn(second.url, 'first password')).toBeLessThan(300);
  });
});
