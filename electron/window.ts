import { BrowserWindow, dialog, nativeTheme, screen } from 'electron';
import type { WebContents } from 'electron';
import type { Logger } from '../server/platform/log.ts';
import { atMost } from './at-most.ts';
import { STARTING } from './pages.ts';
import { SMALLEST_SIZE } from './window-state.ts';
import type { WindowState } from './window-state.ts';

interface Parts {
  preload: string;
  icon: string;
  state: WindowState;
  log: Pick<Logger, 'error' | 'warn'>;
  /** Whether closing ends the program, or leaves it running without its window. */
  closeEnds: () => boolean;
  /** It was closed, and the program goes on. */
  onLeft: () => void;
  quit: () => void;
}

const MAY_CRASH = 3;
const WITHIN_MS = 60_000;
/** A page that nobody has looked at for so long gives its memory back. */
const LET_GO_AFTER_MS = 10 * 60_000;

/** The one window. It is made when it is needed, and hidden rather than closed. */
export function createWindow(parts: Parts) {
  const { preload, icon, state, log, closeEnds, onLeft, quit } = parts;
  let window: BrowserWindow | undefined;
  let isEnding = false;
  let isLettingGo = false;
  /** What is on the page may go without a question. */
  let mayLeave = false;
  let letGo: NodeJS.Timeout | undefined;

  function make(): BrowserWindow {
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
    const { maximized, ...bounds } = state.bounds(areas);
    const made = new BrowserWindow({
      ...bounds,
      minWidth: Math.min(SMALLEST_SIZE.width, bounds.width),
      minHeight: Math.min(SMALLEST_SIZE.height, bounds.height),
      show: false,
      title: 'Vedette',
      icon,
      autoHideMenuBar: true,
      // What the page has before its first paint, so that nothing flashes.
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#0f1316' : '#fbfaf8',
      webPreferences: {
        preload,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
        spellcheck: false,
      },
    });
    if (maximized) made.maximize();
    state.keep(made);
    made.on('close', (event) => {
      if (isEnding || isLettingGo) return;
      event.preventDefault();
      if (closeEnds()) quit();
      else hide(made);
    });
    made.on('closed', () => {
      window = undefined;
      isLettingGo = false;
    });
    made.on('show', () => clearTimeout(letGo));
    // Windows says only this before it ends everything.
    made.on('session-end', quit);
    guardWords(made);
    surviveCrashes(made);
    return made;
  }

  function hide(shown: BrowserWindow): void {
    shown.hide();
    planToLetGo(shown);
    onLeft();
  }

  function planToLetGo(shown: BrowserWindow): void {
    clearTimeout(letGo);
    letGo = setTimeout(() => {
      isLettingGo = true;
      shown.webContents.close({ waitForBeforeUnload: true });
    }, LET_GO_AFTER_MS);
    letGo.unref();
  }

  /** Without an answer here, Electron would stay on the page and say nothing. */
  function guardWords(made: BrowserWindow): void {
    made.webContents.on('did-navigate', () => (mayLeave = false));
    made.webContents.on('will-prevent-unload', (event) => {
      if (mayLeave || isEnding) event.preventDefault();
      else if (isLettingGo) {
        // Somebody's words are on it, so it is kept.
        isLettingGo = false;
        planToLetGo(made);
      } else
        void askToLeave(made).catch((error: unknown) => log.error({ err: error }, 'Not asked'));
    });
  }

  /** Never so that all waits for the answer: events come in meanwhile. */
  async function askToLeave(made: BrowserWindow): Promise<void> {
    const { response } = await dialog.showMessageBox(made, {
      type: 'question',
      message: 'Leave without saving?',
      detail: 'What you changed here is not saved yet and will be lost.',
      buttons: ['Stay', 'Leave'],
      defaultId: 0,
      cancelId: 0,
    });
    if (response !== 1 || made.isDestroyed()) return;
    mayLeave = true;
    made.webContents.reload();
  }

  /** A page that crashed is shown anew, but not for ever. */
  function surviveCrashes(made: BrowserWindow): void {
    const mayShowAnew = atMost(MAY_CRASH, WITHIN_MS);
    made.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
      if (reason === 'clean-exit' || isEnding) return;
      log.error({ reason, exitCode }, 'The page of the window crashed');
      if (mayShowAnew(performance.now())) made.webContents.reload();
    });
  }

  function show(): void {
    if (!window) return;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** Shows this address, in a new window where there is none. */
  async function load(url: string): Promise<void> {
    if (isEnding) return;
    window ??= make();
    const target = window;
    mayLeave = true;
    try {
      await target.loadURL(url);
    } catch (error) {
      // Gone to another page before this one was there, or closed meanwhile.
      if (!String(error).includes('ERR_ABORTED') && !target.isDestroyed()) throw error;
    } finally {
      if (!target.isDestroyed()) show();
    }
  }

  return {
    load,
    show,

    page: (): WebContents | undefined => window?.webContents,

    /** What it shows, unless that has crashed. */
    place: (): string => {
      const page = window?.webContents;
      return page && !page.isCrashed() ? page.getURL() : '';
    },

    /** Tells the page where to go, which may just be coming up. */
    async go(path: string): Promise<void> {
      const page = window?.webContents;
      if (!page) return;
      if (page.isLoadingMainFrame()) {
        await new Promise((done) => {
          page.once('did-stop-loading', () => done(undefined));
          page.once('destroyed', () => done(undefined));
        });
      }
      if (!page.isDestroyed()) page.send('vedette:go', path);
    },

    /** Has all at hand that the first page will need, while there is nothing to show yet. */
    prepare(): void {
      if (window) return;
      window = make();
      void window.loadURL('about:blank').catch(() => undefined);
    },

    /** Something to look at, should the start take its time. */
    showStarting: (): Promise<void> => load(STARTING),

    /** For the end of the program: closes without asking. */
    end(): void {
      isEnding = true;
      clearTimeout(letGo);
      window?.destroy();
    },
  };
}

export type Window = ReturnType<typeof createWindow>;
