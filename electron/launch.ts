import '../server/runtime.js';
import { enableCompileCache } from 'node:module';
import { constants } from 'node:os';
import path from 'node:path';
import { endFailed } from '../server/platform/ending.ts';
import { helpText } from '../server/platform/options.ts';
import type { Options } from '../server/platform/options.ts';
import { openBrowser } from './browser.ts';
import { EndedBefore, openWindow } from './open-window.ts';
import { readGiven } from './options.ts';
import { findElectron, NoWindow } from './runtime.ts';

// `npm start`: the desktop window; where there can be none, the same appliance without it.

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const { command } = readGiven(args, process.env);
  if (command.run === 'help') say(helpText('npm start'));
  else if (command.run === 'version') say((await import('../server/appliance.ts')).version);
  else await start(args, command.options);
}

async function start(args: readonly string[], options: Options): Promise<void> {
  let pass = (signal: NodeJS.Signals): void => process.exit(128 + constants.signals[signal]);
  const onSignal = (signal: NodeJS.Signals) => pass(signal);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    const { ready, ended, end } = openWindow(await findElectron(process.env, say), args, complain);
    pass = end;
    await ready;
    process.exitCode = await ended;
  } catch (error) {
    if (error instanceof EndedBefore) process.exitCode = error.code;
    else if (error instanceof NoWindow) {
      // The appliance has its own way to end.
      for (const signal of SIGNALS) process.off(signal, onSignal);
      await withoutWindow(error.message, options);
    } else throw error;
  }
}

async function withoutWindow(reason: string, options: Options): Promise<void> {
  say(`No window: ${reason}. Vedette runs without one; the dashboard opens in a browser.`);
  enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/vedette'));
  const { serve } = await import('../server/serve.ts');
  const { signInUrl } = await serve(options);
  openBrowser(signInUrl());
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}

main().catch(endFailed);
