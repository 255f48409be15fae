import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { runChild } from '../helpers/child.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const LAUNCH = path.join(import.meta.dirname, '../../electron/launch.ts');

function launch(env: Record<string, string>, args: string[] = []) {
  const local = ['--data-dir', tempDir(), '--host', '127.0.0.1', '--port', '0'];
  return runChild(LAUNCH, [...local, ...args], {
    ...{ DISPLAY: '', WAYLAND_DISPLAY: '', ELECTRON_OVERRIDE_DIST_PATH: '' },
    ...env,
  });
}

/** A folder with programs that are scripts. */
function folderOf(scripts: Record<string, string>): string {
  const dir = tempDir();
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(path.join(dir, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(dir, name), 0o755);
  }
  return dir;
}

describe.skipIf(process.platform !== 'linux')('npm start without a window', () => {
  test('says why in one line, and goes on with a link that signs in', async () => {
    const vedette = launch({});
    const link = await vedette.first(() => /Open +(http\S+)/.exec(vedette.stdout())?.[1]);
    expect(vedette.stdout()).toMatch(/^No window: there is no display\. .*\n/);
    const { origin, hash } = new URL(link);
    const answer = await fetch(`${origin}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: hash.slice('#token='.length) }),
    });
    expect(answer.status).toBe(201);
    expect(await vedette.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  test('opens the link in the browser where there is a display for one', async () => {
    const broken = folderOf({ electron: 'echo "Missing X server or \\$DISPLAY" >&2; exit 1' });
    const notes = path.join(tempDir(), 'opened');
    const tools = folderOf({
      'xdg-open': `echo "$1" > '${notes}.new'; mv '${notes}.new' '${notes}'`,
    });
    const vedette = launch({
      ...{ DISPLAY: ':99', ELECTRON_OVERRIDE_DIST_PATH: broken },
      PATH: `${tools}:${process.env['PATH'] ?? ''}`,
    });
    await vi.waitUntil(() => existsSync(notes), { timeout: 15_000 });
    expect(vedette.stdout()).toMatch(/^No window: the display cannot be opened\. /);
    expect(readFileSync(notes, 'utf8')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sign-in#token=\S+\n$/);
    await vedette.end('SIGTERM');
  });

  test('refuses a wrong option with 2 before anything is tried', async () => {
    const vedette = launch({}, ['--prot', '9000']);
    expect(await vedette.ended).toEqual({ code: 2, signal: null });
    expect(vedette.stderr()).toContain('--prot');
    expect(vedette.stdout()).toBe('');
  });
});

/** A script that waits in Electron's place, and a launcher that has come to where it says 'here'. */
async function waiting(script: string) {
  const electron = folderOf({ electron: `exec '${process.execPath}' -e "${script}"` });
  const vedette = launch({
    ...{ DISPLAY: ':99', UV_THREADPOOL_SIZE: '' },
    ELECTRON_OVERRIDE_DIST_PATH: electron,
  });
  const said = await vedette.first(() => /here (\d+ \w+)\n/.exec(vedette.stdout())?.[1]);
  const [pid, threads] = said.split(' ').map(Number);
  return { ...vedette, electron: pid ?? 0, threads };
}

const WAIT = `console.log('here', process.pid, process.env.UV_THREADPOOL_SIZE); setInterval(() => {}, 1000);`;

describe.skipIf(process.platform !== 'linux')('npm start, with a window on its way', () => {
  test.for(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('hands %s on to it', async (signal) => {
    const vedette = await waiting(`process.on('${signal}', () => process.exit(0)); ${WAIT}`);
    expect(await vedette.end(signal)).toEqual({ code: 0, signal: null });
    expect(vedette.stdout()).not.toContain('No window');
    expect(isThere(vedette.electron)).toBe(false);
  });

  test('ends with it when it does not know the signal yet, and gave it the threads that the server has', async () => {
    const vedette = await waiting(WAIT);
    expect(vedette.threads).toBe(8);
    expect(await vedette.end('SIGINT')).toEqual({ code: 130, signal: null });
    expect(vedette.stdout()).not.toContain('No window');
    expect(isThere(vedette.electron)).toBe(false);
  });

  test('is content with a page that said why, and ends as it did', async () => {
    const failed = `process.send({ failed: { what: 'The port is taken.' } }, () => {`;
    const vedette = await waiting(
      `${failed} process.on('SIGUSR2', () => process.exit(2)); ${WAIT} });`,
    );
    process.kill(vedette.electron, 'SIGUSR2');
    expect(await vedette.ended).toEqual({ code: 2, signal: null });
    expect(vedette.stdout()).not.toContain('No window');
  });
});

test('what is ended while it fetches Electron leaves no fetching behind', async () => {
  const home = tempDir();
  writeFileSync(
    path.join(home, 'install.js'),
    `console.log('fetching', process.pid); setInterval(() => {}, 1000);`,
  );
  const runtime = path.join(import.meta.dirname, '../../electron/runtime.ts');
  const main = path.join(home, 'main.mjs');
  writeFileSync(
    main,
    `import { findElectron } from ${JSON.stringify(pathToFileURL(runtime).href)};
     process.on('SIGTERM', () => process.exit(9));
     await findElectron({ DISPLAY: ':0' }, () => {}, () => ${JSON.stringify(home)});`,
  );
  const vedette = runChild(main, []);
  // What it says of itself is shown.
  const pid = await vedette.first(() => /fetching (\d+)\n/.exec(vedette.stdout())?.[1]);
  expect((await vedette.end('SIGTERM')).code).toBe(9);
  await expect.poll(() => isThere(Number(pid))).toBe(false);
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
