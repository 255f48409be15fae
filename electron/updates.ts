import type { AppUpdater } from 'electron-updater';
import type { Clock } from '../server/platform/clock.ts';
import type { PreferenceStore } from './preferences.ts';
import type { UpdateState } from './schema.ts';

export interface UpdateOptions {
  /** Loaded when it is first needed, and never when updates are switched off. */
  updater: () => Promise<AppUpdater>;
  /** Whether this copy of the program has a place to ask. */
  isPossible: boolean;
  preferences: Pick<PreferenceStore, 'current' | 'onChange'>;
  log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
  clock?: Clock;
  /**
   * The installer runs, and an AppImage starts anew, while this process still lives: `before` closes
   * the appliance and gives up the single-instance lock; `failed` is told when nothing was installed
   * after that, and should start the program anew.
   */
  installing?: { before(): Promise<unknown>; failed(): void };
}

export interface Updates {
  state(): UpdateState;
  check(): Promise<void>;
  onChange(listener: (state: UpdateState) => void): () => void;
  restart(): void;
  close(): void;
}

export function createUpdates(options: UpdateOptions): Updates {
  void options;
  return {
    state: () => ({ state: 'off', version: null, detail: null }),
    check: async () => undefined,
    onChange: () => () => undefined,
    restart: () => undefined,
    close: () => undefined,
  };
}
