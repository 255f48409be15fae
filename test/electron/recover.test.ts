import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { useDisplay } from '../helpers/desktop/display.ts';
import { startDesktop } from '../helpers/desktop/program.ts';
import { missing, suite } from '../helpers/desktop/runtime.ts';
import { KEY } from '../helpers/appliance.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const why = missing();

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

describe.skipIf(why)(suite('a fault that nobody foresaw', why), () => {
  const display = useDisplay();

  test('begins anew by itself, with all that was accepted, and says so when it does not help', async () => {
    const dataDir = tempDir();
    const desktop = await startDesktop(display(), { dataDir, args: ['--inspect=0'] });
    const debugger_ = await desktop.said(/Debugger listening on (ws:\S+)/);
    const page = await desktop.window();
    const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
    const event = { source: 'shop', event_type: 'purchase', data: { n: 1 } };
    const body = JSON.stringify([event]);
    const sent = await fetch(`${desktop.url}/api/v1/events`, { method: 'POST', headers, body });
    expect(sent.status).toBe(201);

    const starts = () =>
      readFileSync(path.join(dataDir, 'logs/vedette.log'), 'utf8').split('Vedette is listening')
        .length - 1;
    for (const count of [2, 3, 4]) {
      await within(debugger_, THROW);
      await expect.poll(starts).toBe(count);
    }
    const stored = await fetch(`${desktop.url}/api/v1/events`, { headers });
    expect(await stored.json()).toHaveLength(1);
    expect(page.url()).toContain(desktop.url);

    await within(debugger_, THROW);
    const failed = await desktop.window(/^vedette:\/\/failure/);
    await failed.getByRole('heading', { name: 'Vedette had to stop' }).waitFor();
    await failed.getByRole('link', { name: 'Try again' }).click();
    await expect.poll(starts).toBe(5);
  });
});
