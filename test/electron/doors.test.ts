import { describe, expect, test } from 'vitest';
import { useDisplay } from '../helpers/desktop/display.ts';
import { startDesktop } from '../helpers/desktop/program.ts';
import { missing, suite } from '../helpers/desktop/runtime.ts';
import { commandOf, family, listeningPorts } from '../helpers/desktop/sockets.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const why = missing();

describe.skipIf(why !== undefined)(suite('the running program', why), () => {
  const display = useDisplay();

  test('listens for events alone: no debugger, no inspector', async () => {
    const desktop = await startDesktop(display(), { dataDir: tempDir(), isDriven: false });
    await expect.poll(desktop.shown).toHaveLength(1);
    expect(listeningPorts(desktop.pid ?? 0)).toEqual([Number(new URL(desktop.url).port)]);
    expect(desktop.stderr()).not.toMatch(/DevTools|Debugger/);
    for (const words of family(desktop.pid ?? 0).map(commandOf)) {
      expect(words.join(' ')).not.toMatch(/--(inspect|remote-debugging)/);
    }
  });
});
