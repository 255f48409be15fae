import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { useDisplay } from '../helpers/desktop/display.ts';
import type { Display } from '../helpers/desktop/display.ts';
import { bridge, dashboardOf } from '../helpers/desktop/pages.ts';
import { startDesktop } from '../helpers/desktop/program.ts';
import { programs } from '../helpers/desktop/programs.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const NEW = Buffer.from('a new version of Vedette');
const NAME = 'Vedette-99.0.0-linux.AppImage';

/** What the installers' tool puts beside the installers, and the AppImage itself. */
async function publish(version: string, given = NEW) {
  const sha512 = createHash('sha512').update(NEW).digest('base64');
  const sheet = [
    `version: ${version}`,
    'files:',
    `  - { url: ${NAME}, sha512: ${sha512}, size: ${NEW.length} }`,
    `path: ${NAME}`,
    `sha512: ${sha512}`,
    `releaseDate: '2026-11-21T00:00:00.000Z'`,
  ].join('\n');
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    asked.push(pathname);
    if (/^\/latest-linux.*\.yml$/.test(pathname)) response.end(sheet);
    else if (pathname === `/${NAME}`) response.end(given);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, close };
}

for (const program of programs('an update').filter(({ isPackaged }) => isPackaged)) {
  describe.skipIf(program.why !== undefined)(program.name, () => {
    const display = useDisplay(program);

    let folder = '';
    beforeAll(() => {
      folder = path.join(display().scope.dir(), 'program');
      cpSync(display().packaged ?? '', folder, { recursive: true });
    });

    /** The program as if it had been made with this address, and run from an AppImage. */
    async function installed(url: string) {
      const words = `provider: generic\nurl: ${url}\nupdaterCacheDirName: vedette-updater\n`;
      writeFileSync(path.join(folder, 'resources/app-update.yml'), words);
      const image = path.join(tempDir(), 'Vedette.AppImage');
      writeFileSync(image, 'the version of now');
      const copied: Display = { ...display(), packaged: folder };
      const desktop = await startDesktop(copied, {
        ...{ dataDir: tempDir(), env: { APPIMAGE: image } },
      });
      const page = await dashboardOf(desktop);
      const update = async () => (await bridge(page, 'read')).update;
      const check = async () => (await bridge(page, 'checkForUpdates')).update;
      return { home: desktop.home, update, check };
    }

    test('is asked for where it was made to, and nothing newer is nothing new', async () => {
      const place = await publish('0.0.1');
      const { update, check } = await installed(place.url);
      expect(await update()).toEqual({ state: 'unasked', version: null, detail: null });
      expect(place.asked).toEqual([]);
      expect(await check()).toEqual({ state: 'current', version: null, detail: null });
      expect(place.asked).toEqual([expect.stringMatching(/^\/latest-linux.*\.yml$/)]);

      place.close();
      expect(await check()).toEqual({
        ...{ state: 'failed', version: null },
        detail: 'The place that has the updates could not be reached.',
      });
    });

    test('that is newer is loaded, and waits', async () => {
      const place = await publish('99.0.0');
      const { home, update, check } = await installed(place.url);
      expect(await check()).toMatchObject({ version: '99.0.0' });
      await expect.poll(update).toEqual({ state: 'ready', version: '99.0.0', detail: null });
      expect(existsSync(path.join(home, '.cache/vedette-updater/pending', NAME))).toBe(true);
    });

    test('that is not what was published is not taken', async () => {
      const place = await publish('99.0.0', Buffer.from(NEW).fill('x'));
      const { update, check } = await installed(place.url);
      await check();
      await expect.poll(update).toEqual({
        ...{ state: 'failed', version: '99.0.0' },
        detail: 'What was loaded is not what was published, so it was thrown away.',
      });
    });
  });
}
