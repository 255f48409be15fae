import { rmSync } from 'node:fs';
import path from 'node:path';
import { app, protocol, safeStorage, session, shell as system } from 'electron';
import { start as startAppliance, version } from '../server/appliance.ts';
import { endInOrder } from '../server/platform/ending.ts';
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

  const origin = () => desk?.origin;
  const openOutside = (url: string) => void system.openExternal(url).catch(noted);
  const openLogs = () => void system.openPath(logs);
  const noted = (error: unknown) => log.error({ err: error }, 'The shell could not do this');

  const preferring = openPreferences(path.join(profile, 'preferences.json'), log);
  const placing = openWindowState(path.join(profile, 'window-state.json'), log);
  const framing = Promise.all([preferring, placing, app.whenReady()]).then(
    ([preferences, state]) => {
      const window = createWindow({
        ...{ preload: paths.preload, icon: paths.icon, state, log },
        closeEnds: () => failure !== undefined || !preferences.current().close_to_tray,
        onLeft: () => desk?.left(),
        quit: () => app.quit(),
      });
      return { preferences, state, window };
    },
  );

  async function begin(): Promise<void> {
    const { preferences, window } = await framing;
    const patience = setTimeout(() => {
      if (isWanted) void window.showStarting().catch(noted);
    }, PATIENCE_MS);
    try {
      const keyStore = await systemKeyStore(safeStorage);
      const appliance = await startAppliance({
        ...options,
        log,
        dashboardDir: paths.dashboard,
        ...(keyStore && { keyStore }),
      });
      clearTimeout(patience);
      desk = openDesk({
        ...{ appliance, window, preferences, log, paths, version, openOutside },
        folders: { data: dataDir, logs },
      });
      failure = undefined;
      if (isWanted) await desk.open('/');
      announce({ ready: { url: appliance.url } });
    } catch (error) {
      clearTimeout(patience);
      await fail(error);
    }
  }

  async function fail(error: unknown): Promise<void> {
    log.fatal({ err: error }, 'Vedette could not start');
    // Nobody may be left to wonder, also not after a start to the tray.
    isWanted = true;
    failure = describeFailure(error, dataDir);
    process.stderr.write(`vedette: ${failure.what}\n`);
    announce({ failed: failure });
    const { window } = await framing;
    await window.load(FAILURE);
  }

  async function again(change: (options: Options) => Options): Promise<void> {
    options = change(options);
    const { window } = await framing;
    await window.load(STARTING);
    await begin();
  }

  /** What nobody foresaw: better to close in order and say so than to go on in doubt. */
  async function crash(error: unknown): Promise<void> {
    const closing = desk;
    desk = undefined;
    await closing?.close().catch(noted);
    await fail(error);
  }

  const end = endInOrder({
    on: ['SIGTERM', 'SIGINT', 'SIGHUP'],
    async close() {
      isEnding = true;
      await starting.catch(noted);
      const { state, window } = await framing;
      window.end();
      await Promise.allSettled([
        desk?.close(),
        state.saved(),
        session.defaultSession.cookies.flushStore(),
      ]);
      await closeLog();
    },
    late: () => log.error('Closing took too long; the journal will be replayed at the next start'),
  });

  return {
    async start(): Promise<void> {
      if (!isUsable) process.on('exit', () => removeLater(profile));
      process.on('uncaughtException', (error) => void crash(error).catch(noted));
      process.on('unhandledRejection', (error) => noted(error));
      servePages(protocol, () => failure);
      refusePermissions(session.defaultSession, origin);
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
  process.send?.(news);
}
