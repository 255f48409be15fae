import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startDesktop } from '../../helpers/desktop/program.ts';
import { commandOf, family, listeningPorts } from '../../helpers/desktop/sockets.ts';
import { desktopSuite } from '../../helpers/desktop/suite.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

desktopSuite('what the program listens to', () => {
  test('is events and its dashboard alone, whatever variables and switches of Node say', async () => {
    const dir = tempDir();
    const [script, mark] = [path.join(dir, 'script.cjs'), path.join(dir, 'mark')];
    writeFileSync(script, `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`);
    const desktop = await startDesktop({
      dataDir: tempDir(),
      // As people have it: without the door that tests use for its page.
      isDriven: false,
      args: ['--inspect=0', '--inspect-brk=0'],
      env: { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: `--require ${script} --inspect=0` },
    });
    const pid = desktop.pid ?? 0;
    await expect.poll(desktop.shown).toHaveLength(1);
    expect(listeningPorts(pid)).toEqual([Number(new URL(desktop.url).port)]);
    expect(desktop.stderr()).not.toMatch(/DevTools|Debugger/);
    expect(existsSync(mark)).toBe(false);
    const below = family(pid).filter((one) => one !== pid);
    expect(below).not.toEqual([]);
    for (const words of below.map(commandOf)) {
      expect(words.join(' ')).not.toMatch(/--(inspect|remote-debugging)/);
    }
  });
});
