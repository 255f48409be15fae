import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import { runVedette, startVedette, startWithKey } from '../helpers/child.ts';
import { createLedger, NO_FAULTS } from '../helpers/ledger.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { postNumbers, storedEvents } from '../helpers/traffic.ts';

const OPTIONS = [
  ...['data-dir', 'host', 'port', 'public-url', 'rate-limit-events', 'rate-limit-collect'],
  ...['tagmanager-endpoints', 'log-level', 'api-key', 'password'],
];
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
  test('--help lists every option with its variable and ends with 0', async () => {
    const { code, stdout, stderr } = await refusedStart(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const name of OPTIONS) {
      const variable = `VEDETTE_${name.toUpperCase().replaceAll('-', '_')}`;
      expect(stdout).toMatch(new RegExp(`^ +--${name} .*\\b${variable}\\b`, 'm'));
    }
    const listed = [...stdout.matchAll(/^ +--([a-z-]+)/gm)].map(([, name]) => name);
    expect(listed).toEqual([...OPTIONS, 'help', 'version']);
  });

  test('--version says the version and ends with 0', async () => {
    const { code, stdout } = await refusedStart(['--version']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.for<[string, string[], Record<string, string>, RegExp]>([
    ['an unknown flag', ['--colour', 'red'], {}, /--colour/],
    ['a word without a flag', ['start'], {}, /start/],
    ['a flag without its value', ['--port'], {}, /--port/],
    ['a bad flag', ['--port', 'high'], {}, /--port .*number/],
    ['a port that is none', ['--port', '65536'], {}, /--port/],
    ['a bad variable', [], { VEDETTE_PORT: '-1' }, /VEDETTE_PORT .*number/],
    ['a bad level', [], { VEDETTE_LOG_LEVEL: 'loud' }, /VEDETTE_LOG_LEVEL/],
    ['a bad rate', ['--rate-limit-events', '0'], {}, /--rate-limit-events/],
    ['a bad address', [...LOCAL, '--public-url', 'no url'], {}, /public.url/],
    ['an address of elsewhere', ['--host', '203.0.113.7'], {}, /203\.0\.113\.7/],
    ['a weak key', LOCAL, { VEDETTE_API_KEY: 'short' }, /API key/],
    ['a weak password', LOCAL, { VEDETTE_PASSWORD: 'short' }, /password/],
  ])('%s is refused with 2 and named', async ([, args, env, named]) => {
    const refused = await refusedStart(args, env);
    expectPlainWords(refused);
    expect(refused.stderr).toMatch(named);
    expect(refused.stdout).toBe('');
  });

  test('a flag wins over its variable', async () => {
    const args = ['--port', '0', '--log-level', 'warn'];
    const env = { VEDETTE_PORT: 'bad', VEDETTE_LOG_LEVEL: 'bad' };
    const vedette = await startVedette(tempDir(), { args, env });
    expect((await vedette.end('SIGTERM')).code).toBe(0);
  });
});

describe('what stands in the way of a start is named, with 2', () => {
  test('a taken port', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((up) => server.once('listening', up));
    const { port } = server.address() as AddressInfo;
    const refused = await refusedStart(['--host', '127.0.0.1', '--port', `${port}`]);
    server.close();
    expectPlainWords(refused);
    expect(refused.stderr).toContain(`${port}`);
  });

  test('another Vedette in the data directory, which is left in peace', async () => {
    const dataDir = tempDir();
    const ledger = createLedger();
    const first = await startWithKey(dataDir);
    await postNumbers(first.url, ledger, 10);
    const refused = await refusedStart(['--data-dir', dataDir, ...LOCAL]);
    expectPlainWords(refused);
    expect(refused.stderr).toContain(dataDir);
    expect(refused.stderr).toContain(`${first.pid}`);
    await postNumbers(first.url, ledger, 10);
    expect(ledger.faults(await storedEvents(first.url))).toEqual(NO_FAULTS);
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

  test.for([
    ['a file in its place', ''],
    ['a file above it', 'below'],
  ] as const)('a data directory with %s', async ([, below]) => {
    const file = path.join(tempDir(), 'file');
    writeFileSync(file, 'mine');
    const refused = await refusedStart(['--data-dir', path.join(file, below), ...LOCAL]);
    expectPlainWords(refused);
    expect(refused.stderr).toContain(file);
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

  test('prints the key also when an earlier one failed for its port', async () => {
    const dataDir = tempDir();
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    const port = String((server.address() as AddressInfo).port);
    await refusedStart(['--data-dir', dataDir, '--host', '127.0.0.1', '--port', port]);
    server.close();
    const second = await startVedette(dataDir);
    const key = /X-API-Key: ([^']+)'/.exec(second.stdout())?.[1] ?? '';
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

    const later = { VEDETTE_API_KEY: OTHER_KEY, VEDETTE_PASSWORD: 'second password' };
    const second = await startVedette(dataDir, { env: later });
    expect(await eventsBy(second.url, KEY)).toBe(200);
    expect(await eventsBy(second.url, OTHER_KEY)).toBe(401);
    expect(await signIn(second.url, 'second password')).toBe(401);
    expect(await signIn(second.url, 'first password')).toBeLessThan(300);
  });
});
