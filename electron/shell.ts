import { rmSync } from 'node:fs';
import path from 'node:path';
import { app, dialog, Menu, powerMonitor, protocol, safeStorage, session } from 'electron';
import { shell as system } from 'electron';
import { start as startAppliance, version } from '../server/appliance.ts';
import { endInOrder } from '../server/platform/ending.ts';
import { mustNotBeGone, rememberPlace } from '../server/platform/known-places.ts';
import { StartError } from '../server/platform/start-errors.ts';
import { openLog } from '../server/platform/log.ts';
import type { Options } from '../server/platform/options.ts';
import { systemKeyStore } from './cipher.ts';
import { openDesk } from './desk.ts';
import type { Desk } from './desk.ts';
import { describeFailure, describeStartingAnew } from './failure.ts';
import { createLifecycle } from './lifecycle.ts';
import type { Phase } from './lifecycle.ts';
import { appMenu } from './menu.ts';
import { guardDownloads, guardNavigation, originOf, refusePermissions } from './navigation.ts';
import { FAILURE, servePages } from './pages.ts';
import type { Failure } from './pages.ts';
import { programPaths } from './paths.ts';
import { openPreferences } from './preferences.ts';
import { createWindow } from './window.ts';
import type { Window } from './window.ts';
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

/** The program around the appliance: one window, which shows the dashboard, or why there is none. */
export function createShell({ options: given, isHidden, profile, isUsable }: Parts) {
  let options = given;
  /** Whether somebody wants to see the window as soon as there is something to see. */
  let isWanted = !isHidden;
  let isQuitting = false;
  let failure: Failure | undefined;
  /** Shown instead of the failure, until it is answered. */
  let question: Failure | undefined;
  /** The installation that the start was refused for. */
  let refused: string | undefined;
  let patience: NodeJS.Timeout | undefined;
  const { dataDir, logLevel } = options;
  const paths = programPaths();
  const place = isUsable ? dataDir : profile;
  const { log, close: closeLog } = openLog(place, logLevel);
  const folders = { data: dataDir, logs: path.join(place, 'logs') };

  const noted = (error: unknown) => log.error({ err: error }, 'The shell could not do this');
  const openOutside = (url: string) => void system.openExternal(url).catch(noted);
  const openLogs = () => void system.openPath(folders.logs);
  const desk = (): Desk | undefined => {
    const phase = lifecycle.phase();
    return phase.name === 'up' ? phase.up : undefined;
  };
  const origin = () => desk()?.origin;

  const lifecycle = createLifecycle<Desk>({
    open,
    close: (up) => up.close(),
    entered: (phase) => void onPhase(phase).catch(noted),
    noted,
  });
  const framing = Promise.all([
    openPreferences(path.join(profile, 'preferences.json'), log),
    openWindowState(path.join(profile, 'window-state.json'), log),
    app.whenReady(),
  ]).then(([preferences, state]) => {
    servePages(protocol, () => question ?? failure);
    refusePermissions(session.defaultSession, origin);
    guardDownloads(session.defaultSession, origin);
    const window = createWindow({
      ...{ preload: paths.preload, icon: paths.icon, state, log },
      closeEnds: () => failure !== undefined || !preferences.current().close_to_tray,
      onLeft: () => desk()?.left(),
      quit: () => app.quit(),
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(menu()));
    // Holds up the end of the system for as long as it takes to close in order.
    powerMonitor.on('shutdown', (event?: Partial<Electron.Event>) => {
      event?.preventDefault?.();
      app.quit();
    });
    return { preferences, state, window };
  });

  const menu = () =>
    appMenu({
      ...{ platform: process.platform, appName: app.getName(), isDevelopment: !app.isPackaged },
      actions: {
        go: (to) => void show(to).catch(noted),
        openDocs: () => openOutside(`${origin() ?? ''}/docs`),
        openLogs,
      },
    });

  /** The appliance comes up while Chromium does, so that neither waits for the other. */
  async function open(): Promise<Desk> {
    mustNotBeGone(options);
    const keyStore = app.whenReady().then(() => systemKeyStore(safeStorage));
    const coming = startAppliance({ ...options, log, dashboardDir: paths.dashboard, keyStore });
    coming.catch(() => undefined);
    const { preferences, window } = await framing;
    if (isWanted) window.prepare();
    patience = setTimeout(() => {
      if (isWanted) void window.showStarting().catch(noted);
    }, PATIENCE_MS);
    const appliance = await coming.finally(() => clearTimeout(patience));
    await rememberPlace(dataDir, appliance.installation, Date.now());
    try {
      return openDesk({
        ...{ appliance, window, preferences, log, paths, version, folders },
        options: given,
        handOver: () => handOver(window),
      });
    } catch (error) {
      await appliance.close();
      throw error;
    }
  }

  async function onPhase(phase: Phase<Desk>): Promise<void> {
    if (phase.name === 'failed') return showFailure(phase);
    if (phase.name !== 'up') return;
    const { up } = phase;
    failure = undefined;
    // Should it begin anew, senders find it where it was.
    options = { ...options, port: up.port };
    announce({ ready: { url: up.url } });
    const { window } = await framing;
    const isElsewhere = window.place() !== '' && originOf(window.place()) !== up.origin;
    if (isWanted || (phase.isAnew && isElsewhere)) await up.open('/');
    isWanted = false;
  }

  async function showFailure({ error, wasUp }: Phase<Desk> & { name: 'failed' }): Promise<void> {
    const known = error instanceof StartError;
    if (!known) log.fatal({ err: error }, 'Vedette cannot go on');
    failure = describeFailure(error, dataDir, wasUp);
    refused = known ? error.installation : undefined;
    // Nobody may be left to wonder, also not after a start to the tray.
    isWanted = true;
    process.stderr.write(`vedette: ${known ? error.message : failure.what}\n`);
    announce({ failed: failure });
    const { window } = await framing;
    const { title, what, advice } = failure;
    await window.load(FAILURE).catch(() => dialog.showErrorBox(title, `${what}\n${advice}`));
  }

  async function ask(asked: Failure | undefined): Promise<void> {
    const { window } = await framing;
    question = asked;
    await window.load(FAILURE);
  }

  async function again(change: Partial<Options>): Promise<void> {
    const { window } = await framing;
    question = undefined;
    options = { ...options, ...change };
    await Promise.all([lifecycle.again(), window.showStarting()]);
  }

  async function show(to?: string): Promise<void> {
    isWanted = true;
    const { window } = await framing;
    const up = desk();
    if (up) {
      isWanted = false;
      await up.open(to);
    } else if (failure) window.show();
    else await window.showStarting();
  }

  /** To a newer version, which starts while this process still lives. */
  async function handOver(window: Window): Promise<void> {
    await lifecycle.end();
    window.end();
    app.releaseSingleInstanceLock();
  }

  const end = endInOrder({
    on: ['SIGTERM', 'SIGINT', 'SIGHUP'],
    async close() {
      await lifecycle.end();
      const { state, window } = await framing;
      await state.saved();
      window.end();
      await session.defaultSession.cookies.flushStore().catch(noted);
      await closeLog();
    },
    late: () => log.error('Closing took too long; the journal will be replayed at the next start'),
    exit: (code) => app.exit(code),
  });

  return {
    async start(): Promise<void> {
      if (!isUsable) process.on('exit', () => clearUp(profile));
      process.on('uncaughtException', (error) => {
        log.fatal({ err: error }, 'Something failed that nobody foresaw');
        void lifecycle.fault(error).catch(noted);
      });
      process.on('unhandledRejection', noted);
      guardNavigation({
        ...{ app, origin, openOutside },
        openInside: (to) => void show(to).catch(noted),
        act(action) {
          if (action === 'retry') void again({}).catch(noted);
          else if (action === 'other-port') void again({ port: 0 }).catch(noted);
          else if (action === 'start-anew') void ask(describeStartingAnew(dataDir)).catch(noted);
          else if (action === 'back') void ask(undefined).catch(noted);
          else if (action === 'start-anew-now' && refused !== undefined) {
            void again({ startAnew: refused }).catch(noted);
          } else if (action === 'logs') openLogs();
          else if (action === 'quit') app.quit();
        },
      });
      await lifecycle.start();
    },

    show: () => void show().catch(noted),

    /** The first time it only begins to close; the program ends when that is done. */
    quit(event: Pick<Electron.Event, 'preventDefault'>): void {
      event.preventDefault();
      if (!isQuitting) end(failure ? 2 : 0);
      isQuitting = true;
    },
  };
}

/** Chromium writes into it to the last; what it leaves is for the system to clear up. */
function clearUp(folder: string): void {
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
