import type { AppUpdater, UpdateCheckResult } from 'electron-updater';
import { systemClock, type Clock } from '../server/platform/clock.ts';
import { createListeners } from '../server/platform/listeners.ts';
import type { Logger } from '../server/platform/log.ts';
import type { PreferenceStore } from './preferences.ts';
import type { UpdateState } from './schema.ts';

export interface UpdateOptions {
  /** Loaded when it is first needed, and never when updates are switched off. */
  updater: () => Promise<AppUpdater>;
  /** Whether this copy of the program has a place to ask. */
  isPossible: boolean;
  preferences: Pick<PreferenceStore, 'current' | 'onChange' | 'change'>;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  clock?: Clock;
  /** From 0 to 1; not all copies ask at once. */
  chance?: () => number;
  /**
   * The installer runs, and an AppImage starts anew, while this process still lives: `before` closes
   * the appliance and gives up the single-instance lock; `failed` is told why nothing was installed
   * after that, and should start the program anew, which then says so.
   */
  installing?: { before(): Promise<unknown>; failed(why: string): void };
}

export interface Updates {
  state: () => UpdateState;
  /** Resolves when it is known whether there is a new version; that is loaded on. */
  check: () => Promise<void>;
  onChange: (listener: (state: UpdateState) => void) => () => void;
  restart: () => void;
  close: () => void;
}

const MINUTE_MS = 60_000;
const BETWEEN_MS = 6 * 60 * MINUTE_MS;
const JITTER_MS = 30 * MINUTE_MS;

const UNASKED: UpdateState = { state: 'unasked', version: null, detail: null };
const CURRENT: UpdateState = { state: 'current', version: null, detail: null };
const OFF: UpdateState = { state: 'off', version: null, detail: null };
const NO_PLACE: UpdateState = {
  state: 'unavailable',
  version: null,
  detail: 'It was made without an address to ask for new versions.',
};

export function createUpdates(options: UpdateOptions): Updates {
  const { isPossible, preferences, log, clock = systemClock, chance = Math.random } = options;
  const listeners = createListeners<UpdateState>('updates', log);
  const past = preferences.current().not_installed;
  let state = !isPossible ? NO_PLACE : isWanted() ? atFirst() : OFF;
  let updater: AppUpdater | undefined;
  let asking: Promise<void> | undefined;
  let loading: UpdateCheckResult | undefined;
  let isInstalling = false;
  let isClosed = false;
  let due = clock.now() + MINUTE_MS;

  function isWanted(): boolean {
    return preferences.current().check_for_updates;
  }

  /** What went wrong the last time is said, once. */
  function atFirst(): UpdateState {
    if (!past) return UNASKED;
    void preferences.change({ not_installed: null });
    return { state: 'failed', version: past.version, detail: past.why };
  }

  function set(next: UpdateState): void {
    if (isClosed) return;
    state = next;
    listeners.tell(state);
  }

  function fail(error: unknown, version: string | null): string {
    log.warn({ err: error }, 'The update did not succeed');
    const why = inWords(error);
    set({ state: 'failed', version, detail: why });
    return why;
  }

  async function load(): Promise<AppUpdater> {
    const loaded = await options.updater();
    loaded.autoDownload = true;
    // A quit is often the system's own end, which would kill an installer halfway; and a version
    // that brings its own database is for a person to ask for.
    loaded.autoInstallOnAppQuit = false;
    loaded.allowPrerelease = false;
    loaded.allowDowngrade = false;
    loaded.disableWebInstaller = true;
    // What it has to say comes back as errors, too.
    loaded.logger = null;
    // Checks and downloads fail by their promises; nothing else tells of an installation.
    loaded.on('error', (error) => {
      if (isInstalling) void notInstalled(error);
    });
    return loaded;
  }

  async function ask(): Promise<void> {
    due = clock.now() + BETWEEN_MS + chance() * JITTER_MS;
    set({ ...CURRENT, state: 'checking' });
    try {
      updater ??= await load();
      const result = await updater.checkForUpdates();
      result?.downloadPromise?.catch(() => undefined);
      if (isClosed || !isWanted()) result?.cancellationToken?.cancel();
      else if (result === null) set(NO_PLACE);
      else if (!result.isUpdateAvailable) set(CURRENT);
      else void follow(result);
    } catch (error) {
      if (isClosed || !isWanted()) return;
      if (hasNoPlace(error)) set(NO_PLACE);
      else fail(error, null);
    }
  }

  async function follow(result: UpdateCheckResult): Promise<void> {
    loading = result;
    const { version } = result.updateInfo;
    set({ state: 'loading', version, detail: null });
    try {
      await result.downloadPromise;
      if (loading !== result) return;
      log.info({ version }, 'A new version is ready');
      const detail = past?.version === version ? `The last time: ${past.why}` : null;
      set({ state: 'ready', version, detail });
    } catch (error) {
      if (loading === result) fail(error, version);
    } finally {
      if (loading === result) loading = undefined;
    }
  }

  function forget(): void {
    loading?.cancellationToken?.cancel();
    loading = undefined;
  }

  async function check(): Promise<void> {
    const canAsk = ['unasked', 'current', 'checking', 'failed'].includes(state.state);
    if (isClosed || !canAsk) return;
    asking ??= ask().finally(() => (asking = undefined));
    await asking;
  }

  async function install(ready: AppUpdater): Promise<void> {
    isInstalling = true;
    try {
      await options.installing?.before();
      // Without the installer's questions, and with a start of the new version.
      ready.quitAndInstall(true, true);
    } catch (error) {
      await notInstalled(error);
    }
  }

  async function notInstalled(error: unknown): Promise<void> {
    if (!isInstalling) return;
    isInstalling = false;
    const { version } = state;
    const why = fail(error, version);
    // What shows it is closed by now; the next start will say it.
    await preferences.change({ not_installed: { version, why } });
    options.installing?.failed(why);
  }

  const stopListening = preferences.onChange(() => {
    if (!isPossible || state === NO_PLACE) return;
    if (isWanted() && state === OFF) {
      due = clock.now();
      set(UNASKED);
    } else if (!isWanted() && state !== OFF) {
      forget();
      set(OFF);
    }
  });

  // By the clock rather than by one long wait, which would stand still while the computer sleeps.
  const tick = setInterval(() => {
    if (clock.now() >= due) void check();
  }, MINUTE_MS).unref();
  if (!isPossible) clearInterval(tick);

  return {
    state: () => state,
    check,
    onChange: (listener) => listeners.add(listener),
    restart: () => {
      if (state.state === 'ready' && updater && !isInstalling) void install(updater);
    },
    close: () => {
      isClosed = true;
      clearInterval(tick);
      stopListening();
      forget();
    },
  };
}

/** As built without an address to ask. */
function hasNoPlace(error: unknown): boolean {
  return /ENOENT.*app-update\.yml/s.test(String(error));
}

function inWords(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  const said = `${String(code)} ${String(error)}`;
  if (/ENOSPC/.test(said)) return 'There is no room on the disk for the update.';
  if (/Could not get code signature/.test(said)) {
    return 'A Mac updates only programs that are signed, and this copy is not.';
  }
  if (/EACCES|EPERM|EROFS/.test(said)) return 'Vedette may not write where the update belongs.';
  if (/CHECKSUM|SIGNATURE|sha512/i.test(said)) {
    return 'What was loaded is not what was published, so it was thrown away.';
  }
  if (/CERT_/.test(said)) return 'The place that has the updates could not prove who it is.';
  if (/net::ERR_|ENOTFOUND|ECONN|ETIMEDOUT|EAI_AGAIN|ENETUN|EHOSTUN/.test(said)) {
    return 'The place that has the updates could not be reached.';
  }
  if (/NOT_FOUND|HTTP_ERROR|VERSION/.test(said)) {
    return 'The place that has the updates gave no usable answer.';
  }
  return 'The update did not succeed; the log says why.';
}
