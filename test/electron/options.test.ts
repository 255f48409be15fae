import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownArguments, readGiven } from '../../electron/options.ts';

const given = (...args: string[]) => readGiven(args, {});

describe('the arguments of the desktop program', () => {
  test.for<[string, string[], boolean, string[]]>([
    ['packed', ['/opt/Vedette/vedette', '--port', '9000'], true, ['--port', '9000']],
    ['in development', ['electron', '.', '--port', '9000'], false, ['--port', '9000']],
    ['after switches', ['electron', '--no-sandbox', '/code', '--hidden'], false, ['--hidden']],
    ['without a place', ['electron', '--no-sandbox'], false, []],
  ])('are what follows the program itself, %s', ([, argv, isPackaged, own]) => {
    expect(ownArguments(argv, isPackaged)).toEqual(own);
  });

  test('are read as those of the headless one, but for --hidden', () => {
    const { command, isHidden } = given('--hidden', '--port', '9000');
    expect(isHidden).toBe(true);
    expect(command).toMatchObject({ run: 'start', options: { port: 9000 } });
    expect(given().isHidden).toBe(false);
  });

  test.for([
    '--no-sandbox',
    '--ozone-platform=wayland',
    '--remote-debugging-port=0',
    '--password-store=basic',
    '-psn_0_12345',
    // A Windows installer starts what it has just brought up to date with this.
    '--updated',
    '--gtk-version=3',
    '--enable-wayland-ime',
    '--disable-gpu-sandbox',
    '--js-flags=--max-old-space-size=4096',
    '--class=Vedette',
    '-Embedding',
  ])('%s is left to Chromium', (argument) => {
    expect(given(argument).command.run).toBe('start');
  });

  test.for(['--prot', '--prot=9000', '--headless', '-x'])(
    '%s is refused, as it is a mistake',
    (argument) => {
      expect(() => given(argument)).toThrow(/See --help/);
    },
  );

  const installed = (...args: string[]) => given(...ownArguments(['/opt/vedette', ...args], true));

  test.for(['--some-switch-of-tomorrow', '--disable-3d-apis', '--relaunch=1'])(
    '%s does not keep an installed program down',
    (argument) => {
      expect(installed(argument, '--port', '9000').command).toMatchObject({
        run: 'start',
        options: { port: 9000 },
      });
      expect(() => given(argument)).toThrow(/See --help/);
    },
  );

  test.for([
    ...['--prot', '--prot=9000', '--ports=1', '--datadir=/x', '--dataDir=/x', '--data_dir=/x'],
    ...['--data=/x', '--directory=/x', '--user-data-dir=/x', '--loglevel=info', '--log-dir=/x'],
    ...['--hiden', '--pasword=x', '--apikey=x', '--hlep', '-x', 'letter.txt'],
  ])('%s is refused by an installed program as well, as it may mean one of ours', (argument) => {
    expect(() => installed(argument)).toThrow(/See --help/);
  });

  test('keep their values in an installed program', () => {
    const { command, isHidden } = installed('--data-dir=/x', '--hidden', '--port', '9000');
    expect(command).toMatchObject({ options: { dataDir: path.resolve('/x'), port: 9000 } });
    expect(isHidden).toBe(true);
  });
});
