import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { app, ipcMain, Menu, nativeImage, Notification } from 'electron';
import { powerMonitor, session, shell as system, Tray } from 'electron';
import type { Appliance } from '../server/appliance.ts';
import type { Logger } from '../server/platform/log.ts';
import { readCommand } from '../server/platform/options.ts';
import type { Options } from '../server/platform/options.ts';
import { createBridge } from './bridge.ts';
import { answerDashboard } from './ipc.ts';
import { createLoginItem } from './login-item.ts';
import { createNotifications } from './notifications.ts';
import { originOf } from './navigation.ts';
import type { ProgramPaths } from './paths.ts';
import type { PreferenceStore } from './preferences.ts';
import { createSignIn } from './sign-in.ts';
import { pausedUntil, watchStatus } from './status.ts';
import { createTray } from './tray.ts';
import { createUpdates } from './updates.ts';
import type { Window } from './window.ts';

interface Parts {
  appliance: Appliance;
  window: Window;
  preferences: PreferenceStore;
  log: Logger;
  paths: ProgramPaths;
  folders: { data: string; logs: string };
  version: string;
  options: Options;
  /** Closes everything, for a newer version that starts while this process still lives. */
  handOver: () => Promise<void>;
}

/** All that lives as long as the appliance runs: who is told what, and what can be asked for. */
export function openDesk(parts: Parts) {
  const { appliance, window, preferences, log, paths, folders, version, handOver } = parts;
  const { platform } = process;
  const { origin } = new URL(appliance.url);
  const signIn = createSignIn({ session: session.defaultSession, appliance });
  const noted = (error: unknown) => log.error({ err: error }, 'The desktop could not do this');
  const openLogs = () => void system.openPath(folders.logs);
  const quit = () => app.quit();
  const executable = process.env['APPIMAGE'] ?? process.execPath;

  /** False where the window had to do it by itself, which the page behind a link can. */
  async function ensureSignedIn(tenantId?: string): Promise<boolean> {
    try {
      await signIn.ensure(tenantId);
      return true;
    } catch (error) {
      noted(error);
      await window.load(appliance.signInUrl());
      return false;
    }
  }

  /** Signed in, and to that tenant; without a place, what is shown stays. */
  async function open(place?: string, tenantId?: string | null): Promise<void> {
    if (!(await ensureSignedIn(tenantId ?? undefined))) return;
    if (originOf(window.place()) !== origin) {
      await window.load(`${appliance.url}${place ?? '/'}`);
      return;
    }
    window.show();
    // The page goes there by itself: at once, and not without asking about what is not saved.
    if (place !== undefined) await window.go(place);
  }
  const go = (place?: string, tenantId?: string | null) => void open(place, tenantId).catch(noted);

  const updates = createUpdates({
    updater: async () => (await import('electron-updater')).default.autoUpdater,
    isPossible: existsSync(path.join(process.resourcesPath, 'app-update.yml')),
    ...{ preferences, log },
    installing: {
      before: handOver,
      failed() {
        app.relaunch({ execPath: executable });
        quit();
      },
    },
  });
  const loginItem = createLoginItem({
    ...{ platform, app, executable, configHome: configHome() },
    args: [...(app.isPackaged ? [] : [app.getAppPath()]), ...unusual(parts.options)],
  });
  // An AppImage may have been moved since; what starts it is to know its new place.
  const settleIn = async () => {
    const isUsual = process.env['APPIMAGE'] !== undefined && unusual(parts.options).length === 0;
    if (isUsual && (await loginItem.isOn())) await loginItem.set(true);
  };
  void settleIn().catch(noted);
  const notifications = createNotifications({
    ...{ Notification, icon: paths.noticeIcon },
    isPaused: () => pausedUntil(preferences, Date.now()) !== null,
    open: ({ path: place, tenantId }) => go(place, tenantId),
  });
  const tray = createTray({
    ...{ Tray, Menu, nativeImage, iconDir: paths.icons, platform },
    actions: {
      ...{ quit, openLogs, restartToUpdate: () => updates.restart() },
      open: () => go(),
      openAlerts: () => go('/alerts'),
      pause: (until) => void preferences.change({ paused_until: until }).catch(noted),
    },
  });
  const wake = () => {
    log.info('The machine woke up: a cycle that it slept through runs now');
    void appliance.wake().catch(noted);
  };
  powerMonitor.on('resume', wake);
  const bridge = createBridge({
    ...{ version, appliance, preferences, loginItem, updates, folders },
    signIn: () => ensureSignedIn().then(() => undefined),
    openPath: (folder) => system.openPath(folder),
  });
  const forget = [
    appliance.onAlert((news) => notifications.alerts(news)),
    watchStatus({ appliance, preferences, updates, show: (state) => tray.show(state), noted }),
    answerDashboard({ ipcMain, asker: () => window.page(), origin: () => origin, bridge }),
    () => void powerMonitor.off('resume', wake),
  ];
  const [notice] = appliance.notices;
  if (notice !== undefined) {
    notifications.say('Vedette found something at its start', notice, '/settings/about');
  }

  async function close(): Promise<void> {
    for (const end of forget) end();
    updates.close();
    notifications.close();
    tray.close();
    await appliance.close();
  }

  const past = updates.state();
  if (past.state === 'failed') {
    notifications.say('Vedette was not updated', past.detail ?? '', '/settings/desktop');
  }

  return {
    url: appliance.url,
    origin,
    // An address does not name the port that goes without saying.
    port: Number(new URL(appliance.url).port || 80),
    open,
    close,

    /** The window was closed and Vedette goes on, which is said once. */
    left(): void {
      if (preferences.current().hint_shown) return;
      const isSaid = notifications.say(
        'Vedette goes on watching',
        'Open it again by its icon beside the clock, or by starting it again. ' +
          'To end it, choose Quit in the menu of that icon.',
      );
      if (isSaid) void preferences.change({ hint_shown: true }).catch(noted);
    },
  };
}

export type Desk = ReturnType<typeof openDesk>;

/** What is no full path there is none, says its specification. */
function configHome(): string {
  const given = process.env['XDG_CONFIG_HOME'] ?? '';
  return path.isAbsolute(given) ? given : path.join(os.homedir(), '.config');
}

/** A start at sign-in is to find the same data, and senders are to find it, as with this one. */
function unusual({ dataDir, host, port }: Options): string[] {
  const usual = readCommand([], {});
  if (usual.run !== 'start') return [];
  return [
    ...(dataDir === usual.options.dataDir ? [] : ['--data-dir', dataDir]),
    ...(host === usual.options.host ? [] : ['--host', host]),
    ...(port === usual.options.port ? [] : ['--port', String(port)]),
  ];
}
