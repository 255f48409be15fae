import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createLoginItem,
  execLine,
  startsAtLogin,
  windowsArgument,
} from '../../electron/login-item.ts';
import { loginApp } from '../helpers/electron-parts.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const { app: noApp } = loginApp();

function onLinux(executable = '/opt/Vedette/vedette', args: string[] = []) {
  const configHome = path.join(tempDir(), 'config');
  const file = path.join(configHome, 'autostart', 'vedette.desktop');
  const item = createLoginItem({ platform: 'linux', app: noApp, executable, args, configHome });
  return { item, file };
}

/** The rules of the Desktop Entry specification, in the order in which a desktop applies them. */
function readBack(value: string): string[] {
  const escapes: Record<string, string> = { s: ' ', n: '\n', t: '\t', r: '\r', '\\': '\\' };
  const text = value.replace(/\\(.)/gs, (_all, char: string) => {
    const meant = escapes[char];
    if (meant === undefined) throw new Error(`\\${char} means nothing`);
    return meant;
  });
  const found: string[] = [];
  const argument = /"((?:[^"`$\\]|\\["`$\\])*)"(?: |$)|([^\s"'\\><~|&;$*?#()`]+)(?: |$)/sy;
  while (argument.lastIndex < text.length) {
    const match = argument.exec(text);
    if (!match) throw new Error(`Not by the rules: ${text}`);
    const [, quoted, bare = ''] = match;
    found.push(quoted === undefined ? bare : quoted.replace(/\\(["`$\\])/g, '$1'));
  }
  return found.map((one) => {
    if (/%(?!%)/.test(one.replaceAll('%%', ''))) throw new Error(`A field code in ${one}`);
    return one.replaceAll('%%', '%');
  });
}

const hostile = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom(...Array.from(' "\'`$\\%fUs\n\t\r;|&<>()#~*?=[]aé')), { maxLength: 12 })
    .map((chars) => chars.join('')),
);

describe('on Linux', () => {
  it('is on after it was switched on, and off again, also twice', async () => {
    const { item, file } = onLinux();
    expect(await item.isOn()).toBe(false);
    await item.set(true);
    await item.set(true);
    expect(await item.isOn()).toBe(true);
    expect(readFileSync(file, 'utf8').split('\n')).toEqual(
      expect.arrayContaining([
        '[Desktop Entry]',
        'Type=Application',
        'Exec=/opt/Vedette/vedette --hidden',
        'X-GNOME-Autostart-enabled=true',
      ]),
    );
    await item.set(false);
    await item.set(false);
    expect(await item.isOn()).toBe(false);
    expect(readdirSync(path.dirname(file))).toEqual([]);
  });

  it('says --hidden once, after what the caller gave', async () => {
    const { item, file } = onLinux('/usr/bin/vedette', ['--hidden', '--port', '4711']);
    await item.set(true);
    expect(readFileSync(file, 'utf8')).toContain('Exec=/usr/bin/vedette --port 4711 --hidden\n');
  });

  it.each([
    ['/home/ann/My Apps/Vedette.AppImage', '"/home/ann/My Apps/Vedette.AppImage"'],
    ['/opt/100%/vedette', '/opt/100%%/vedette'],
    ['/opt/"q"/vedette', '"/opt/\\\\"q\\\\"/vedette"'],
    ['/opt/$HOME/vedette', '"/opt/\\\\$HOME/vedette"'],
    ['/opt/back\\slash', '"/opt/back\\\\\\\\slash"'],
    ['/opt/a\nExec=evil', '"/opt/a\\nExec=evil"'],
    ['', '""'],
  ])('writes %j as the specification wants it', (executable, written) => {
    expect(execLine([executable])).toBe(written);
  });

  it('lets another program start one that GLib would not find', async () => {
    const { item, file } = onLinux('/opt/100%/vedette');
    await item.set(true);
    expect(readFileSync(file, 'utf8')).toContain('Exec=env /opt/100%%/vedette --hidden\n');
  });

  it('reads back as it was given, on one line, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 4 }), (command) => {
        const line = execLine(command);
        expect(line).not.toMatch(/[\n\r]/);
        expect(readBack(line)).toEqual(command);
      }),
      { numRuns: 500 },
    );
  });

  it('is on for each program that it writes, and never lets a name write lines', async () => {
    const { item, file } = onLinux('/opt/a\n[Desktop Entry]\nHidden=true\nExec=evil');
    await item.set(true);
    expect(await item.isOn()).toBe(true);
    expect(readFileSync(file, 'utf8').match(/^Exec=/gm)).toHaveLength(1);
  });

  it.each([
    ['', false],
    ['Exec=vedette', false],
    ['[Desktop Entry]\nExec=vedette', true],
    ['# ours\r\n[Desktop Entry]\r\nExec=vedette\r\n', true],
    ['[Desktop Entry]\nExec=vedette\nHidden=true', false],
    ['[Desktop Entry]\nExec=vedette\nHidden = true ', false],
    ['[Desktop Entry]\nExec=vedette\nHidden=false', true],
    ['[Desktop Entry]\nExec=vedette\nX-GNOME-Autostart-enabled=false', false],
    ['[Desktop Entry]\nExec=vedette\n[Desktop Action x]\nHidden=true', true],
    ['[Desktop Entry]\nExec=', false],
  ])('takes %j for what it says', (text, isOn) => {
    expect(startsAtLogin(text)).toBe(isOn);
  });

  it('switches on again what a desktop had hidden', async () => {
    const { item, file } = onLinux();
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '[Desktop Entry]\nExec=old\nHidden=true\n');
    expect(await item.isOn()).toBe(false);
    await item.set(true);
    expect(await item.isOn()).toBe(true);
  });

  it('says so when it cannot be written or removed', async () => {
    const { item, file } = onLinux();
    writeFileSync(path.dirname(path.dirname(file)), 'a file where the folder belongs');
    await expect(item.set(true)).rejects.toThrow();
    expect(await item.isOn()).toBe(false);
    const other = onLinux();
    mkdirSync(other.file, { recursive: true });
    await expect(other.item.set(false)).rejects.toThrow();
  });
});

describe('on Windows', () => {
  const executable = 'C:\\Program Files\\Vedette\\Vedette.exe';

  it('quotes the program and asks for the very line that it wrote', async () => {
    const { app, lines } = loginApp();
    const args = ['--data-dir', 'D:\\My Data\\'];
    const item = createLoginItem({ platform: 'win32', app, executable, args, configHome: '' });
    expect(await item.isOn()).toBe(false);
    await item.set(true);
    expect(lines).toEqual([`"${executable}" --data-dir "D:\\My Data\\\\" --hidden`]);
    expect(await item.isOn()).toBe(true);
    await item.set(false);
    expect(await item.isOn()).toBe(false);
  });

  it('is off when the task manager has switched it off', async () => {
    const app = {
      getLoginItemSettings: () => ({ openAtLogin: true, executableWillLaunchAtLogin: false }),
      setLoginItemSettings: () => undefined,
    };
    const options = { platform: 'win32', executable, args: [], configHome: '' } as const;
    const item = createLoginItem({ ...options, app: app as never });
    expect(await item.isOn()).toBe(false);
  });

  /** As Microsoft describes how a program's arguments are taken apart. */
  function takenApart(line: string): string {
    let text = '';
    let isQuoted = false;
    for (let at = 0; at < line.length;) {
      const slashes = /\\*/y;
      slashes.lastIndex = at;
      const count = slashes.exec(line)?.[0].length ?? 0;
      at += count;
      const isQuote = line[at] === '"';
      text += '\\'.repeat(isQuote ? Math.floor(count / 2) : count);
      if (isQuote && count % 2 === 0) isQuoted = !isQuoted;
      else if (/\s/.test(line[at] ?? '') && !isQuoted) throw new Error('An argument ends early');
      else text += line[at] ?? '';
      at++;
    }
    return text;
  }

  const slashes = fc.array(fc.constantFrom('\\', '"', ' ', 'a')).map((all) => all.join(''));

  it('passes each argument whole', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, slashes), (argument) => {
        expect(takenApart(windowsArgument(argument))).toBe(argument);
      }),
      { numRuns: 500 },
    );
  });
});

describe('on macOS', () => {
  it('says only whether, since nothing else is taken there', async () => {
    const { app, calls } = loginApp();
    const options = {
      platform: 'darwin',
      app,
      executable: '/x',
      args: [],
      configHome: '',
    } as const;
    const item = createLoginItem(options);
    await item.set(true);
    expect(await item.isOn()).toBe(true);
    await item.set(false);
    expect(await item.isOn()).toBe(false);
    expect(calls).toEqual([{ openAtLogin: true }, { openAtLogin: false }]);
  });
});
