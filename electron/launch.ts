import './threads.ts';
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { endFailed } from '../server/platform/ending.ts';
import { helpText } from '../server/platform/options.ts';
import type { Options } from '../server/platform/options.ts';
import { openBrowser } from './browser.ts';
import { readGiven } from './options.ts';
import { EndedBefore, findElectron, NoWindow, openWindow } from './runtime.ts';

// `npm start`: the desktop window; where there can be none, the same appliance without it.

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const { command } = readGiven(args, process.env);
  if (command.run === 'help') say(helpText('npm start'));
  else if (command.run === 'version') say((await import('../server/appliance.ts')).version);
  else await start(args, command.options);
}

async function start(args: readonly string[], options: Options): Promise<void> {
  try {
    const { ended, end } = await openWindow(await findElectron(process.env, say), args, complain);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => end(signal));
    }
    process.exitCode = await ended;
  } catch (error) {
    if (error instanceof EndedBefore) process.exitCode = error.code;
    else if (error instanceof NoWindow) await withoutWindow(error.message, options);
    else throw error;
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
