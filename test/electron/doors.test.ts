import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { useDisplay } from '../helpers/desktop/display.ts';
import type { Display } from '../helpers/desktop/display.ts';
import { startDesktop } from '../helpers/desktop/program.ts';
import type { DesktopOptions, RunningDesktop } from '../helpers/desktop/program.ts';
import { programs } from '../helpers/desktop/programs.ts';
import { commandOf, family, listeningPorts } from '../helpers/desktop/sockets.ts';
import { tempDir } from '../helpers/temp-dir.ts';

/** As people have it: without the door that these tests use for its page. */
const start = (display: Display, options: Partial<DesktopOptions> = {}) =>
  startDesktop(display, { dataDir: tempDir(), isDriven: false, ...options });

function expectClosed(desktop: RunningDesktop): void {
  expect(listeningPorts(desktop.pid ?? 0)).toEqual([Number(new URL(desktop.url).port)]);
  expect(desktop.stderr()).not.toMatch(/DevTools|Debugger/);
}

for (const program of programs('what it listens to')) {
  describe.skipIf(program.why !== undefined)(program.name, () => {
    const display = useDisplay(program);

    test('is events and its dashboard alone, no debugger and no inspector', async () => {
      const desktop = await start(display());
      await expect.poll(desktop.shown).toHaveLength(1);
      expectClosed(desktop);
      for (const words of family(desktop.pid ?? 0).map(commandOf)) {
        expect(words.join(' ')).not.toMatch(/--(inspect|remote-debugging)/);
      }
    });

    if (!program.isPackaged) return;
    test('cannot be made more by variables and switches of Node', async () => {
      const dir = tempDir();
      const [script, mark] = [path.join(dir, 'script.cjs'), path.join(dir, 'mark')];
      writeFileSync(script, `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`);
      const desktop = await start(display(), {
        args: ['--inspect=0', '--inspect-brk=0'],
        env: { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: `--require ${script} --inspect=0` },
      });
      await expect.poll(desktop.shown).toHaveLength(1);
      expectClosed(desktop);
      expect(existsSync(mark)).toBe(false);
    });
  });
}
