import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bridge, dashboardOf } from '../../helpers/desktop/pages.ts';
import { startDesktop } from '../../helpers/desktop/program.ts';
import { electronDist } from '../../helpers/desktop/runtime.ts';
import type { Scope } from '../../helpers/desktop/scope.ts';
import { desktopSuite } from '../../helpers/desktop/suite.ts';
import { tempDir } from '../../helpers/temp-dir.ts';
import { unpackedProgram } from '../../helpers/unpacked.ts';

const NEW = Buffer.from('a new version of Vedette');
const NAME = 'Vedette-99.0.0-linux.AppImage';

/** What the installers' tool puts beside the installers, and the AppImage itself. */
async function updatePlace(scope: Scope) {
  const sha512 = createHash('sha512').update(NEW).digest('base64');
  const sheet = (version: string) =>
    [
      `version: ${version}`,
      'files:',
      `  - { url: ${NAME}, sha512: ${sha512}, size: ${NEW.length} }`,
      `path: ${NAME}`,
      `sha512: ${sha512}`,
      `releaseDate: '2026-11-21T00:00:00.000Z'`,
    ].join('\n');
  let [published, given] = ['', NEW];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    asked.push(pathname);
    if (published === '') request.destroy();
    else if (/^\/latest-linux.*\.yml$/.test(pathname)) response.end(sheet(published));
    else if (pathname === `/${NAME}`) response.end(given);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const publish = (version: string, file = NEW) => {
    [published, given] = [version, file];
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, publish };
}

/** The program as if it had been made with this address: links to its files, and one more. */
async function madeWith(url: string, scope: Scope): Promise<string> {
  const program = await unpackedProgram(electronDist() ?? '');
  // Beside it, as there are no such links to another disk.
  const folder = `${program}-${process.pid}`;
  scope.defer(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync('cp', ['-al', program, folder]);
  const words = `provider: generic\nurl: ${url}\nupdaterCacheDirName: vedette-updater\n`;
  writeFileSync(path.join(folder, 'resources/app-update.yml'), words);
  return folder;
}

desktopSuite('an update', (scope) => {
  test('is asked for where the program was made to, and waits where it is new and whole', async () => {
    const place = await updatePlace(scope);
    const image = path.join(tempDir(), 'Vedette.AppImage');
    writeFileSync(image, 'the version of now');
    const desktop = await startDesktop({
      ...{ dataDir: tempDir(), env: { APPIMAGE: image } },
      folder: await madeWith(place.url, scope),
    });
    const page = await dashboardOf(desktop);
    const update = async () => (await bridge(page, 'read')).update;
    const check = async () => (await bridge(page, 'checkForUpdates')).update;

    expect(await update()).toEqual({ state: 'unasked', version: null, detail: null });
    expect(place.asked).toEqual([]);
    expect(await check()).toEqual({
      ...{ state: 'failed', version: null },
      detail: 'The place that has the updates could not be reached.',
    });

    place.publish('0.0.1');
    expect(await check()).toEqual({ state: 'current', version: null, detail: null });
    expect(new Set(place.asked)).toEqual(new Set([place.asked[0]]));
    expect(place.asked[0]).toMatch(/^\/latest-linux.*\.yml$/);

    place.publish('99.0.0', Buffer.from(NEW).fill('x'));
    await check();
    await expect.poll(update).toEqual({
      ...{ state: 'failed', version: '99.0.0' },
      detail: 'What was loaded is not what was published, so it was thrown away.',
    });

    place.publish('99.0.0');
    expect(await check()).toMatchObject({ version: '99.0.0' });
    await expect.poll(update).toEqual({ state: 'ready', version: '99.0.0', detail: null });
    const loaded = path.join(desktop.home, '.cache/vedette-updater/pending', NAME);
    expect(existsSync(loaded)).toBe(true);
  });
});
