import type { Menu, MenuItemConstructorOptions, Tray, nativeImage } from 'electron';
import type { Severity } from '../server/rules/schema.ts';
import { systemClock, type Clock } from '../server/platform/clock.ts';

export interface TrayState {
  /** Alerts neither acknowledged nor resolved. */
  open: Record<Severity, number>;
  /** What keeps Vedette from its work, as in 'events cannot be written to disk'. */
  trouble: string | null;
  /** A moment, or `always`. */
  pausedUntil: string | null;
  url: string;
  /** The version that is ready to be installed. */
  update: string | null;
}

export interface TrayActions {
  open(): void;
  openAlerts(): void;
  /** `always` until somebody switches them on again, `null` to switch them on. */
  pause(until: string | null): void;
  quit(): void;
  openLogs(): void;
  restartToUpdate(): void;
}

export interface TrayOptions {
  Tray: typeof Tray;
  Menu: Pick<typeof Menu, 'buildFromTemplate'>;
  nativeImage: Pick<typeof nativeImage, 'createFromPath'>;
  iconDir: string;
  platform: NodeJS.Platform;
  actions: TrayActions;
  clock?: Clock;
}

export interface TrayIcon {
  show(state: TrayState): void;
  close(): void;
}

export function createTray(options: TrayOptions): TrayIcon {
  void options;
  return { show: () => undefined, close: () => undefined };
}

export function trayMenu(
  state: TrayState,
  actions: TrayActions,
  clock: Clock = systemClock,
): MenuItemConstructorOptions[] {
  return [{ label: trayWords(state), click: actions.open }, { label: String(clock.now()) }];
}

export function trayWords(state: TrayState): string {
  return `Vedette: ${state.url}`;
}
