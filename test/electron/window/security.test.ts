import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openElsewhere } from '../../helpers/desktop/elsewhere.ts';
import { bridge, dashboardOf, sharedWindow } from '../../helpers/desktop/pages.ts';
import type { RunningDesktop } from '../../helpers/desktop/program.ts';
import { commandOf, family } from '../../helpers/desktop/sockets.ts';
import { desktopSuite } from '../../helpers/desktop/suite.ts';

const CONTRACT = [
  ...['change', 'checkForUpdates', 'onGo', 'openFolder', 'read', 'restartToUpdate', 'signIn'],
];
const NODE = ['require', 'process', 'Buffer', 'module', 'global', 'electron', 'ipcRenderer'];

desktopSuite('the window', (scope) => {
  let desktop: RunningDesktop;
  let page: Page;
  let elsewhere: Awaited<ReturnType<typeof openElsewhere>>;
  let links = 0;
  let noted = 0;

  beforeAll(async () => {
    elsewhere = await openElsewhere(scope);
    ({ desktop, page } = await sharedWindow());
  });

  beforeEach(async () => {
    noted = desktop.display.opened().length;
    if (!page.url().startsWith(desktop.url)) page = await dashboardOf(desktop);
  });

  /** What the system browser was asked for in this test, in whatever order it noted that. */
  async function expectLeft(...expected: string[]): Promise<void> {
    const left = () => desktop.display.opened().slice(noted);
    // What was asked for before has come when these have, which come one after the other.
    for (const last of [`https://example.com/${++links}`, `https://example.com/${++links}`]) {
      await follow(last);
      expected.push(last);
      await expect.poll(left).toEqual(expect.arrayContaining(expected));
    }
    expect(left().sort()).toEqual(expected.sort());
  }

  const follow = (href: string, target = '') =>
    page.evaluate(
      ([href, target]) => {
        const link = Object.assign(document.createElement('a'), { href, target });
        document.body.append(link);
        link.click();
        link.remove();
      },
      [href, target] as const,
    );

  const isWhereItWas = async () => {
    expect(page.url().startsWith(`${desktop.url}/`)).toBe(true);
    expect(await desktop.pages()).toHaveLength(1);
    await expect.poll(desktop.shown).toHaveLength(1);
  };

  describe('knows nothing of Node', () => {
    test('in the page, which has the functions of the contract and no others', async () => {
      const found = await page.evaluate(
        (names) => names.filter((name) => name in globalThis),
        NODE,
      );
      expect(found).toEqual([]);
      const given = await page.evaluate(() =>
        Object.entries(window.vedette ?? {}).map(([name, value]) => [name, typeof value]),
      );
      expect(given.sort()).toEqual(CONTRACT.map((name) => [name, 'function']));
    });

    test('in the world of its preload, nor are its pages outside of the sandbox', async () => {
      const session = await page.context().newCDPSession(page);
      const worlds: { id: number; name: string }[] = [];
      session.on('Runtime.executionContextCreated', ({ context }) => worlds.push(context));
      await session.send('Runtime.enable');
      const isolated = worlds.find(({ name }) => name === 'Electron Isolated Context');
      expect(isolated, JSON.stringify(worlds)).toBeDefined();
      const expression = `[${NODE.map((name) => `typeof ${name}`).join()}].join()`;
      for (const { id } of worlds) {
        const { result } = await session.send('Runtime.evaluate', { expression, contextId: id });
        expect(result.value).toBe(NODE.map(() => 'undefined').join());
      }
      await session.detach();
      const renderers = family(desktop.pid ?? 0)
        .map((pid) => commandOf(pid).join(' '))
        .filter((words) => words.includes('--type=renderer'));
      expect(renderers.length).toBeGreaterThan(0);
      for (const words of renderers) {
        expect(words).not.toMatch(/node-integration|no-web-security|allow-file-access/);
      }
    });
  });

  describe('stays with the appliance', () => {
    test('when a link leads elsewhere, which the system browser then shows', async () => {
      await follow(`${elsewhere.url}/link`);
      await expect.poll(desktop.display.opened).toContain(`${elsewhere.url}/link`);
      await isWhereItWas();
    });

    test('when a script goes elsewhere', async () => {
      await page.evaluate((to) => location.assign(to), `${elsewhere.url}/script`);
      await expect.poll(desktop.display.opened).toContain(`${elsewhere.url}/script`);
      await isWhereItWas();
    });

    test('when its own address redirects elsewhere', async () => {
      const to = `${elsewhere.url}/redirect`;
      await page.route('**/over-there', (route) =>
        route.fulfill({ status: 302, headers: { location: to } }),
      );
      await page.evaluate(() => location.assign('/over-there'));
      await expect.poll(desktop.display.opened).toContain(to);
      await page.unrouteAll();
      await isWhereItWas();
    });

    test('when a form is sent elsewhere', async () => {
      const refused = await page.evaluate((action) => {
        const violated = new Promise<string>((resolve) => {
          addEventListener(
            'securitypolicyviolation',
            (event) => resolve(event.effectiveDirective),
            {
              once: true,
            },
          );
        });
        const form = Object.assign(document.createElement('form'), { action, method: 'post' });
        document.body.append(form);
        form.submit();
        form.remove();
        return violated;
      }, `${elsewhere.url}/form`);
      expect(refused).toBe('form-action');
      await isWhereItWas();
    });

    test('and lets nothing but http and https out to the system', async () => {
      const schemes = [
        ...['file:///etc/passwd', 'javascript:document.title="done"', 'mailto:a@example.com'],
        ...['ssh://example.com', 'vedette://do/quit', 'vedette://failure/', 'data:text/html,<p>x'],
        ...['smb://example.com/x', 'chrome://gpu', 'devtools://devtools'],
        ...['ms-settings:', 'blob:null/x', 'view-source:http://127.0.0.1/', 'x-unknown:1'],
      ];
      for (const scheme of schemes) {
        await follow(scheme);
        await follow(scheme, '_blank');
        await page.evaluate((url) => {
          try {
            window.open(url);
          } catch {
            // Refused even earlier.
          }
        }, scheme);
      }
      await expectLeft();
      expect(await page.title()).not.toBe('done');
      await isWhereItWas();
    });

    test('and opens no second window', async () => {
      const opened = await page.evaluate(
        (url) => [window.open(url), window.open('')].map(String),
        `${elsewhere.url}/window`,
      );
      expect(opened).toEqual(['null', 'null']);
      await follow(`${elsewhere.url}/blank`, '_blank');
      await follow(`${desktop.url}/docs`, '_blank');
      const blank = `${elsewhere.url}/blank`;
      await expectLeft(`${elsewhere.url}/window`, blank, `${desktop.url}/docs`);
      await isWhereItWas();
    });

    test('and shows its own pages itself, since no other browser is signed in to them', async () => {
      const here = page.url();
      expect(await page.evaluate(() => window.open('/rules') === null)).toBe(true);
      await expect.poll(() => page.url()).toBe(`${desktop.url}/rules`);
      await expectLeft();
      await page.goto(here);
    });

    test('and shows nothing of elsewhere within it', async () => {
      const refused = await page.evaluate(async (url) => {
        const refused: string[] = [];
        addEventListener('securitypolicyviolation', (event) => {
          refused.push(event.effectiveDirective);
        });
        for (const name of ['webview', 'iframe', 'embed', 'img']) {
          const element = document.createElement(name);
          element.setAttribute('src', `${url}/${name}`);
          document.body.append(element);
        }
        const object = document.createElement('object');
        object.data = `${url}/object`;
        document.body.append(object);
        await fetch(`${url}/fetch`).catch(() => undefined);
        await new Promise((settled) => {
          const script = Object.assign(document.createElement('script'), {
            src: `${url}/script.js`,
          });
          script.addEventListener('error', settled);
          document.body.append(script);
        });
        return [...new Set(refused)].sort();
      }, elsewhere.url);
      expect(refused).toEqual([...['connect-src', 'img-src', 'object-src', 'script-src-elem']]);
      // The shell is faster than the policy where it is about frames.
      await expectLeft();
      expect(page.frames().filter((frame) => frame.url().startsWith(elsewhere.url))).toEqual([]);
      await page.reload();
      await isWhereItWas();
    });

    test('and runs no text as a script', async () => {
      const policy = await page.evaluate(async () => {
        const answer = await fetch('/');
        return answer.headers.get('content-security-policy') ?? '';
      });
      expect(policy.split(';')).toContain("script-src 'self'");
      const ran = await page.evaluate(() => {
        const script = document.createElement('script');
        script.textContent = 'globalThis.ran = true';
        document.body.append(script);
        return 'ran' in globalThis;
      });
      expect(ran).toBe(false);
      // In the page's own words: what the tests evaluate may do more than it may.
      const tried = await page.evaluate(
        () =>
          new Promise<string>((resolve) => {
            addEventListener('securitypolicyviolation', (event) => resolve(event.blockedURI), {
              once: true,
            });
            Reflect.apply(setTimeout, undefined, ['globalThis.ran = true']);
          }),
      );
      expect(tried).toBe('eval');
    });
  });

  describe('lets its page ask the shell', () => {
    test('only in ways of the contract; anything else has no effect', async () => {
      const before = await bridge(page, 'read');
      const answers = await page.evaluate(async () => {
        const ask = window.vedette as unknown as Record<string, (...args: unknown[]) => unknown>;
        const tries: [string, ...unknown[]][] = [
          ['change', { close_to_tray: 'no' }],
          ['change', { close_to_tray: false, hint_shown: true }],
          ['change'],
          ['openFolder', '/etc'],
        ];
        const answers = [];
        for (const [name, ...args] of tries) {
          try {
            await ask[name]?.(...args);
            answers.push(`${name} ${JSON.stringify(args)} was done`);
          } catch (error) {
            answers.push(error instanceof Error ? 'refused' : 'odd');
          }
        }
        return answers;
      });
      expect(answers.filter((answer) => answer !== 'refused')).toEqual([]);
      expect(await bridge(page, 'read')).toEqual(before);
      await expectLeft();
    });

    test('opens the folders that are meant', async () => {
      await bridge(page, 'openFolder', 'data');
      await bridge(page, 'openFolder', 'logs');
      const { dataDir } = desktop;
      await expectLeft(dataDir, path.join(dataDir, 'logs'));
    });

    test('and no other: a page from elsewhere is refused, even in this window', async () => {
      // All that was tried before in this window led nobody there.
      expect(elsewhere.asked()).toEqual([]);
      // As no link can: the debugger goes past what holds the window.
      await page.goto(`${elsewhere.url}/inside`);
      expect(elsewhere.asked()).toContain('/inside');
      const answer = await page.evaluate(
        () =>
          window.vedette?.change({ close_to_tray: false }).then(
            () => 'done',
            (error: unknown) => String(error),
          ) ?? 'not there',
      );
      expect(answer).toMatch(/Only the dashboard may ask|not there/);
      const opened = await page.evaluate(
        () => window.vedette?.openFolder('data').catch(() => 'refused') ?? 'refused',
      );
      expect(opened).toBe('refused');
      page = await dashboardOf(desktop);
      expect(await bridge(page, 'read')).toMatchObject({ close_to_tray: true });
    });
  });

  describe('grants a page nothing', () => {
    test('that it must ask for', async () => {
      const answers = await page.evaluate(async () => {
        const names = ['geolocation', 'camera', 'microphone', 'midi', 'clipboard-read'];
        const states: Record<string, string> = {};
        for (const name of [...names, 'notifications', 'persistent-storage']) {
          states[name] = await navigator.permissions
            .query({ name: name as PermissionName })
            .then(({ state }) => state, String);
        }
        const no = (error: unknown) => (error instanceof Error ? error.name : String(error));
        const devices = navigator as unknown as Record<
          string,
          { requestDevice?(at: object): Promise<unknown>; requestPort?(): Promise<unknown> }
        >;
        return {
          states,
          notification: await Notification.requestPermission(),
          place: await new Promise((resolve) => {
            navigator.geolocation.getCurrentPosition(
              () => resolve('told'),
              ({ code }) => resolve(code),
            );
          }),
          media: await navigator.mediaDevices.getUserMedia({ audio: true }).then(() => 'got', no),
          screen: await navigator.mediaDevices.getDisplayMedia().then(() => 'got', no),
          midi: await navigator.requestMIDIAccess().then(() => 'got', no),
          clipboard: await navigator.clipboard.readText().then(() => 'read', no),
          usb: await devices['usb']?.requestDevice?.({ filters: [] }).then(() => 'got', no),
          serial: await devices['serial']?.requestPort?.().then(() => 'got', no),
          hid: await devices['hid']
            ?.requestDevice?.({ filters: [] })
            .then((found) => (Array.isArray(found) && found.length === 0 ? 'none' : 'got'), no),
        };
      });
      expect(answers.states).toEqual(
        Object.fromEntries(Object.keys(answers.states).map((name) => [name, 'denied'])),
      );
      expect(answers).toMatchObject({ notification: 'denied', place: 1 });
      expect(answers.media).toMatch(/NotAllowedError|NotFoundError/);
      expect(answers.screen).toMatch(/NotAllowedError|NotSupportedError|AbortError/);
      expect(answers.midi).toMatch(/NotAllowedError|SecurityError/);
      expect(answers.clipboard).toBe('NotAllowedError');
      for (const answer of [answers.usb, answers.serial]) {
        expect(answer).toMatch(/NotFoundError|SecurityError|NotAllowedError/);
      }
      expect(answers.hid).toMatch(/none|NotAllowedError|SecurityError/);
    });

    test('but copying', async () => {
      const text = 'copied in the window';
      await page.evaluate((text) => navigator.clipboard.writeText(text), text);
      await page.evaluate(() => {
        const field = document.createElement('textarea');
        field.id = 'pasted';
        document.body.append(field);
        field.focus();
      });
      await page.locator('#pasted').press('Control+V');
      await expect.poll(() => page.locator('#pasted').inputValue()).toBe(text);
    });
  });
});
