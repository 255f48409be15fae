import { readCommand } from '../server/platform/options.ts';
import type { Command } from '../server/platform/options.ts';

/** Switches of Chromium and Electron that are theirs to read, and no mistakes of ours. */
const FOREIGN = new Set([
  ...['no-sandbox', 'disable-gpu', 'disable-dev-shm-usage', 'disable-software-rasterizer'],
  ...['ozone-platform', 'ozone-platform-hint', 'enable-features', 'disable-features'],
  ...['force-device-scale-factor', 'high-dpi-support', 'lang', 'password-store', 'use-gl'],
  ...['remote-debugging-port', 'remote-debugging-pipe', 'inspect', 'inspect-brk', 'use-angle'],
  ...[
    'proxy-server',
    'no-proxy-server',
    'enable-logging',
    'log-file',
    'v',
    'original-process-start-time',
  ],
  ...['allow-file-access-from-files', 'disable-background-networking'],
]);

export interface Given {
  command: Command;
  /** Starts to the tray, as at sign-in to the computer. */
  isHidden: boolean;
}

/** Everything behind the program's own name and, in development, behind the place of its code. */
export function ownArguments(argv: readonly string[], isPackaged: boolean): string[] {
  if (isPackaged) return argv.slice(1);
  const place = argv.findIndex((argument, i) => i > 0 && !argument.startsWith('-'));
  return place < 0 ? [] : argv.slice(place + 1);
}

export function readGiven(args: readonly string[], env: NodeJS.ProcessEnv): Given {
  const ours = args.filter((argument) => argument !== '--hidden' && !isForeign(argument));
  return { command: readCommand(ours, env), isHidden: args.includes('--hidden') };
}

export function isForeign(argument: string): boolean {
  const [, name] = /^--([a-z-]+)(?:=|$)/.exec(argument) ?? [];
  // macOS hands a serial number to programs that the Finder starts.
  return name === undefined ? argument.startsWith('-psn_') : FOREIGN.has(name);
}
