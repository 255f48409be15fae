import { DuckDBInstance } from '@duckdb/node-api';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { KEY } from '../helpers/appliance.ts';
import { startVedette, startWithKey } from '../helpers/child.ts';
import { useDisplay } from '../helpers/desktop/display.ts';
import { dashboardOf } from '../helpers/desktop/pages.ts';
import { runDesktop, startDesktop } from '../helpers/desktop/program.ts';
import type { Desktop } from '../helpers/desktop/program.ts';
import { missing, suite } from '../helpers/desktop/runtime.ts';
import { createLedger, NO_FAULTS } from '../helpers/ledger.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { postNumbers, storedEvents } from '../helpers/traffic.ts';
import { garbage, overwrite } from '../helpers/wreck.ts';
import { createRandom } from '../helpers/random.ts';

const why = missing();
const FAILURE = /^vedette:\/\/failure/;

describe.skipIf(why !== undefined)(suite('a start that fails', why), () => {
  const display = useDisplay();
  const run = (dataDir: string, args: string[] = []) => runDesktop(display(), { dataDir, args });

  /** What the window says, once it does. */
  async function told(desktop: Desktop) {
    const page = await desktop.window(FAILURE);
    await page.getByRole('heading', { name: 'Vedette could not start' }).waitFor();
    await expect.poll(desktop.shown).toHaveLength(1);
    return { page, text: await page.locator('main').innerText() };
  }

  async function cleared(desktop: Desktop): Promise<void> {
    const page = await desktop.window(FAILURE);
    await page.getByRole('link', { name: 'Try again' }).click();
    const url = await desktop.said(/listening on (http\S+:\d+)/);
    const shown = await desktop.window(/^http/);
    await shown.getByRole('heading', { level: 1 }).waitFor();
    expect(shown.url().startsWith(url)).toBe(true);
    await expect.poll(desktop.shown).toHaveLength(1);
  }

  test('says that its port is taken, and starts once it is free', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((up) => server.once('listening', up));
    const { port } = server.address() as AddressInfo;
    const desktop = run(tempDir(), ['--port', `${port}`]);
    const { text, page } = await told(desktop);
    expect(text).toContain(`${port}`);
    expect(text).toContain('taken');
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect.poll(() => desktop.stderr().match(/^vedette: .*taken/gm)?.length).toBe(2);
    await told(desktop);
    await new Promise((closed) => server.close(closed));
    await cleared(desktop);
  });

  test('can go to another port when its own is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((up) => server.once('listening', up));
    const { port } = server.address() as AddressInfo;
    const desktop = run(tempDir(), ['--port', `${port}`]);
    const { page } = await told(desktop);
    await page.getByRole('link', { name: 'Start on another port' }).click();
    const url = await desktop.said(/listening on (http\S+:\d+)/);
    expect(new URL(url).port).not.toBe(`${port}`);
    const shown = await desktop.window(/^http/);
    await shown.getByRole('heading', { level: 1 }).waitFor();
    server.close();
  });

  test('says who holds the data directory, leaves that in peace, and starts afterwards', async () => {
    const dataDir = tempDir();
    const ledger = createLedger();
    const headless = await startWithKey(dataDir);
    await postNumbers(headless.url, ledger, 10);
    const desktop = run(dataDir);
    const { text } = await told(desktop);
    expect(text).toContain(dataDir);
    expect(text).toContain(`${headless.pid}`);
    await postNumbers(headless.url, ledger, 10);
    expect(ledger.faults(await storedEvents(headless.url))).toEqual(NO_FAULTS);
    await headless.end('SIGTERM');
    await cleared(desktop);
  });

  test('says that the data directory is a file, and starts once that is gone', async () => {
    const file = path.join(tempDir(), 'data');
    writeFileSync(file, 'mine');
    const desktop = run(file);
    const { text } = await told(desktop);
    expect(text).toContain(file);
    expect(text).toMatch(/it is a file/);
    rmSync(file);
    await cleared(desktop);
  });

  test('says that the data directory cannot be written', async () => {
    // Not even the administrator may make a folder here.
    const desktop = run('/sys/vedette');
    const { text } = await told(desktop);
    expect(text).toContain('/sys/vedette');
    expect(text).toContain('cannot be written');
  });

  test('says that the database is of a newer version', async () => {
    const dataDir = tempDir();
    const headless = await startVedette(dataDir, { env: { VEDETTE_API_KEY: KEY } });
    await headless.end('SIGTERM');
    const database = await DuckDBInstance.create(path.join(dataDir, 'events.duckdb'));
    const connection = await database.connect();
    await connection.run(`INSERT INTO migrations VALUES ('of next year', now()::TIMESTAMP)`);
    connection.closeSync();
    database.closeSync();
    const { text } = await told(run(dataDir));
    expect(text).toContain('newer Vedette');
  });

  test('ends with 2 when its window is closed, or Quit is chosen in it', async () => {
    const file = path.join(tempDir(), 'data');
    writeFileSync(file, 'mine');
    const closed = run(file);
    await told(closed);
    const window = await closed.shownWindow();
    await display().closeWindow(window.id);
    expect(await closed.ended).toEqual({ code: 2, signal: null });

    const quit = run(file);
    const { page } = await told(quit);
    // The window may be gone before the click is over, which is what was asked for.
    await page
      .getByRole('link', { name: 'Quit' })
      .click()
      .catch(() => undefined);
    expect(await quit.ended).toEqual({ code: 2, signal: null });
  });

  test('shows its window even when it was to be hidden', async () => {
    const file = path.join(tempDir(), 'data');
    writeFileSync(file, 'mine');
    await told(run(file, ['--hidden']));
  });

  test('is none where a damaged database was set aside, which is said', async () => {
    const dataDir = tempDir();
    const headless = await startWithKey(dataDir);
    await postNumbers(headless.url, createLedger(), 50);
    await headless.end('SIGTERM');
    await overwrite(path.join(dataDir, 'events.duckdb'), garbage(createRandom(), 20_000), 0);
    display().notifications.forget();
    const desktop = await startDesktop(display(), { dataDir });
    const page = await dashboardOf(desktop, '/settings/about');
    await page.getByText('set aside').first().waitFor();
    const said = () => display().notifications.all();
    await expect.poll(said).toHaveLength(1);
    expect(said()[0]?.body).toContain('set aside');
  });
});
