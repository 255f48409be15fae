import { z } from 'zod';

/** What the shell keeps about itself between two starts. */
export const preferences = z.strictObject({
  /** Closing the window leaves Vedette running, to be opened again from the tray. */
  close_to_tray: z.boolean().default(true),
  check_for_updates: z.boolean().default(true),
  /** No notifications before this moment; `always` until somebody switches them on again. */
  paused_until: z
    .union([z.iso.datetime(), z.literal('always')])
    .nullable()
    .default(null),
  /** That closing leaves it running is said once. */
  hint_shown: z.boolean().default(false),
  /** A new version that could not be put in place, to be told at the next start. */
  not_installed: z
    .strictObject({ version: z.string().nullable(), why: z.string() })
    .nullable()
    .default(null),
});

/** What the dashboard may change; start at login is kept by the system itself. */
export const desktopPatch = z
  .strictObject({
    close_to_tray: z.boolean(),
    start_at_login: z.boolean(),
    check_for_updates: z.boolean(),
    paused_until: z.union([z.iso.datetime(), z.literal('always')]).nullable(),
  })
  .partial();

export const folder = z.enum(['data', 'logs']);

export type Preferences = z.infer<typeof preferences>;
export type DesktopPatch = z.infer<typeof desktopPatch>;
export type Folder = z.infer<typeof folder>;

/**
 * `off` when switched off, `unavailable` where this copy of the program has no place to ask, and
 * `unasked` until it has done so; only `current` says that there is nothing newer.
 */
export interface UpdateState {
  state:
    'off' | 'unavailable' | 'unasked' | 'current' | 'checking' | 'loading' | 'ready' | 'failed';
  /** The version that is to come. */
  version: string | null;
  /** Why it failed, or did the last time, or why there is no place to ask. */
  detail: string | null;
}

export interface DesktopView {
  version: string;
  close_to_tray: boolean;
  start_at_login: boolean;
  check_for_updates: boolean;
  paused_until: string | null;
  /** Who keeps the secrets: the key store of the system, or a file in the data directory. */
  secrets: 'key-store' | 'key-file';
  update: UpdateState;
}

/** What the dashboard finds as `window.vedette` when it is shown in the desktop window. */
export interface DesktopBridge {
  read(): Promise<DesktopView>;
  change(patch: DesktopPatch): Promise<DesktopView>;
  openFolder(which: Folder): Promise<void>;
  /** Signs this window in without a password, as at the start. */
  signIn(): Promise<void>;
  checkForUpdates(): Promise<DesktopView>;
  /** Where the menu, the tray or a notification leads. */
  onGo(listener: (path: string) => void): void;
  /** Ends Vedette in order and starts the version that is ready. */
  restartToUpdate(): Promise<void>;
}
