import path from 'node:path';
import { chmodSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commandFor } from '../../electron/browser.ts';
import {
  EndedBefore,
  findElectron,
  NoWindow,
  openWindow,
  reasonIn,
} from '../../electron/runtime.ts';
import { tempDir } from '../helpers/temp-dir.ts';

/** A program in Electron's place that does what a script says. */
function inPlace(script: string): string {
  const file = path.join(tempDir(), 'electron');
  writeFileSync(file, `#!${process.execPath}\n${script}`);
  chmodSync(file, 0o755);
  return file;
}

const opening = (script: string, said: string[] = []) =>
  openWindow(inPlace(script), [], (text) => said.push(text));

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
    const { url, ended } = await opening(
      `process.stderr.write('[12:0101/1.2:ERROR:bus.cc(407)] no bus\\nvedette: careful\\n');
       process.send({ ready: { url: 'http://127.0.0.1:1' } }, () => setImmediate(() => process.exit(5)));`,
      said,
    );
    expect(url).toBe('http://127.0.0.1:1');
    expect(await ended).toBe(5);
    // What Chromium says to itself is kept away.
    expect(said).toEqual(['vedette: careful']);
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
    const failed = opening(
      `process.stderr.write(${JSON.stringify(complaint)}); process.exitCode = 1`,
    );
    await expect(failed).rejects.toBeInstanceOf(NoWindow);
    await expect(failed).rejects.toThrow(reason);
  });

  test('falls back also from what it has no words for', async () => {
    await expect(opening('process.exit(133)')).rejects.toThrow('Electron ended with 133');
    await expect(openWindow('/nowhere/electron', [], () => undefined)).rejects.toThrow('ENOENT');
  });

  test.for([0, 2])(
    'does not fall back from a program that ended with %i by itself',
    async (code) => {
      await expect(opening(`process.exit(${code})`)).rejects.toBeInstanceOf(EndedBefore);
    },
  );
});

test('the browser is opened only where there is one to show it', () => {
  const url = 'http://127.0.0.1:8737/sign-in#token=a&b';
  expect(commandFor(url, 'linux', {})).toEqual([]);
  expect(commandFor(url, 'linux', { DISPLAY: ':0' })).toEqual(['xdg-open', url]);
  expect(commandFor(url, 'darwin', {})).toEqual(['open', url]);
  // Never through a shell, to which & would mean something.
  expect(commandFor(url, 'win32', {})).toEqual(['rundll32', 'url.dll,FileProtocolHandler', url]);
});
