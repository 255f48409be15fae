import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { useDisplay } from '../helpers/desktop/display.ts';
import { bridge, dashboardOf } from '../helpers/desktop/pages.ts';
import { startDesktop } from '../helpers/desktop/program.ts';
import { missing, ROOT, suite } from '../helpers/desktop/runtime.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const why = missing();

describe.skipIf(why !== undefined)(suite('the start at sign-in to the computer', why), () => {
  const display = useDisplay();

  test('is switched on and off by a file that starts this program hidden', async () => {
    const dataDir = path.join(tempDir(), 'my "own" 100% data');
    const desktop = await startDesktop(display(), { dataDir });
    const page = await dashboardOf(desktop);
    const file = path.join(desktop.home, '.config/autostart/vedette.desktop');
    expect(await bridge(page, 'read')).toMatchObject({ start_at_login: false });

    expect(await bridge(page, 'change', { start_at_login: true })).toMatchObject({
      start_at_login: true,
    });
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^\[Desktop Entry\]\n/);
    const line = /^Exec=(.*)$/m.exec(text)?.[1] ?? '';
    const [program] = desktop.command;
    const given = ['--data-dir', dataDir, '--host', '127.0.0.1', '--port', '0'];
    expect(argumentsOf(line)).toEqual([program, ROOT, ...given, '--hidden']);

    expect(await bridge(page, 'change', { start_at_login: false })).toMatchObject({
      start_at_login: false,
    });
    expect(existsSync(file)).toBe(false);
  });
});

/** As the Desktop Entry specification reads it: the rules of all its texts, then those of Exec. */
function argumentsOf(line: string): string[] {
  const text = line.replaceAll('\\\\', '\\');
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, bare]) =>
    (quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? '').replaceAll('%%', '%'),
  );
}
