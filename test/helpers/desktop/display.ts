import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll } from 'vitest';
import { joinBus, startBus } from './bus.ts';
import { showNotifications } from './notifications.ts';
import type { Program } from './programs.ts';
import { tool } from './runtime.ts';
import { createScope, runProgram } from './scope.ts';
import type { Scope } from './scope.ts';
import { showTray } from './tray.ts';
import { openX } from './x11.ts';

const SIZE = '1280x900x24';
const PACKED_WITHIN_MS = 180_000;

/** A desktop of its own: screen, bus, notifications, tray, and a browser that only takes notes. */
export async function startDisplay(scope: Scope) {
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
    scope,
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

export type Display = Awaited<ReturnType<typeof startDisplay>> & {
  /** The folder of the installed program; without it, what the bundle in this repository makes. */
  packaged: string | undefined;
};

/** One for all tests of a suite, and the program that is to be seen on it. */
export function useDisplay(program?: Pick<Program, 'folder'>): () => Display {
  let display: Display | undefined;
  const scope = createScope();
  beforeAll(async () => {
    display = { ...(await startDisplay(scope)), packaged: await program?.folder() };
  }, PACKED_WITHIN_MS);
  afterAll(() => scope.close());
  return () => {
    if (!display) throw new Error('The display is not there yet');
    return display;
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
    opened: () => (existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : []),
  };
}
