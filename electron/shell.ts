import { rmSync } from 'node:fs';
import path from 'node:path';
import { app, dialog, protocol, safeStorage, session, shell as system } from 'electron';
import { start as startAppliance, version } from '../server/appliance.ts';
import { endInOrder } from '../server/platform/ending.ts';
import { StartError } from '../server/platform/errors.ts';
import { openLog } from '../server/platform/log.ts';
import type { Options } from '../server/platform/options.ts';
import { systemKeyStore } from './cipher.ts';
import { openDesk } from './desk.ts';
import type { Desk } from './desk.ts';
import { describeFailure } from './failure.ts';
import { guardNavigation, refusePermissions } from './navigation.ts';
import { FAILURE, servePages, STARTING } from './pages.ts';
import type { Failure } from './pages.ts';
import { programPaths } from './paths.ts';
import { openPreferences } from './preferences.ts';
import { atMost } from './at-most.ts';
import { createWindow } from './window.ts';
import { openWindowState } from './window-state.ts';

interface Parts {
  options: Options;
  isHidden: boolean;
  /** Where the window keeps its own. */
  profile: string;
  /** Whether that lies in the data directory, or is a place for the moment. */
  isUsable: boolean;
}

/** Starts that take no longer than this show nothing of it. */
const PATIENCE_MS = 700;
const RECOVERIES = 3;
const WITHIN_MS = 10 * 60_000;
const RETRY_ACTIONS: Record<string, (options: Options) => Options> = {
  retry: (options) => options,
  'other-port': (options) => ({ ...options, port: 0 }),
};

/**
 * The program around the appliance: one window, which shows the dashboard, or why there is none.
 */
export function createShell({ options: given, isHidden, profile, isUsable }: Parts) {
  let options = given;
  let isWanted = !isHidden;
  const { dataDir, logLevel } = options;
  const paths = programPaths();
  const { log, close: closeLog } = openLog(isUsable ? dataDir : profile, logLevel);
  const logs = path.join(isUsable ? dataDir : profile, 'logs');
  let desk: Desk | undefined;
  let failure: Failure | undefined;
  let starting: Promise<unknown> = Promise.resolve();
  let isEnding = false;
  const mayRecover = atMost(RECOVERIES, WITHIN_MS);

  const origin = () => desk?.origin;
  const openOutside = (url: string) => void system.openExternal(url).catch(noted);
  const openLogs = () => void system.openPath(logs);
  const noted = (error: unknown) => log.error({ err: error }, 'The shell could not do this');

  const preferring = openPreferences(path.join(profile, 'preferences.json'), log);
  const placing = openWindowState(path.join(profile, 'window-state.json'), log);
  const framing = Promise.all([preferring, placing, app.whenReady()]).then(
    ([preferences, state]) => {
      servePages(protocol, () => failure);
      refusePermissions(session.defaultSession, origin);
      const window = createWindow({
        ...{ preload: paths.preload, icon: paths.icon, state, log },
        closeEnds: () => failure !== undefined || !preferences.current().close_to_tray,
        onLeft: () => desk?.left(),
        quit: () => app.quit(),
      });
      return { preferences, state, window };
    },
  );

  /** The appliance comes up while Chromium does, so that neither waits for the other. */
  async function begin(): Promise<void> {
    const keyStore = app.whenReady().then(() => systemKeyStore(safeStorage));
    const coming = startAppliance({ ...options, log, dashboardDir: paths.dashboard, keyStore });
    coming.catch(() => undefined);
    const { preferences, window } = await framing;
    if (isWanted) window.prepare();
    const patience = setTimeout(() => {
      if (isWanted) void window.showStarting().catch(noted);
    }, PATIENCE_MS);
    try {
      const appliance = await coming;
      clearTimeout(patience);
      desk = openDesk({
        ...{ appliance, window, preferences, log, paths, version, openOutside },
        folders: { data: dataDir, logs },
      });
      failure = undefined;
      announce({ ready: { url: appliance.url } });
      if (isWanted) await desk.open('/');
    } catch (error) {
      clearTimeout(patience);
      await fail(error);
    }
  }

  async function fail(error: unknown, wasUp = false): Promise<void> {
    const known = error instanceof StartError;
    if (!known) log.fatal({ err: error }, 'Vedette cannot go on');
    await closeDesk();
    // Nobody may be left to wonder, also not after a start to the tray.
    isWanted = true;
    failure = describeFailure(error, dataDir, wasUp);
    process.stderr.write(`vedette: ${known ? error.message : failure.what}\n`);
    announce({ failed: failure });
    const { window } = await framing;
    // Even where no page can be shown, it must not end without a word.
    await window.load(FAILURE).catch(() => {
      dialog.showErrorBox(failure?.title ?? '', `${failure?.what}\n${failure?.advice}`);
    });
  }

  async function closeDesk(): Promise<void> {
    const closing = desk;
    desk = undefined;
    await closing?.close().catch(noted);
  }

  /**
   * What nobody foresaw leaves the program in doubt, so it begins anew; events must not wait for
   * somebody to click. When that does not help, it says so.
   */
  async function recover(error: unknown): Promise<void> {
    log.fatal({ err: error }, 'Something failed that nobody foresaw');
    if (!desk || isEnding) return;
    if (!mayRecover(performance.now())) return fail(error, true);
    options = { ...options, port: Number(new URL(desk.origin).port) };
    isWanted = false;
    await closeDesk();
    starting = begin();
    await starting;
  }

  async function again(change: (options: Options) => Options): Promise<void> {
    options = change(options);
    const { window } = await framing;
    await window.load(STARTING);
    await begin();
  }

  const end = endInOrder({
    on: ['SIGTERM', 'SIGINT', 'SIGHUP'],
    async close() {
      isEnding = true;
      await starting.catch(noted);
      const { state, window } = await framing;
      await state.saved();
      window.end();
      await Promise.allSettled([desk?.close(), session.defaultSession.cookies.flushStore()]);
      await closeLog();
    },
    late: () => log.error('Closing took too long; the journal will be replayed at the next start'),
  });

  return {
    async start(): Promise<void> {
      if (!isUsable) process.on('exit', () => removeLater(profile));
      process.on('uncaughtException', (error) => void recover(error).catch(noted));
      process.on('unhandledRejection', (error) => noted(error));
      guardNavigation({
        ...{ app, origin, openOutside },
        act(action) {
          const change = RETRY_ACTIONS[action];
          if (change) starting = again(change).catch(noted);
          else if (action === 'logs') openLogs();
          else if (action === 'quit') app.quit();
        },
      });
      starting = begin();
      await starting;
    },

    show(): void {
      isWanted = true;
      void (desk?.open() ?? framing.then(({ window }) => window.show())).catch(noted);
    },

    /** The first time it only begins to close; the program ends when that is done. */
    quit(event: Pick<Electron.Event, 'preventDefault'>): void {
      event.preventDefault();
      if (!isEnding) end(failure ? 2 : 0);
    },
  };
}

/** Chromium writes into it to the last; what it leaves is for the system to clear up. */
function removeLater(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // As said.
  }
}

/** To a terminal, and to a program that started this one. */
function announce(news: { ready: { url: string } } | { failed: Failure }): void {
  if ('ready' in news) {
    process.stdout.write(`Vedette ${version} is listening on ${news.ready.url}\n`);
  }
  process.send?.(news, undefined, undefined, () => undefined);
}
