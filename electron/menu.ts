import type { MenuItemConstructorOptions } from 'electron';

export interface MenuActions {
  /** Shows the window at a page of the dashboard. */
  go(path: string): void;
  /** Opens `/docs` in the browser of the system. */
  openDocs(): void;
  openLogs(): void;
}

export interface MenuOptions {
  platform: NodeJS.Platform;
  isDevelopment: boolean;
  actions: MenuActions;
  appName: string;
}

export function appMenu(options: MenuOptions): MenuItemConstructorOptions[] {
  return [{ label: options.appName }];
}
