import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runChild } from '../../helpers/child.ts';
import { callsTo } from '../../helpers/desktop/calls.ts';
import { sharedDisplay } from '../../helpers/desktop/display.ts';
import { bridge } from '../../helpers/desktop/pages.ts';
import { startDesktop } from '../../helpers/desktop/program.ts';
import { electronDist, ROOT } from '../../helpers/desktop/runtime.ts';
import { desktopSuite } from '../../helpers/desktop/suite.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

/** Runs a text in the program itself, as a debugger does. */
async function within(debugger_: string, expression: string): Promise<void> {
  const socket = new WebSocket(debugger_);
  await new Promise((open) => socket.addEventListener('open', open));
  const answered = new Promise((answer) => socket.addEventListener('message', answer));
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));
  await answered;
  socket.close();
}

const THROW = `setTimeout(() => { throw new Error('nobody foresaw this') }, 0)`;

desktopSuite('the program from source', () => {
  test('starts by npm start, and ends in order with it', async () => {
    const launch = path.join(ROOT, 'electron/launch.ts');
    const { env } = await sharedDisplay();
    const local = ['--data-dir', tempDir(), '--host', '127.0.0.1', '--port', '0'];
    const vedette = runChild(launch, [...local, '--no-sandbox', '--disable-gpu'], {
      ...env,
      ELECTRON_OVERRIDE_DIST_PATH: electronDist() ?? '',
    });
    const url = await vedette.first(() => /listening on (\S+)/.exec(vedette.stdout())?.[1]);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(await vedette.end('SIGINT')).toEqual({ code: 0, signal: null });
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  });

  test('begins anew after a fault that nobody foresaw, with all that was accepted, and says so when it does not help', async () => {
    const dataDir = tempDir();
    // What would be installed lets no debugger in.
    const desktop = await startDesktop({ dataDir, args: ['--inspect=0'], isFromSource: true });
    const debugger_ = await desktop.said(/Debugger listening on (ws:\S+)/);
    const page = await desktop.window();
    await expect.poll(desktop.shown).toHaveLength(1);
    await bridge(page, 'change', { start_at_login: true });
    const item = readFileSync(path.join(desktop.home, '.config/autostart/vedette.desktop'), 'utf8');
    expect(item).toContain(`Exec=${desktop.command.join(' ')} --data-dir ${dataDir} `);
    const { send, call } = callsTo(desktop.url);
    await send('purchase');

    const starts = () =>
      readFileSync(path.join(dataDir, 'logs/vedette.log'), 'utf8').split('Vedette is listening')
        .length - 1;
    for (const count of [2, 3, 4]) {
      await within(debugger_, THROW);
      await expect.poll(starts).toBe(count);
    }
    expect(await call('GET', '/events')).toHaveLength(1);
    expect(page.url()).toContain(desktop.url);

    await within(debugger_, THROW);
    const failed = await desktop.window(/^vedette:\/\/failure/);
    await failed.getByRole('heading', { name: 'Vedette had to stop' }).waitFor();
    await failed.getByRole('link', { name: 'Try again' }).click();
    await expect.poll(starts).toBe(5);
    expect(await desktop.end('SIGHUP')).toEqual({ code: 0, signal: null });
  });
});
