import path from 'node:path';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { commandFor } from '../../electron/browser.ts';
import { EndedBefore, openWindow } from '../../electron/open-window.ts';
import { findElectron, NoWindow, reasonIn } from '../../electron/runtime.ts';
import { tempDir } from '../helpers/temp-dir.ts';

/** A program in Electron's place that does what a script says. */
function inPlace(script: string): string {
  const file = path.join(tempDir(), 'electron');
  writeFileSync(file, `#!${process.execPath}\n${script}`);
  chmodSync(file, 0o755);
  return file;
}

const READY = `{ ready: { url: 'http://127.0.0.1:1' } }`;

const opening = (script: string, said: string[] = []) =>
  openWindow(inPlace(script), [], (text) => said.push(text));

/** The same, when the script says that it has come to this. */
async function openingUntil(mark: RegExp, script: string) {
  const met = Promise.withResolvers<undefined>();
  const opened = openWindow(inPlace(script), [], (text) => {
    if (mark.test(text)) met.resolve(undefined);
  });
  await met.promise;
  return opened;
}

describe.skipIf(process.platform === 'win32')('npm start', () => {
  test('finds no window without a display', async () => {
    if (process.platform === 'linux') {
      await expect(findElectron({}, () => undefined)).rejects.toThrow('there is no display');
    }
  });

  test('takes the Electron that it is pointed to, or says that there is none', async () => {
    const ELECTRON_OVERRIDE_DIST_PATH = path.dirname(inPlace(''));
    const env = { DISPLAY: ':0', ELECTRON_OVERRIDE_DIST_PATH };
    if (process.platform === 'linux') {
      expect(await findElectron(env, () => undefined)).toBe(
        path.join(ELECTRON_OVERRIDE_DIST_PATH, 'electron'),
      );
    }
    await expect(
      findElectron({ ...env, ELECTRON_OVERRIDE_DIST_PATH: '/nowhere' }, () => undefined),
    ).rejects.toThrow('there is no Electron in /nowhere');
  });

  test('waits for the word that it is up, and passes on how it ended', async () => {
    const said: string[] = [];
    const { ready, ended } = opening(
      `process.send(${READY}, () => setImmediate(() => process.exit(5)));`,
      said,
    );
    expect(await ready).toBe('http://127.0.0.1:1');
    expect(await ended).toBe(5);
    expect(said).toEqual([]);
  });

  test('keeps away what Chromium says to itself, however it comes in pieces', async () => {
    const said: string[] = [];
    const { ended } = opening(
      `const { writeSync } = require('node:fs');
       writeSync(2, '[12:0101/1.2:ERROR:bus.c');
       process.send(${READY}, () => {
         writeSync(2, 'c(407)] no bus\\nvedette: care');
         setImmediate(() => writeSync(2, 'ful\\n[12:13:0101/1.2:WARNING:x.cc(1)] y\\nlast'));
         process.disconnect();
       });`,
      said,
    );
    await ended;
    expect(said).toEqual(['vedette: careful', 'last']);
  });

  test.for<[string, string]>([
    ['Running as root without --no-sandbox is not supported', 'Electron does not run as root'],
    [
      'The SUID sandbox helper binary was found, but',
      "this system does not let Electron's sandbox work",
    ],
    ['x: error while loading shared libraries: libgtk-3.so.0: cannot', 'libgtk-3.so.0'],
    ['Missing X server or $DISPLAY', 'the display cannot be opened'],
  ])('gives the reason for %j in words', async ([complaint, reason]) => {
    expect(reasonIn(complaint)).toContain(reason);
    const { ready: failed } = opening(
      `process.stderr.write(${JSON.stringify(complaint)}); process.exitCode = 1`,
    );
    await expect(failed).rejects.toBeInstanceOf(NoWindow);
    await expect(failed).rejects.toThrow(reason);
  });

  test('falls back also from a crash at the start that it has no words for', async () => {
    await expect(opening('process.exit(133)').ready).rejects.toThrow('Electron ended with 133');
    const crashed = opening(`process.kill(process.pid, 'SIGSEGV')`).ready;
    await expect(crashed).rejects.toBeInstanceOf(NoWindow);
    await expect(crashed).rejects.toThrow('Electron ended with SIGSEGV');
    const none = openWindow('/nowhere/electron', [], () => undefined);
    await expect(none.ready).rejects.toBeInstanceOf(NoWindow);
    await expect(none.ready).rejects.toThrow('ENOENT');
    expect(await none.ended).toBe(1);
  });

  test.for([0, 2])(
    'does not fall back from a program that ended with %i by itself',
    async (code) => {
      await expect(opening(`process.exit(${code})`).ready).rejects.toBeInstanceOf(EndedBefore);
    },
  );

  test('does not fall back from one that ended otherwise after a while, and says so', async () => {
    const said: string[] = [];
    vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(60_000);
    const { ready } = opening('process.exit(9)', said);
    await expect(ready).rejects.toMatchObject({ code: 9, constructor: EndedBefore });
    expect(said).toEqual(['vedette: Electron ended with 9 before Vedette was up']);
  });

  test('does not fall back from a page that said why it could not start', async () => {
    const { ready } = opening(
      `process.send({ failed: { what: 'The port is taken.' } }, () => process.exit(1));`,
    );
    await expect(ready).rejects.toMatchObject({ code: 1, constructor: EndedBefore });
  });

  test('ends one that is not up yet, in the way in which it wants to end', async () => {
    const { ready, end, ended } = await openingUntil(
      /here/,
      `process.on('SIGINT', () => process.exit(7));
       setInterval(() => undefined, 1000);
       process.stderr.write('here\\n');`,
    );
    end('SIGINT');
    expect(await ended).toBe(7);
    await expect(ready).rejects.toMatchObject({ code: 7, constructor: EndedBefore });
  });

  test('does not fall back from one that a signal from here has killed', async () => {
    const { ready, end, ended } = opening('setInterval(() => undefined, 1000)');
    end('SIGTERM');
    expect(await ended).toBe(128 + 15);
    await expect(ready).rejects.toBeInstanceOf(EndedBefore);
  });

  test('ends with the program, though something else holds its pipes open', async () => {
    const said: string[] = [];
    const { ended } = opening(
      `const { spawn } = require('node:child_process');
       const holder = spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'inherit'] });
       require('node:fs').writeSync(2, holder.pid + '\\n');
       process.exit(3);`,
      said,
    );
    expect(await ended).toBe(3);
    // It would not be there to be ended, had that been waited for.
    expect(process.kill(Number(said[0]), 'SIGTERM')).toBe(true);
  });
});

describe('fetching Electron', () => {
  function packageWith(script: string): string {
    const home = tempDir();
    mkdirSync(path.join(home, 'dist'));
    writeFileSync(path.join(home, 'install.js'), script);
    return home;
  }
  const find = (home: string, said: string[] = []) =>
    findElectron(
      { DISPLAY: ':0' },
      (text) => said.push(text),
      () => home,
    );

  test('says so, and takes what was fetched', async () => {
    const said: string[] = [];
    const home = packageWith(
      `const { writeFileSync } = require('node:fs');
       writeFileSync(__dirname + '/dist/electron', '');
       writeFileSync(__dirname + '/path.txt', 'electron');`,
    );
    expect(await find(home, said)).toBe(path.join(home, 'dist', 'electron'));
    expect(said).toEqual([expect.stringMatching(/^Fetching Electron/)]);
    // From now on it is there.
    expect(await find(home, said)).toBe(path.join(home, 'dist', 'electron'));
    expect(said).toHaveLength(1);
  });

  test('is no reason to stay down when it fails', async () => {
    await expect(find(packageWith('process.exit(1)'))).rejects.toThrow(
      'Electron could not be fetched',
    );
  });
});

test('the browser is opened only where there is one to show it', () => {
  const url = 'http://127.0.0.1:8737/sign-in#token=a&b';
  expect(commandFor(url, 'linux', {})).toEqual([]);
  expect(commandFor(url, 'linux', { DISPLAY: ':0' })).toEqual(['xdg-open', url]);
  expect(commandFor(url, 'darwin', {})).toEqual(['open', url]);
  // Never through a shell, to which & would mean something.
  expect(commandFor(url, 'win32', {})).toEqual(['rundll32', 'url.dll,FileProtocolHandler', url]);
});
