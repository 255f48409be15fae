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
  ])('%s is left to Chromium', (argument) => {
    expect(given(argument).command.run).toBe('start');
  });

  test.for(['--prot', '--prot=9000', '--headless', '-x'])(
    '%s is refused, as it is a mistake',
    (argument) => {
      expect(() => given(argument)).toThrow(/See --help/);
    },
  );
});
