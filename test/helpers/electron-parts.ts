import { EventEmitter } from 'node:events';
import type {
  App,
  Menu,
  MenuItemConstructorOptions,
  Notification,
  NotificationConstructorOptions,
  Rectangle,
  Tray,
} from 'electron';
import type { AppUpdater, UpdateCheckResult } from 'electron-updater';
import { vi } from 'vitest';
import type { LoginItemOptions } from '../../electron/login-item.ts';
import type { TrayOptions } from '../../electron/tray.ts';
import type { Logger } from '../../server/platform/log.ts';

/** Keeps what was logged, to be looked at. */
export function aLog(): Logger & { lines: string[] } {
  const lines: string[] = [];
  const log = (_fields: object, message: string) => void lines.push(message);
  return { lines, info: log, warn: log, error: log } as unknown as Logger & { lines: string[] };
}

type Item = MenuItemConstructorOptions;

export const submenu = (item: Item | undefined): Item[] =>
  Array.isArray(item?.submenu) ? item.submenu : [];

/** All labels of a menu, those of its submenus among them. */
export function labels(menu: readonly Item[]): string[] {
  return menu.flatMap((item) => [item.label ?? '', ...labels(submenu(item))]).filter(Boolean);
}

export function find(menu: readonly Item[], matches: (item: Item) => boolean): Item | undefined {
  const all = menu.flatMap((item): Item[] => [item, ...submenu(item)]);
  return all.find(matches);
}

export function click(menu: readonly Item[], label: string | RegExp): void {
  const item = find(menu, (one) =>
    typeof label === 'string' ? one.label === label : label.test(one.label ?? ''),
  );
  if (!item?.click) throw new Error(`No ${String(label)} among ${labels(menu).join(', ')}`);
  (item.click as () => void)();
}

/** Stands in for the tray: what it was told last, and how often it got a menu. */
export class FakeTray extends EventEmitter {
  static made: FakeTray[] = [];
  image: unknown;
  tooltip = '';
  title = '';
  menus: Item[][] = [];
  isGone = false;

  constructor(image: unknown) {
    super();
    this.image = image;
    FakeTray.made.push(this);
  }
  setImage(image: unknown) {
    this.image = image;
  }
  setToolTip(text: string) {
    this.tooltip = text;
  }
  setTitle(text: string) {
    this.title = text;
  }
  setContextMenu(menu: unknown) {
    this.menus.push(menu as Item[]);
  }
  destroy() {
    this.isGone = true;
  }
}

export interface FakeImage {
  path: string;
  isTemplate: boolean;
}

export function trayParts(): Pick<TrayOptions, 'Tray' | 'Menu' | 'nativeImage' | 'iconDir'> {
  FakeTray.made = [];
  const image = (path: string) => ({
    path,
    isTemplate: false,
    setTemplateImage(is: boolean) {
      this.isTemplate = is;
    },
  });
  return {
    Tray: FakeTray as unknown as typeof Tray,
    Menu: { buildFromTemplate: (items) => items as unknown as Menu },
    nativeImage: { createFromPath: (path) => image(path) as never },
    iconDir: '/icons',
  };
}

/** Stands in for `Notification`; `made` has what was shown since `notificationParts()`. */
export class FakeNotification extends EventEmitter {
  static made: FakeNotification[] = [];
  static supported = true;
  static isSupported = () => FakeNotification.supported;
  readonly options: NotificationConstructorOptions;
  isShown = false;
  isClosed = false;

  constructor(options: NotificationConstructorOptions = {}) {
    super();
    this.options = options;
  }
  show() {
    this.isShown = true;
    FakeNotification.made.push(this);
  }
  close() {
    this.isClosed = true;
  }
}

export function notificationParts(): typeof Notification {
  FakeNotification.made = [];
  FakeNotification.supported = true;
  return FakeNotification as unknown as typeof Notification;
}

/** Stands in for a window: it is where it is put, and says so as the real one does. */
export class FakeWindow extends EventEmitter {
  at: Rectangle;
  isMax = false;
  isGone = false;

  constructor(at: Rectangle) {
    super();
    this.at = at;
  }
  move(x: number, y: number) {
    this.at = { ...this.at, x, y };
    this.emit('move');
  }
  maximize() {
    this.isMax = true;
    this.emit('maximize');
  }
  getNormalBounds() {
    return this.at;
  }
  isMaximized = () => this.isMax;
  isDestroyed = () => this.isGone;
}

/** Stands in for the registry of Windows, and for the login items of macOS. */
export function loginApp(): { app: LoginItemOptions['app']; lines: string[]; calls: object[] } {
  const lines: string[] = [];
  const calls: object[] = [];
  const line = (of: { path?: string; args?: string[] } = {}) =>
    [of.path ?? 'self', ...(of.args ?? [])].join(' ');
  const app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'> = {
    getLoginItemSettings: (of) =>
      ({
        openAtLogin: lines.includes(line(of)),
        executableWillLaunchAtLogin: lines.length > 0,
      }) as never,
    setLoginItemSettings: (settings) => {
      calls.push(settings);
      lines.length = 0;
      if (settings.openAtLogin) lines.push(line(settings));
    },
  };
  return { app, lines, calls };
}

type Answer = Partial<UpdateCheckResult> | Error | null;

/** Stands in for `autoUpdater`: answers as it is told, one answer for each question. */
export class FakeUpdater extends EventEmitter {
  autoDownload = false;
  autoInstallOnAppQuit = true;
  allowPrerelease = true;
  allowDowngrade = true;
  disableWebInstaller = false;
  logger: unknown = console;
  asked = 0;
  answers: (Answer | Promise<Answer>)[] = [];
  quitAndInstall = vi.fn<(silent: boolean, start: boolean) => void>();

  async checkForUpdates() {
    this.asked++;
    const answer = await this.answers.shift();
    if (answer instanceof Error) {
      this.emit('error', answer);
      throw answer;
    }
    return answer === undefined ? { isUpdateAvailable: false } : answer;
  }
  get real() {
    return this as unknown as AppUpdater;
  }
}

/** A new version, with its download in the hands of the test. */
export function aRelease(version: string) {
  const download = Promise.withResolvers<string[]>();
  const cancel = vi.fn<() => void>(() => download.reject(new Error('cancelled')));
  const result = {
    isUpdateAvailable: true,
    updateInfo: { version },
    downloadPromise: download.promise,
    cancellationToken: { cancel },
  } as unknown as UpdateCheckResult;
  return { result, download, cancel };
}

/** Lets what waits only for promises go on. */
export const settled = () => new Promise<void>((done) => setImmediate(done));
