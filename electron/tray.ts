import path from 'node:path';
import type { Menu, MenuItemConstructorOptions, NativeImage, Tray, nativeImage } from 'electron';
import { systemClock, type Clock } from '../server/platform/clock.ts';
import type { Severity } from '../server/rules/schema.ts';
import { asItIs, fitted, readable } from '../server/webhooks/chat-text.ts';
import { isPausedAt } from './preferences.ts';

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
  show: (state: TrayState) => void;
  close: () => void;
}

type Item = MenuItemConstructorOptions;

const HOUR_MS = 3_600_000;
/** Node takes a longer wait for none at all. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;
/** Windows shows 127 units of a tooltip, the name before it among them. */
const WORDS_LENGTH = 100;
const LINE: Item = { type: 'separator' };

export function createTray(options: TrayOptions): TrayIcon {
  const { platform, actions, clock = systemClock } = options;
  const images = new Map<string, NativeImage>();
  let tray: Tray | undefined;
  let state: TrayState | undefined;
  let pauseEnds: NodeJS.Timeout | undefined;
  const shown = { image: '', words: '', menu: '', title: '' };

  function image(name: string): NativeImage {
    const known = images.get(name);
    if (known) return known;
    const size = platform === 'linux' ? '24' : '16';
    const made = options.nativeImage.createFromPath(
      path.join(options.iconDir, size, `${name}.png`),
    );
    if (platform === 'darwin') made.setTemplateImage(true);
    images.set(name, made);
    return made;
  }

  function create(name: string): Tray {
    const made = new options.Tray(image(name));
    // With a menu, macOS opens that on a click.
    if (platform === 'darwin') return made;
    made.on('click', () => actions.open());
    made.on('double-click', () => actions.open());
    return made;
  }

  function draw(): void {
    if (!state) return;
    const name = platform === 'darwin' ? 'macTemplate' : trayIcon(state, clock.now());
    tray ??= create(name);
    if (changed('image', name)) tray.setImage(image(name));
    const words = trayWords(state);
    if (changed('words', words)) tray.setToolTip(words);
    if (platform === 'darwin') drawTitle(tray, state);
    const menu = trayMenu(state, actions, clock);
    // A menu on Linux is a copy, so it is set anew; while somebody reads it, it must not flicker.
    if (changed('menu', JSON.stringify(menu))) {
      tray.setContextMenu(options.Menu.buildFromTemplate(menu));
    }
    waitForPauseEnd(state.pausedUntil);
  }

  function drawTitle(icon: Tray, { open, trouble }: TrayState): void {
    const count = open.critical + open.warning + open.info;
    const title = trouble !== null ? '!' : count > 0 ? String(count) : '';
    if (changed('title', title)) icon.setTitle(title);
  }

  function changed(what: keyof typeof shown, to: string): boolean {
    if (shown[what] === to) return false;
    shown[what] = to;
    return true;
  }

  function waitForPauseEnd(until: string | null): void {
    clearTimeout(pauseEnds);
    const left = until === null ? NaN : Date.parse(until) - clock.now();
    if (left > 0) pauseEnds = setTimeout(draw, Math.min(left, LONGEST_WAIT_MS)).unref();
  }

  return {
    show: (now) => {
      state = now;
      draw();
    },
    close: () => {
      clearTimeout(pauseEnds);
      state = undefined;
      tray?.destroy();
      tray = undefined;
      Object.assign(shown, { image: '', words: '', menu: '', title: '' });
    },
  };
}

function trayIcon({ open, trouble, pausedUntil }: TrayState, now: number): string {
  if (trouble !== null) return 'trouble';
  if (open.critical > 0) return 'critical';
  if (open.warning > 0) return 'warning';
  if (open.info > 0) return 'info';
  return isPausedAt(pausedUntil, now) ? 'paused' : 'quiet';
}

export function trayWords(state: TrayState): string {
  return `Vedette: ${plain(state.trouble) || openWords(state.open)}`;
}

/** As in '2 critical, 1 warning and 3 info open'. */
function openWords({ critical, warning, info }: TrayState['open']): string {
  const parts: string[] = [];
  if (critical > 0) parts.push(`${critical} critical`);
  if (warning > 0) parts.push(`${warning} ${warning === 1 ? 'warning' : 'warnings'}`);
  if (info > 0) parts.push(`${info} info`);
  const last = parts.pop();
  if (last === undefined) return 'no open alerts';
  return `${parts.length > 0 ? `${parts.join(', ')} and ${last}` : last} open`;
}

export function trayMenu(
  state: TrayState,
  actions: TrayActions,
  clock: Clock = systemClock,
): Item[] {
  const lines = [plain(state.trouble), openWords(state.open)].filter((line) => line !== '');
  const update: Item = {
    label: label(`Restart to update to ${plain(state.update)}`),
    click: () => actions.restartToUpdate(),
  };
  return [
    ...lines.map((line) => ({
      label: label(line.charAt(0).toUpperCase() + line.slice(1)),
      click: () => actions.openAlerts(),
    })),
    LINE,
    { label: 'Open Vedette', click: () => actions.open() },
    pauseItem(state.pausedUntil, actions, clock),
    { label: 'Open the logs folder', click: () => actions.openLogs() },
    LINE,
    ...(state.update === null ? [] : [update]),
    { label: 'Quit Vedette', click: () => actions.quit() },
  ];
}

function pauseItem(until: string | null, actions: TrayActions, clock: Clock): Item {
  if (until !== null && isPausedAt(until, clock.now())) {
    const end = until === 'always' ? 'paused' : `paused until ${timeWords(until, clock.now())}`;
    return { label: `Notify again (${end})`, click: () => actions.pause(null) };
  }
  // The moments count from the click: a menu may have been made days ago.
  return {
    label: 'Pause notifications',
    submenu: [
      {
        label: 'For 1 hour',
        click: () => actions.pause(new Date(clock.now() + HOUR_MS).toISOString()),
      },
      { label: 'Until tomorrow 8:00', click: () => actions.pause(tomorrowMorning(clock.now())) },
      { label: 'Until I switch them on', click: () => actions.pause('always') },
    ],
  };
}

function tomorrowMorning(now: number): string {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1, 8).toISOString();
}

/** Never 'tomorrow', which would be wrong once the day is over. */
function timeWords(until: string, now: number): string {
  const end = new Date(until);
  const time = `${end.getHours()}:${String(end.getMinutes()).padStart(2, '0')}`;
  if (end.toDateString() === new Date(now).toDateString()) return time;
  const day = end.toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
  return `${day}, ${time}`;
}

function plain(text: string | null): string {
  return fitted(readable(text ?? '').replace(/\s+/g, ' '), WORDS_LENGTH, asItIs);
}

/** One `&` alone would underline the letter after it. */
function label(text: string): string {
  return text.replaceAll('&', '&&');
}
