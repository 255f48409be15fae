import { mkdir, readFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { App } from 'electron';
import writeFileAtomic from 'write-file-atomic';

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
  const args = [...options.args.filter((arg) => arg !== '--hidden'), '--hidden'];
  if (options.platform === 'win32') return onWindows(options, args);
  if (options.platform === 'darwin') return onMac(options);
  return onLinux(options, args);
}

function onWindows({ app, executable }: LoginItemOptions, args: string[]): LoginItem {
  // Electron puts both into the registry as they are, and later compares the whole line.
  const start = { path: `"${executable}"`, args: args.map(windowsArgument) };
  return {
    isOn: async () => {
      const found = app.getLoginItemSettings(start);
      // The second is what the task manager says, where people switch it off, too.
      return found.openAtLogin && found.executableWillLaunchAtLogin;
    },
    set: async (on) => app.setLoginItemSettings({ ...start, openAtLogin: on }),
  };
}

/** macOS takes no arguments; `wasOpenedAtLogin` says there that the start is to be hidden. */
function onMac({ app }: LoginItemOptions): LoginItem {
  return {
    isOn: async () => app.getLoginItemSettings().openAtLogin,
    set: async (on) => app.setLoginItemSettings({ openAtLogin: on }),
  };
}

function onLinux({ executable, configHome }: LoginItemOptions, args: string[]): LoginItem {
  const file = path.join(configHome, 'autostart', 'vedette.desktop');
  // GLib looks for the program by its name before it has read `%%` as `%`, and finds none.
  const start = executable.includes('%') ? ['env', executable] : [executable];
  return {
    isOn: async () => {
      const text = await readFile(file, 'utf8').catch(() => '');
      return startsAtLogin(text);
    },
    set: async (on) => {
      if (!on) return removed(file);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await writeFileAtomic(file, desktopEntry([...start, ...args]), { mode: 0o644 });
    },
  };
}

async function removed(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function desktopEntry(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Vedette',
    'Comment=Watches over events',
    'Icon=vedette',
    `Exec=${execLine(command)}`,
    'Terminal=false',
    'StartupNotify=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** Written by the Desktop Entry specification: first as an argument, then as a value of a file. */
export function execLine(command: readonly string[]): string {
  const value = command.map(execArgument).join(' ');
  const line: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  return value.replace(/[\\\n\r\t]/g, (char) => line[char] ?? char);
}

function execArgument(text: string): string {
  const literal = text.replaceAll('%', '%%');
  if (literal !== '' && !/[\s"'\\><~|&;$*?#()`]/.test(literal)) return literal;
  return `"${literal.replace(/["`$\\]/g, '\\$&')}"`;
}

/** As a program takes its line apart there: backslashes count only in front of a quote. */
export function windowsArgument(text: string): string {
  if (text !== '' && !/[\s"]/.test(text)) return text;
  return `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`;
}

/** The desktop's own settings switch such a file off by a line in it, and leave it there. */
export function startsAtLogin(text: string): boolean {
  const values = new Map<string, string>();
  let group = '';
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('[')) group = line.trim();
    const [, key, value] = /^([A-Za-z0-9-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (group === '[Desktop Entry]' && key && value !== undefined) values.set(key, value);
  }
  const isHidden = ['true', '1'].includes(values.get('Hidden') ?? '');
  const isDisabled = ['false', '0'].includes(values.get('X-GNOME-Autostart-enabled') ?? '');
  return Boolean(values.get('Exec')) && !isHidden && !isDisabled;
}
