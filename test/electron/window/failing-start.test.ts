import { DuckDBInstance } from '@duckdb/node-api';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { rememberPlace } from '../../../server/platform/known-places.ts';
import { startAppliance } from '../../helpers/appliance.ts';
import { startWithKey } from '../../helpers/child.ts';
import { dashboardOf } from '../../helpers/desktop/pages.ts';
import { runDesktop, startDesktop } from '../../helpers/desktop/program.ts';
import type { Desktop } from '../../helpers/desktop/program.ts';
import { desktopSuite } from '../../helpers/desktop/suite.ts';
import { createLedger, NO_FAULTS } from '../../helpers/ledger.ts';
import { createRandom } from '../../helpers/random.ts';
import { tempDir } from '../../helpers/temp-dir.ts';
import { postNumbers, storedEvents } from '../../helpers/traffic.ts';
import { garbage, overwrite } from '../../helpers/wreck.ts';

const SETTINGS = ['settings.json', 'settings.last-good.json'];

desktopSuite('a start that fails', () => {
  const run = (dataDir: string, args: string[] = []) => runDesktop({ dataDir, args });

  /** What the window says, once it has failed this many times. */
  async function told(desktop: Desktop, times = 1) {
    await expect.poll(() => desktop.stderr().match(/^vedette: /gm)?.length).toBe(times);
    const page = await desktop.window(/^vedette:\/\/failure/);
    await page.getByRole('heading', { name: 'Vedette could not start' }).waitFor();
    await expect.poll(desktop.shown).toHaveLength(1);
    return page.locator('main').innerText();
  }

  async function choose(desktop: Desktop, name: string): Promise<void> {
    const page = await desktop.window(/^vedette:\/\/failure/);
    await page.getByRole('link', { name }).click();
  }

  async function up(desktop: Desktop): Promise<string> {
    const url = await desktop.said(/listening on (http\S+:\d+)/);
    const page = await desktop.window(/^http/);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(page.url().startsWith(url)).toBe(true);
    await expect.poll(desktop.shown).toHaveLength(1);
    return new URL(url).port;
  }

  async function takenPort() {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const free = () => new Promise((closed) => server.close(closed));
    return { port: `${(server.address() as AddressInfo).port}`, free };
  }

  test('says who holds the data directory and leaves that in peace, and then that its port is taken, and can go to another', async () => {
    const dataDir = tempDir();
    const ledger = createLedger();
    const headless = await startWithKey(dataDir);
    const { port, free } = await takenPort();
    await postNumbers(headless.url, ledger, 10);
    const desktop = await run(dataDir, ['--port', port]);
    const text = await told(desktop);
    expect(text).toContain(dataDir);
    expect(text).toContain(`${headless.pid}`);
    await postNumbers(headless.url, ledger, 10);
    expect(ledger.faults(await storedEvents(headless.url))).toEqual(NO_FAULTS);
    await headless.end('SIGTERM');

    await choose(desktop, 'Try again');
    expect(await told(desktop, 2)).toMatch(new RegExp(`${port} .* is taken`));
    await choose(desktop, 'Start on another port');
    expect(await up(desktop)).not.toBe(port);
    await free();
  });

  test('shows its window though it was to be hidden, and starts once all that was in its way is gone', async () => {
    const file = path.join(tempDir(), 'data');
    writeFileSync(file, 'mine');
    const { port, free } = await takenPort();
    const desktop = await run(file, ['--port', port, '--hidden']);
    const text = await told(desktop);
    expect(text).toContain(file);
    expect(text).toMatch(/it is a file/);

    rmSync(file);
    for (const times of [2, 3]) {
      await choose(desktop, 'Try again');
      expect(await told(desktop, times)).toMatch(new RegExp(`${port} .* is taken`));
    }
    await free();
    await choose(desktop, 'Try again');
    expect(await up(desktop)).toBe(port);
  });

  test('says that the data directory cannot be written, and ends with 2 when its window is closed', async () => {
    // Not even the administrator may make a folder here.
    const desktop = await run('/sys/vedette');
    const text = await told(desktop);
    expect(text).toContain('/sys/vedette');
    expect(text).toContain('cannot be written');
    await desktop.closeWindow();
    expect(await desktop.ended).toEqual({ code: 2, signal: null });
  });

  test('says that the database is of a newer version, and ends with 2 when Quit is chosen', async () => {
    const dataDir = tempDir();
    await (await startAppliance({ dataDir })).close();
    const database = await DuckDBInstance.create(path.join(dataDir, 'events.duckdb'));
    const connection = await database.connect();
    await connection.run(`INSERT INTO migrations VALUES ('of next year', now()::TIMESTAMP)`);
    connection.closeSync();
    database.closeSync();
    const desktop = await run(dataDir);
    expect(await told(desktop)).toContain('newer Vedette');
    // The window may be gone before the click is over, which is what was asked for.
    await choose(desktop, 'Quit').catch(() => undefined);
    expect(await desktop.ended).toEqual({ code: 2, signal: null });
  });

  test('shows what is missing, asks before it starts anew, and then does', async () => {
    const dataDir = tempDir();
    await (await startAppliance({ dataDir })).close();
    for (const name of SETTINGS)
      renameSync(path.join(dataDir, name), path.join(dataDir, `old.${name}`));
    const desktop = await run(dataDir);
    expect(await told(desktop)).toContain(
      `The settings of the installation in ${dataDir} are missing`,
    );
    await choose(desktop, 'Start anew…');
    const page = await desktop.window(/^vedette:\/\/failure/);
    await page.getByRole('heading', { name: 'Start anew?' }).waitFor();
    await choose(desktop, 'Back');
    await page.getByRole('heading', { name: 'Vedette could not start' }).waitFor();
    expect(existsSync(path.join(dataDir, 'set-aside'))).toBe(false);
    await choose(desktop, 'Start anew…');
    await page.getByRole('link', { name: 'Start anew', exact: true }).click();
    await up(desktop);
    expect(readdirSync(path.join(dataDir, 'set-aside'))).toHaveLength(1);
  });

  test('makes nothing in a directory whose disk is not there, and starts once it is', async () => {
    const dataDir = path.join(tempDir(), 'mounted');
    const env = { VEDETTE_STATE_DIR: tempDir() };
    const first = await startAppliance({ dataDir });
    await first.close();
    await rememberPlace(dataDir, first.installation, Date.now(), env);
    renameSync(dataDir, `${dataDir}.away`);
    mkdirSync(dataDir);
    const desktop = await runDesktop({ dataDir, env });
    expect(await told(desktop)).toContain(`${dataDir} held an installation on`);
    expect(readdirSync(dataDir)).toEqual([]);

    rmdirSync(dataDir);
    renameSync(`${dataDir}.away`, dataDir);
    await choose(desktop, 'Try again');
    await up(desktop);
  });

  test('is none where a damaged database was set aside, which is said', async () => {
    const dataDir = tempDir();
    const appliance = await startAppliance({ dataDir });
    await postNumbers(appliance.url, createLedger(), 50);
    await appliance.close();
    await overwrite(path.join(dataDir, 'events.duckdb'), garbage(createRandom(), 20_000), 0);
    const desktop = await startDesktop({ dataDir });
    const page = await dashboardOf(desktop, '/settings/about');
    await page.getByText('set aside').first().waitFor();
    const said = () =>
      desktop.display.notifications.all().filter(({ body }) => body.includes('set aside'));
    await expect.poll(said).toHaveLength(1);
  });
});
