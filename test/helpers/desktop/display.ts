import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { joinBus, startBus } from './bus.ts';
import { showNotifications } from './notifications.ts';
import { tool } from './runtime.ts';
import { runProgram, workerScope } from './scope.ts';
import type { Scope } from './scope.ts';
import { showTray } from './tray.ts';
import { openX } from './x11.ts';

const SIZE = '1280x900x24';

let shared: Promise<Display> | undefined;

/**
 * The desktop that the tests of a worker share: screen, bus, notifications, tray, and a browser that
 * only takes notes. What stands there may be of another program or of an earlier test.
 */
export function sharedDisplay(): Promise<Display> {
  shared ??= startDisplay(workerScope);
  return shared;
}

export type Display = Awaited<ReturnType<typeof startDisplay>>;

async function startDisplay(scope: Scope) {
  const [name, { address }] = await Promise.all([startScreen(scope), startBus(scope)]);
  const bus = joinBus(scope, address);
  const [notifications, tray, x] = await Promise.all([
    showNotifications(bus),
    showTray(bus),
    openX(name),
  ]);
  scope.defer(x.end);
  const browser = notingBrowser(scope.dir());

  return {
    bus,
    notifications,
    tray,
    windows: x.windows,
    closeWindow: x.close,
    placeWindow: x.place,
    focus: x.focus,
    press: x.press,
    /** What the system browser was asked to open. */
    opened: browser.opened,
    env: {
      PATH: `${browser.dir}:${process.env['PATH'] ?? ''}`,
      DISPLAY: name,
      DBUS_SESSION_BUS_ADDRESS: address,
      DBUS_SYSTEM_BUS_ADDRESS: address,
    },
  };
}

async function startScreen(scope: Scope): Promise<string> {
  const args = ['-displayfd', '3', '-screen', '0', SIZE, '-nolisten', 'tcp', '-noreset', '-ac'];
  const server = runProgram(scope, tool('Xvfb') ?? 'Xvfb', args, {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const output = server.stdio[3] as Readable;
  let number = '';
  for await (const piece of output) {
    number += String(piece);
    if (number.endsWith('\n')) return `:${number.trim()}`;
  }
  throw new Error('Xvfb does not start');
}

function notingBrowser(dir: string) {
  const notes = path.join(dir, 'opened');
  const command = path.join(dir, 'xdg-open');
  writeFileSync(command, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${notes}'\n`);
  chmodSync(command, 0o755);
  return {
    dir,
    // Only whole lines: the file is there before anything stands in it.
    opened: () => (existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').slice(0, -1) : []),
  };
}
