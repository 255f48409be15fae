import type { App } from 'electron';

export interface LoginItemOptions {
  platform: NodeJS.Platform;
  app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>;
  /** What is to be started: of an AppImage the file itself, not what it is mounted as. */
  executable: string;
  /** What it is started with, besides `--hidden`. */
  args: readonly string[];
  /** `$XDG_CONFIG_HOME`, as a rule `~/.config`; used on Linux only. */
  configHome: string;
}

export interface LoginItem {
  isOn(): Promise<boolean>;
  set(on: boolean): Promise<void>;
}

export function createLoginItem(options: LoginItemOptions): LoginItem {
  void options;
  return { isOn: async () => false, set: async () => undefined };
}
