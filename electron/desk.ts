import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  app,
  ipcMain,
  Menu,
  nativeImage,
  Notification,
  powerMonitor,
  session,
  shell as system,
  Tray,
} from 'electron';
import type { Appliance } from '../server/appliance.ts';
import type { Logger } from '../server/platform/log.ts';
import { answerDashboard } from './ipc.ts';
import { createLoginItem } from './login-item.ts';
import { appMenu } from './menu.ts';
import { createNotifications } from './notifications.ts';
import { originOf } from './navigation.ts';
import type { programPaths } from './paths.ts';
import type { PreferenceStore } from './preferences.ts';
import type { DesktopBridge, DesktopView } from './schema.ts';
import { createSignIn } from './sign-in.ts';
import { createTray } from './tray.ts';
import { createUpdates } from './updates.ts';
import type { Window } from './window.ts';

interface Parts {
  appliance: Appliance;
  window: Window;
  preferences: PreferenceStore;
  log: Logger;
  paths: ReturnType<typeof programPaths>;
  dataDir: string;
  logs: string;
  version: string;
  openOutside: (url: string) => void;
}

const LOOK_EVERY_MS = 20_000;

/** All that lives as long as the appliance runs: who is told what, and what can be asked for. */
export async function openDesk(parts: Parts) {
  const { appliance, window, preferences, log, paths, dataDir, logs, version } = parts;
  const { platform } = process;
  const origin = new URL(appliance.url).origin;
  const signIn = createSignIn({ session: session.defaultSession, appliance });
  const noted = (error: unknown) => log.error({ err: error }, 'The desktop could not do this');
  const openLogs = () => void system.openPath(logs);
  const quit = () => app.quit();

  /** Signed in, and of that tenant; without a path what is shown stays. */
  async function open(place?: string, tenantId?: string | null): Promise<void> {
    await signIn.ensure(tenantId ?? undefined);
    const isShown = originOf(window.page()?.getURL() ?? '') === origin;
    if (place === undefined && isShown) window.show();
    else await window.load(`${appliance.url}${place ?? '/'}`);
  }
  const go = (place?: string, tenantId?: string | null) => void open(place, tenantId).catch(noted);

  const isPaused = () => {
    const until = preferences.current().paused_until;
    return until === 'always' || (until !== null && Date.parse(until) > Date.now());
  };
  const pause = (until: string | null) =>
    void preferences.change({ paused_until: until }).catch(noted);
  const loginItem = createLoginItem({
    ...{ platform, app },
    executable: process.env['APPIMAGE'] ?? process.execPath,
    args: [...(app.isPackaged ? [] : [app.getAppPath()]), ...ownOptions(), '--hidden'],
    configHome: process.env['XDG_CONFIG_HOME'] ?? path.join(os.homedir(), '.config'),
  });
  const updates = createUpdates({
    updater: async () => (await import('electron-updater')).default.autoUpdater,
    isPossible: existsSync(path.join(process.resourcesPath, 'app-update.yml')),
    ...{ preferences, log },
  });
  const notifications = createNotifications({
    ...{ Notification, isPaused, icon: paths.icon },
    open: ({ path: place, tenantId }) => go(place, tenantId),
  });
  const tray = createTray({
    ...{ Tray, Menu, nativeImage, iconDir: paths.icons, platform },
    actions: {
      ...{ pause, quit, openLogs, restartToUpdate: updates.restart },
      open: () => go(),
      openAlerts: () => go('/alerts'),
    },
  });
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(
      appMenu({
        ...{ platform, appName: app.getName(), isDevelopment: !app.isPackaged },
        actions: {
          ...{ go, quit, openLogs },
          openDocs: () => parts.openOutside(`${appliance.url}/docs`),
        },
      }),
    ),
  );

  let open_ = { critical: 0, warning: 0, info: 0 };
  function showTray(): void {
    const failing = Object.values(appliance.health().checks).find(({ ok }) => !ok);
    const update = updates.state();
    tray.show({
      open: open_,
      trouble: failing ? (failing.detail ?? 'Something is wrong') : null,
      pausedUntil: isPaused() ? preferences.current().paused_until : null,
      url: appliance.url,
      update: update.state === 'ready' ? update.version : null,
    });
  }
  const count = () =>
    void appliance
      .openAlerts()
      .then((counts) => {
        open_ = counts;
        showTray();
      })
      .catch(noted);

  const wake = () => void appliance.wake().catch(noted);
  powerMonitor.on('resume', wake);
  // Health and the end of a pause tell nobody; alerts and preferences do.
  const looking = setInterval(showTray, LOOK_EVERY_MS);
  const forget = [
    appliance.onAlert(notifications.alerts),
    appliance.onAlertsChanged(count),
    preferences.onChange(showTray),
    updates.onChange(showTray),
    () => clearInterval(looking),
    () => void powerMonitor.off('resume', wake),
  ];
  showTray();
  count();
  const [notice] = appliance.notices;
  if (notice !== undefined) {
    notifications.say('Vedette found something at its start', notice, '/settings/about');
  }

  async function view(): Promise<DesktopView> {
    const { close_to_tray, check_for_updates } = preferences.current();
    return {
      ...{ version, close_to_tray, check_for_updates },
      start_at_login: await loginItem.isOn(),
      paused_until: isPaused() ? preferences.current().paused_until : null,
      secrets: appliance.secretsIn,
      update: updates.state(),
    };
  }
  const desk: DesktopBridge = {
    read: view,
    async change({ start_at_login, ...rest }) {
      if (start_at_login !== undefined) await loginItem.set(start_at_login);
      if (Object.keys(rest).length > 0) await preferences.change(rest);
      return view();
    },
    async openFolder(which) {
      const problem = await system.openPath(which === 'logs' ? logs : dataDir);
      if (problem !== '') throw new Error(problem);
    },
    signIn: () => signIn.ensure(),
    async checkForUpdates() {
      await updates.check();
      return view();
    },
    async restartToUpdate() {
      updates.restart();
    },
  };
  const asker = () => window.page();
  forget.push(answerDashboard({ ipcMain, asker, origin: () => origin, desk }));

  return {
    origin,
    open,
    /** The window was closed and Vedette goes on, which is said once. */
    left(): void {
      if (preferences.current().hint_shown || isPaused()) return;
      notifications.say(
        'Vedette goes on watching',
        'Open it again from its icon beside the clock, or by starting it again. To end it, choose Quit there.',
      );
      void preferences.change({ hint_shown: true }).catch(noted);
    },
    async close(): Promise<void> {
      for (const end of forget) end();
      updates.close();
      notifications.close();
      tray.close();
      await appliance.close();
    },
  };
}

export type Desk = Awaited<ReturnType<typeof openDesk>>;

/** A start at sign-in is to find the same data as this one. */
function ownOptions(): string[] {
  const dataDir = process.argv.findIndex((argument) => /^--data-dir(=|$)/.test(argument));
  if (dataDir < 0) return [];
  const argument = process.argv[dataDir] ?? '';
  return argument.includes('=') ? [argument] : process.argv.slice(dataDir, dataDir + 2);
}
